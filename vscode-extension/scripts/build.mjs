// Bundles the extension into out/extension.js, and fails when it is larger than it may be.
import { build } from "esbuild";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const LIMIT = 1_000_000; // bytes
const root = fileURLToPath(new URL("..", import.meta.url));
const outfile = `${root}/out/extension.js`;

await build({
  absWorkingDir: root,
  entryPoints: ["src/extension.ts"],
  outfile,
  bundle: true,
  minify: true,
  platform: "node",
  format: "cjs",
  // What the oldest supported VS Code runs.
  target: "node20",
  external: ["vscode"],
  legalComments: "linked",
  logLevel: "warning",
});

const size = statSync(outfile).size;
console.log(`out/extension.js: ${size} bytes of ${LIMIT}`);
if (size > LIMIT) {
  console.error("the bundle is too large: find what grew with `npx esbuild --analyze`");
  process.exit(1);
}
