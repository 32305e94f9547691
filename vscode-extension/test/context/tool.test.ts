import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const PACKAGE = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
  contributes: { commands: { command: string }[]; languageModelTools: { name: string; inputSchema: { required: string[] } }[] };
};

test("the tool is declared as it is registered", () => {
  const source = readFileSync(new URL("../../../src/context/tool.ts", import.meta.url), "utf8");
  const [tool] = PACKAGE.contributes.languageModelTools;
  assert.ok(source.includes(`TOOL = "${tool?.name}"`));
  assert.deepEqual(tool?.inputSchema.required, ["query"]);
});

test("every context command is declared", () => {
  const declared = new Set(PACKAGE.contributes.commands.map(({ command }) => command));
  for (const name of ["searchContext", "copyContextForSymbol", "copyContextForProblem", "copyContextForChange"]) {
    assert.ok(declared.has(`gateline.${name}`), name);
  }
});
