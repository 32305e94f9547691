// Bundles each test file and runs them all with Node's own test runner. No VS Code is needed.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = `${root}/out/test`;

const entryPoints = readdirSync(`${root}/test`, { recursive: true })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `test/${name}`);

rmSync(out, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints,
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external: ["vscode", "happy-dom"],
  sourcemap: "inline",
  logLevel: "warning",
});
const tests = readdirSync(out, { recursive: true }).filter((name) => name.endsWith(".test.mjs"));
const run = spawnSync(process.execPath, ["--enable-source-maps", "--test", "--test-reporter=dot", ...tests.map((name) => `${out}/${name}`)], {
  cwd: root,
  stdio: "inherit",
});
process.exit(run.status ?? 1);
