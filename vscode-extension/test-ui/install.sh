#!/usr/bin/env bash
# install.sh FOLDER: a real VS Code (code-server) with the Node that it demands, and a Chromium to open it.
# The folder is kept between runs: compiling code-server's native modules takes minutes.
# Exit code 69: they cannot be had here.
set -Eeuo pipefail
trap 'echo "install.sh: VS Code and Chromium could not be installed; what failed stands above." >&2; exit 69' ERR
export npm_config_fund=false npm_config_audit=false npm_config_update_notifier=false

node_version=24.21.0 # code-server's installer refuses any other major version
code_server_version=4.139.1

have_browser() { command -v chromium >/dev/null || command -v chromium-browser >/dev/null; }

install_debian_packages() {
  if have_browser && [ -e /usr/include/gssapi/gssapi.h ]; then return; fi
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "install.sh: chromium and the headers of Kerberos are needed; only root on Debian can have them installed here." >&2
    echo "install.sh: next step: install the packages chromium, fonts-dejavu-core and libkrb5-dev, and run this again." >&2
    exit 69
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core libkrb5-dev >/dev/null
}

install_package() { # FOLDER PACKAGE VERSION
  mkdir -p "$1"
  [ -f "$1/package.json" ] || echo '{"private": true}' >"$1/package.json"
  npm install --prefix "$1" --loglevel=error --save-exact "$2@$3"
}

if ! command -v npm >/dev/null; then
  echo "install.sh: next step: install Node 20 or newer with npm." >&2
  exit 69
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
wanted="node $node_version, code-server $code_server_version"
exec 9>"$folder/lock"
flock 9
install_debian_packages
if [ "$(cat "$folder/installed" 2>/dev/null)" = "$wanted" ]; then exit 0; fi
rm -f "$folder/installed"
install_package "$folder/node" node "$node_version"
export PATH="$folder/node/node_modules/node/bin:$PATH"
npm_config_nodedir=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
for headers in "$folder"/node/node_modules/node/node_modules/node-* "$folder"/node/node_modules/node-*; do
  if [ -d "$headers/include/node" ]; then npm_config_nodedir=$headers; fi
done
export npm_config_nodedir
install_package "$folder/vscode" code-server "$code_server_version"
CODE_SERVER_CONFIG="$folder/config.yaml" node "$folder/vscode/node_modules/code-server/out/node/entry.js" --version
echo "$wanted" >"$folder/installed"
