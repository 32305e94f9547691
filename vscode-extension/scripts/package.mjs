// Packs the extension for this machine's platform: the bundled server holds compiled modules.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
if (!existsSync(`${root}/bundled/manifest.json`)) {
  console.error("bundled/ is empty: run `npm run bundle` first");
  process.exit(1);
}
// vsce searches every file for secrets, which takes minutes in a type checker's stubs. Nothing but
// published packages and this repository is in there.
const unsearched = "--allow-package-all-secrets";
const target = `${process.platform}-${process.arch}`;
const run = spawnSync(
  "npx",
  ["vsce", "package", "--no-dependencies", unsearched, "--target", target, "--out", "gateline.vsix", ...process.argv.slice(2)],
  { cwd: root, stdio: "inherit" },
);
process.exit(run.status ?? 1);
