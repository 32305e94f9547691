import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { definitions } from "../../src/agents/definitions";
import { verdict } from "../../src/agents/verdict";
import type { EvaluationResult } from "../../src/protocol";

const PACKAGE = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
  contributes: { languageModelTools: { name: string }[]; mcpServerDefinitionProviders: { id: string }[] };
};
const source = (name: string): string => readFileSync(new URL(`../../../src/agents/${name}.ts`, import.meta.url), "utf8");
const SHOP = { name: "shop", path: "/shop" };
const CART = { name: "cart", path: "/cart" };

test("the server that agents start is the gateline that runs", () => {
  const started = { command: "python", args: ["-I", "-m", "gateline", "server"], env: { PATH: "/bin" } };
  assert.deepEqual(definitions(started, [SHOP]), [
    { label: "gateline", command: "python", args: ["-I", "-m", "gateline", "mcp", "--workspace", "/shop"], env: { PATH: "/bin" } },
  ]);
  assert.deepEqual(
    definitions({ ...started, command: "gateline", args: ["server"] }, [SHOP, CART]).map(({ label, args }) => [label, args[2]]),
    [
      ["gateline (shop)", "/shop"],
      ["gateline (cart)", "/cart"],
    ],
  );
  assert.deepEqual(definitions(undefined, [SHOP]), []);
});

test("what is registered is declared", () => {
  const [provider] = PACKAGE.contributes.mcpServerDefinitionProviders;
  assert.ok(source("provider").includes(`PROVIDER = "${provider?.id}"`));
  assert.ok(PACKAGE.contributes.languageModelTools.some(({ name }) => source("checkTool").includes(`TOOL = "${name}"`)));
});

const FOUND = { code: "GTL301", path: "shop.py", novelty: "new", message: "eval\nof input", span: { start: { line: 4 } } };
const EVALUATION = {
  level: "early",
  score: { value: 90 },
  decision: { outcome: "continue", status: "PASS", requiredActions: [{ text: "fix GTL301" }] },
  findings: [FOUND, { ...FOUND, novelty: "old" }],
} as unknown as EvaluationResult;

test("a verdict is short, and says of which content", () => {
  const told = verdict({ evaluation: EVALUATION, fresh: false, running: [], contentHash: "5c1d" });
  assert.equal(
    told,
    "PASS: continue (early, score 90), content 5c1d. Something was written meanwhile: ask again.\n\n" +
      "To do:\n- fix GTL301\n\nNew findings:\n- GTL301 shop.py:5 eval of input\n",
  );
  assert.match(verdict({ evaluation: null, fresh: false, running: ["types"], contentHash: "" }), /Not judged yet: types/);
});
