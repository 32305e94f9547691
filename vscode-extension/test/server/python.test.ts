import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { commandNames, noPython, PROBE_ARGUMENTS, range, readProbe, unfitness, type Python } from "../../src/server/python";

const VERSIONS = ["3.11", "3.12", "3.13", "3.14"];
const PYTHON: Python = { executable: "/usr/bin/python3.12", version: [3, 12, 1], implementation: "cpython", freeThreaded: false };

test("a real interpreter answers the probe", () => {
  const python = readProbe(execFileSync("python3", PROBE_ARGUMENTS, { encoding: "utf8" }));
  const [major, minor] = execFileSync("python3", ["-c", "import sys; print(*sys.version_info[:2])"], { encoding: "utf8" }).split(" ");
  assert.equal(python?.implementation, "cpython");
  assert.deepEqual(python.version.slice(0, 2), [Number(major), Number(minor)]);
  assert.match(python.executable, /^\/.*python/);
});

for (const printed of ["", "3.12", "null", "{}", "[]", '["", [3, 12, 1], "cpython", false]', '["/p", [3, 12], "cpython", false]', '["/p", [3, 12, "b"], "cpython"]']) {
  test(`no answer: ${JSON.stringify(printed)}`, () => assert.equal(readProbe(printed), undefined));
}

const FIT: readonly [Partial<Python>, string][] = [
  [{}, ""],
  [{ version: [3, 11, 0] }, ""],
  [{ version: [3, 14, 9] }, ""],
  [{ version: [3, 10, 13] }, "is 3.10.13"],
  [{ version: [2, 7, 18] }, "is 2.7.18"],
  [{ version: [3, 15, 0] }, "is 3.15.0"],
  [{ version: [4, 11, 0] }, "is 4.11.0"],
  [{ implementation: "pypy" }, "is pypy 3.12.1, not CPython"],
  [{ freeThreaded: true }, "is the free-threaded build of 3.12.1"],
];
for (const [difference, expected] of FIT) {
  test(`${JSON.stringify(difference)}: ${expected || "fit"}`, () =>
    assert.equal(unfitness({ ...PYTHON, ...difference }, VERSIONS), expected));
}

test("what is told names the versions, what was tried, and the next step", () => {
  const refused = [{ command: "/usr/bin/python3", why: "is 3.9.2" }, { command: "/opt/python", why: "cannot be run" }];
  assert.deepEqual(noPython(refused, VERSIONS, ""), {
    kind: "problem",
    message: "gateline needs Python 3.11 to 3.14, and found none on PATH (/usr/bin/python3 is 3.9.2; /opt/python cannot be run).",
    next: "install python",
  });
  assert.equal(noPython([], VERSIONS, "").message, "gateline needs Python 3.11 to 3.14, and found none on PATH.");
});

test("a setting that will not do is named, and fixed in the settings", () => {
  assert.deepEqual(noPython([{ command: "/old", why: "is 3.9.2" }], ["3.11"], "/old"), {
    kind: "problem",
    message: "gateline needs Python 3.11, and the setting gateline.serverInterpreter names /old, which is 3.9.2.",
    next: "settings",
  });
});

test("the versions in words", () => {
  assert.equal(range(VERSIONS), "Python 3.11 to 3.14");
  assert.equal(range(["3.12"]), "Python 3.12");
});

test("the plain name goes first, then the newest", () => {
  assert.deepEqual(commandNames(["3.11", "3.12"]), ["python3", "python3.12", "python3.11", "python"]);
});
