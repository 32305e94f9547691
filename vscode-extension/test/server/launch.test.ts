/** Real interpreters, and workspaces that would like to be run. */

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { prepareLaunch, type Launch, type Request } from "../../src/server/launch";

const VERSION = execFileSync("python3", ["-c", 'import sys; print("%d.%d" % sys.version_info[:2])'], { encoding: "utf8" }).trim();
const BASE = execFileSync("python3", ["-c", "import sys; print(sys._base_executable)"], { encoding: "utf8" }).trim();

/** Says what it could import, and from where. */
const SERVER = `
import json, os, sys, shared, special
spy = [name for name in ("evil", "sitecustomize_of_workspace") if name in sys.modules]
print(json.dumps({"argv": sys.argv[1:], "cwd": os.getcwd(), "shared": shared.__file__, "special": special.__file__,
                  "path": sys.path, "executable": sys.executable, "spy": spy}))
`;

let place: string;
let request: Request;
const inPlace = (...names: string[]) => path.join(place, ...names);

function write(file: string, text: string, mode = 0o644): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text, { mode });
}

beforeEach(() => {
  place = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "gateline launch ")));
  write(inPlace("bundle", "manifest.json"), JSON.stringify({ versions: [VERSION], gateline: "1" }));
  write(inPlace("bundle", "common", "gateline", "__main__.py"), SERVER);
  write(inPlace("bundle", "common", "shared.py"), "");
  write(inPlace("bundle", "common", "special.py"), "raise SystemExit('the folder of the version goes first')");
  write(inPlace("bundle", `cp${VERSION.replace(".", "")}`, "special.py"), "");
  fs.mkdirSync(inPlace("workspace"));
  request = {
    trusted: false,
    path: [],
    importStrategy: "useBundled",
    interpreter: undefined,
    serverInterpreter: "",
    projectInterpreter: "",
    untrustedFolders: [inPlace("workspace")],
    storage: inPlace("storage"),
    bundle: inPlace("bundle"),
  };
});
const environ = { ...process.env };
afterEach(() => {
  process.env = { ...environ };
  fs.rmSync(place, { recursive: true, force: true });
});

async function launched(change: Partial<Request> = {}): Promise<Launch> {
  const launch = await prepareLaunch({ ...request, ...change });
  assert.equal(launch.kind, "launch", JSON.stringify(launch));
  return launch;
}

interface Told {
  readonly argv: string[];
  readonly cwd: string;
  readonly shared: string;
  readonly special: string;
  readonly path: string[];
  readonly executable: string;
  readonly spy: string[];
}

function run(launch: Launch): Told {
  const done = spawnSync(launch.command, launch.args, { cwd: launch.cwd, env: launch.env, encoding: "utf8" });
  assert.equal(done.status, 0, done.stderr);
  return JSON.parse(done.stdout) as Told;
}

test("the bundle runs in an environment of its own, outside the workspace", async () => {
  const told = run(await launched());
  assert.deepEqual(told.argv, ["server"]);
  assert.equal(told.cwd, inPlace("storage"));
  assert.equal(told.shared, inPlace("bundle", "common", "shared.py"));
  assert.equal(told.special, inPlace("bundle", `cp${VERSION.replace(".", "")}`, "special.py"));
  // Its children are started with `sys.executable -P -m ...`, and must find the same packages.
  const child = execFileSync(told.executable, ["-P", "-c", "import shared; print(shared.__file__)"], { encoding: "utf8" });
  assert.equal(child.trim(), told.shared);
});

test("nothing is imported from elsewhere", async () => {
  const stdlib = execFileSync(BASE, ["-I", "-S", "-c", "import json, sys; print(json.dumps(sys.path))"], { encoding: "utf8" });
  const expected = [...(JSON.parse(stdlib) as string[]), inPlace("storage"), inPlace("bundle")];
  for (const entry of run(await launched()).path) {
    assert.ok(expected.some((root) => entry.startsWith(root)), `${entry} is on the path`);
  }
});

test("a hostile workspace is not run: sitecustomize, PYTHONPATH, and programs on PATH", async () => {
  const canary = inPlace("canary");
  const touch = `open(${JSON.stringify(canary)}, "w").close()\n`;
  const workspace = inPlace("workspace");
  for (const name of ["sitecustomize.py", "usercustomize.py", "json.py", "gateline.py", "shared.py", "conftest.py"]) {
    write(path.join(workspace, name), touch);
  }
  for (const name of ["python3", `python${VERSION}`, "python", "git", "nice"]) {
    write(path.join(workspace, "bin", name), `#!/bin/sh\ntouch "${canary}"\n`, 0o755);
  }
  process.env["PYTHONPATH"] = workspace;
  process.env["PATH"] = `${workspace}/bin:.:${environ["PATH"] ?? ""}`;
  const before = process.cwd();
  process.chdir(workspace);
  try {
    const launch = await launched();
    run(launch);
    spawnSync("git", ["--version"], { cwd: workspace, env: launch.env });
  } finally {
    process.chdir(before);
  }
  assert.equal(fs.existsSync(canary), false);
});

test("an interpreter of an untrusted workspace is not run, whatever names it", async () => {
  const canary = inPlace("canary");
  const python = inPlace("workspace", ".venv", "bin", "python");
  write(python, `#!/bin/sh\ntouch "${canary}"\nexec python3 "$@"\n`, 0o755);
  await launched({ projectInterpreter: python });
  const refused = await prepareLaunch({ ...request, serverInterpreter: python });
  assert.equal(fs.existsSync(canary), false);
  assert.equal(refused.kind, "problem");
  assert.match(refused.message, /serverInterpreter names .*python, which lies in a workspace that is not trusted/);
  // The same file in a workspace that is trusted.
  await launched({ trusted: true, untrustedFolders: [], projectInterpreter: python });
  assert.equal(fs.existsSync(canary), true);
});

test("the environment is made once, and anew when its interpreter went away", async () => {
  const { command } = await launched();
  const { ino } = fs.lstatSync(command);
  assert.equal((await launched()).command, command);
  assert.equal(fs.lstatSync(command).ino, ino);
  fs.rmSync(command);
  fs.symlinkSync(inPlace("gone"), command);
  assert.equal((await launched()).command, command);
  run(await launched());
});

test("two windows make the environment at the same time", async () => {
  const [one, other] = await Promise.all([launched(), launched()]);
  assert.equal(one.command, other.command);
  run(one);
});

test("no interpreter that will do: what was found is named", async () => {
  write(inPlace("bundle", "manifest.json"), JSON.stringify({ versions: ["3.99"], gateline: "1" }));
  const found = await prepareLaunch(request);
  assert.equal(found.kind, "problem");
  assert.match(found.message, /^gateline needs Python 3\.99, and found none on PATH \(.*python3 is 3\./);
});

test("a checkout without a bundle says what to do", async () => {
  const found = await prepareLaunch({ ...request, bundle: inPlace("none") });
  assert.deepEqual([found.kind, "message" in found && found.message], [
    "problem",
    "This build of the extension comes without a server. Name one in the setting gateline.path.",
  ]);
});

test("a program of the person's choice gets the whole environment", async () => {
  const program = inPlace("my", "gateline");
  write(program, "#!/bin/sh\n", 0o755);
  process.env["PYTHONPATH"] = "/mine";
  const launch = await launched({ trusted: true, untrustedFolders: [], path: [inPlace("none"), program] });
  assert.deepEqual([launch.command, launch.args, launch.env["PYTHONPATH"]], [program, ["server"], "/mine"]);
});
