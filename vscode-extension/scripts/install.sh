#!/usr/bin/env bash
# install.sh FOLDER: the packages of its lock file, unless they are there. Exit code 69: they cannot be had here.
set -euo pipefail
cd "$1"
mark=node_modules/.installed
if [ "$mark" -nt package-lock.json ] && [ "$mark" -nt package.json ]; then exit 0; fi
if ! command -v npm >/dev/null; then
  echo "install.sh: next step: install Node 20 or newer with npm; the packages of $1 come with it." >&2
  exit 69
fi
code=0
said=$(npm ci --no-audit --no-fund 2>&1) || code=$?
echo "$said" >&2
if [ "$code" = 0 ]; then
  touch "$mark"
elif grep -qE 'npm (ERR!|error) (code (ENOTFOUND|EAI_AGAIN|E?TIMEDOUT|ECONN[A-Z]+|ENETUNREACH|ERR_SOCKET_TIMEOUT|E404|E5[0-9]+)|network)' <<<"$said"; then
  echo "install.sh: the registry of npm cannot be reached." >&2
  exit 69
fi
exit "$code"
