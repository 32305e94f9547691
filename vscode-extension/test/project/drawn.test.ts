import assert from "node:assert/strict";
import { test } from "node:test";
import { drawnElsewhere } from "../../src/project/drawn";

const PYLANCE = "ms-python.vscode-pylance";
const BASED = "detachhead.basedpyright";
const RUFF = "charliermarsh.ruff";

const CASES: readonly [name: string, installed: string[], settings: Record<string, unknown>, expected: string[]][] = [
  ["nothing is installed", [], { "python.analysis.typeCheckingMode": "strict" }, []],
  ["Pylance as it comes checks no types", [PYLANCE], {}, ["GTL101"]],
  ["Pylance that checks types", [PYLANCE], { "python.analysis.typeCheckingMode": "basic" }, ["GTL101", "GTL110"]],
  ["basedpyright checks types unless told otherwise", [BASED], {}, ["GTL101", "GTL110"]],
  ["basedpyright with types off", [BASED], { "basedpyright.analysis.typeCheckingMode": "off" }, ["GTL101"]],
  ["mypy", ["ms-python.mypy-type-checker"], {}, ["GTL110"]],
  ["ty", ["astral-sh.ty"], {}, ["GTL101", "GTL110"]],
  ["ty for navigation only", ["astral-sh.ty"], { "ty.diagnosticMode": "off" }, []],
  ["bandit", ["nwgh.bandit"], {}, ["bandit"]],
  ["Ruff as it comes", [RUFF], {}, ["GTL101"]],
  ["Ruff switched off", [RUFF], { "ruff.enable": false, "ruff.lint.select": ["ALL"] }, []],
  ["Ruff for formatting only", [RUFF], { "ruff.lint.enable": false }, []],
  ["Ruff without syntax errors", [RUFF], { "ruff.showSyntaxErrors": false }, []],
  ["Ruff with whole groups", [RUFF], { "ruff.lint.select": ["E", "S", "C9"], "ruff.lint.extendSelect": ["D"] }, ["GTL101", "GTL401", "GTL501", "bandit"]],
  ["Ruff with everything", [RUFF], { "ruff.lint.select": ["ALL"] }, ["GTL101", "GTL401", "GTL501", "bandit"]],
  ["a part of a group is not the group", [RUFF], { "ruff.lint.select": ["S1", "S608", "D103", "SIM"] }, ["GTL101"]],
  ["settings that make no sense", [RUFF], { "ruff.lint.select": "S", "ruff.lint.extendSelect": [7] }, ["GTL101"]],
  ["several, each once", [PYLANCE, RUFF, "matangover.mypy"], {}, ["GTL101", "GTL110"]],
];
for (const [name, installed, settings, expected] of CASES) {
  test(name, () => {
    const editor = { isInstalled: (id: string) => installed.includes(id), setting: (key: string) => settings[key] };
    assert.deepEqual(drawnElsewhere(editor), expected);
  });
}
