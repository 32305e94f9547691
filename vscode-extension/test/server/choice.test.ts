import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseServer, type Choice, type Surroundings, type Wishes } from "../../src/server/choice";

const THERE = ["/opt/gateline", "/p/.venv/bin/gateline", "/home/me/gateline"];
const AROUND: Surroundings = {
  isExecutable: (program) => THERE.includes(program),
  beside: (interpreter) => interpreter.replace(/[^/]+$/, "gateline"),
};
const WISHES: Wishes = { trusted: true, path: [], importStrategy: "useBundled", interpreter: undefined };

const program = (name: string, origin: string): Choice => ({ kind: "program", program: name, origin });
const bundled = (origin: string): Choice => ({ kind: "bundled", origin });

const CASES: readonly [name: string, wishes: Partial<Wishes>, expected: Choice][] = [
  ["nothing is said", {}, bundled("gateline.importStrategy")],
  [
    "an untrusted workspace overrules everything",
    { trusted: false, path: ["/opt/gateline"], importStrategy: "fromEnvironment", interpreter: "/p/.venv/bin/python" },
    bundled("the workspace is not trusted"),
  ],
  ["a path", { path: ["/opt/gateline"] }, program("/opt/gateline", "gateline.path")],
  ["the first path that exists", { path: ["/none", "/home/me/gateline", "/opt/gateline"] }, program("/home/me/gateline", "gateline.path")],
  [
    "a path goes before the environment",
    { path: ["/opt/gateline"], importStrategy: "fromEnvironment", interpreter: "/p/.venv/bin/python" },
    program("/opt/gateline", "gateline.path"),
  ],
  [
    "no path exists: another server would be a surprise",
    { path: ["/none", "/nor/this"] },
    { kind: "problem", message: "The setting gateline.path names no program that can be run: /none, /nor/this.", next: "settings" },
  ],
  [
    "the environment's own",
    { importStrategy: "fromEnvironment", interpreter: "/p/.venv/bin/python" },
    program("/p/.venv/bin/gateline", "the project's environment"),
  ],
  [
    "an environment without gateline",
    { importStrategy: "fromEnvironment", interpreter: "/usr/bin/python3" },
    bundled("the project's environment has no gateline"),
  ],
  ["no environment is known", { importStrategy: "fromEnvironment" }, bundled("the project's environment has no gateline")],
  ["the environment is not asked unless wished", { interpreter: "/p/.venv/bin/python" }, bundled("gateline.importStrategy")],
];

for (const [name, wishes, expected] of CASES) {
  test(name, () => assert.deepEqual(chooseServer({ ...WISHES, ...wishes }, AROUND), expected));
}
