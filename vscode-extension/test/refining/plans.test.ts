import assert from "node:assert/strict";
import { test } from "node:test";
import { agentNames, MOST_AGENTS, planChoices, wantedOf } from "../../src/refining/plans";

test("a goal comes first, then plans, then other Markdown files", () => {
  const files = ["README.md", "docs/tax-Plan.md", "planning/notes.md", "PLAN.md"].map((path) => ({ path, file: `file:///${path}` }));
  assert.deepEqual(planChoices(files).map(({ label, plan }) => [label.split(" ").slice(1).join(" "), plan]), [
    ["A goal…", undefined],
    ["docs/tax-Plan.md", "file:///docs/tax-Plan.md"],
    ["PLAN.md", "file:///PLAN.md"],
    ["planning/notes.md", "file:///planning/notes.md"],
    ["README.md", "file:///README.md"],
  ]);
  assert.equal(planChoices([]).length, 1);
});

for (const [name, text, expected] of [
  ["each once, in their order", "1. Add it. agent: code\n2. Say so. Agent: `docs`\n3. Again, agent:code.", ["code", "docs"]],
  ["none", "1. Ask a reagent: no.\n2. The agent says so.", []],
  ["with a dash", "agent: my-agent_2", ["my-agent_2"]],
] as const) {
  test(`agents of a plan: ${name}`, () => {
    assert.deepEqual(agentNames(text), expected);
  });
}

test("no more agents are asked for than the server takes", () => {
  const text = Array.from({ length: 20 }, (_, number) => `agent: a${number}`).join("\n");
  assert.equal(agentNames(text).length, MOST_AGENTS);
});

test("a plan is asked for with its agents by name", () => {
  assert.deepEqual(wantedOf("plan.md", "/shop/plan.md", [["code", "my-agent --fast"], ["docs", "autodebug"]]), {
    goal: "follow plan.md", plan: "/shop/plan.md", agents: ["code=my-agent --fast", "docs=autodebug"],
  });
  assert.deepEqual(wantedOf("plan.md", "/shop/plan.md", []), { goal: "follow plan.md", plan: "/shop/plan.md" });
});
