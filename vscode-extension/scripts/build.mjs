// Bundles the extension, and the script of its panel, and fails when they are larger than they may be.
import { build } from "esbuild";
import { copyFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const LIMIT = 1_000_000; // bytes
const root = fileURLToPath(new URL("..", import.meta.url));
const shared = { absWorkingDir: root, bundle: true, minify: true, logLevel: "warning" };

await build({
  ...shared,
  entryPoints: ["src/extension.ts"],
  outfile: "out/extension.js",
  platform: "node",
  format: "cjs",
  // What the oldest supported VS Code runs.
  target: "node20",
  external: ["vscode"],
  legalComments: "linked",
});
await build({
  ...shared,
  entryPoints: ["src/panel/browser/main.ts"],
  outfile: "out/panel.js",
  platform: "browser",
  format: "iife",
  target: "es2022",
});
// For editors of TOML that validate by what extensions bring along.
copyFileSync(`${root}/../schemas/settings.json`, `${root}/out/gateline.schema.json`);

const size = ["out/extension.js", "out/panel.js"].reduce((sum, file) => sum + statSync(`${root}/${file}`).size, 0);
console.log(`out/extension.js and out/panel.js: ${size} bytes of ${LIMIT}`);
if (size > LIMIT) {
  console.error("the bundles are too large: find what grew with `npx esbuild --analyze`");
  process.exit(1);
}
