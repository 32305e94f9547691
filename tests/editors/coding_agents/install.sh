#!/usr/bin/env bash
# install.sh FOLDER: coding agents from npm, in the versions of the transcripts. Of their installation scripts only
# Claude Code's is run, which puts its program in place from the package for this system.
# Exit code 69: they cannot be had here.
set -euo pipefail
agents="@google/gemini-cli@0.61.0 @openai/codex@0.171.0 @anthropic-ai/claude-code@2.1.197"
if ! command -v npm >/dev/null; then
  echo "install.sh: next step: install Node 20 or newer with npm." >&2
  exit 69
fi
mkdir -p "$1"
exec 9>"$1/lock"
flock 9
if [ "$(cat "$1/installed" 2>/dev/null)" = "$agents" ]; then exit 0; fi
rm -f "$1/installed"
# shellcheck disable=SC2086 # a word for each agent
if ! npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$1" $agents; then
  echo "install.sh: $agents could not be installed; what failed stands above." >&2
  exit 69
fi
if ! node "$1/node_modules/@anthropic-ai/claude-code/install.cjs"; then
  echo "install.sh: Claude Code has no program for this system." >&2
  exit 69
fi
echo "$agents" >"$1/installed"
