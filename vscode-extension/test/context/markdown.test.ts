import assert from "node:assert/strict";
import { test } from "node:test";
import { heading, markdown } from "../../src/context/markdown";
import { rows, title } from "../../src/context/rows";
import { merged, spots } from "../../src/context/several";
import type { EvaluationResult, PassageResult } from "../../src/protocol";

const PASSAGE: PassageResult = {
  path: "shop/prices.py",
  uri: "file:///shop/prices.py",
  kind: "function",
  name: "rounded",
  lines: { first: 3, last: 5 },
  text: "def rounded(price):\n    return price",
  score: 3,
  why: ["called here", "similar in meaning"],
  hash: "3f0b",
  tokens: 9,
  shortened: false,
};
const OTHER: PassageResult = { ...PASSAGE, path: "README.md", name: "Rounding", kind: "section", lines: { first: 0, last: 2 } };

test("a passage stands under its place, with its reasons and its language", () => {
  const text = markdown("Context of x", { passages: [PASSAGE], degraded: {} });
  assert.equal(
    text,
    "# Context of x\n\n## shop/prices.py:4-6 rounded\n\ncalled here, similar in meaning\n\n" +
      "```python\ndef rounded(price):\n    return price\n```\n",
  );
});

test("a text with fences is fenced in by more", () => {
  const text = markdown("x", { passages: [{ ...OTHER, text: "````\ncode\n````" }], degraded: {} });
  assert.ok(text.includes("`````markdown\n````\ncode\n````\n`````"));
});

test("what was missing is said at the end", () => {
  const text = markdown("x", { passages: [], degraded: { semantic: "no model" } });
  assert.equal(text, "# x\n\nWithout semantic: no model.\n");
});

test("a passage without a name is its place alone", () => assert.equal(heading({ ...PASSAGE, name: "" }), "shop/prices.py:4-6"));

test("rows keep the server's order, and are never filtered away", () => {
  const found = rows({ passages: [OTHER, PASSAGE] });
  assert.deepEqual(
    found.map(({ label, description, detail, alwaysShow }) => [label, description, detail, alwaysShow]),
    [
      ["$(book) Rounding", "README.md:1", "called here · similar in meaning", true],
      ["$(symbol-function) rounded", "shop/prices.py:4", "called here · similar in meaning", true],
    ],
  );
});

const TITLES: readonly [string, Parameters<typeof title>[0], string][] = [
  ["nothing", { passages: [], tiers: ["lexical"], degraded: {} }, "gateline · nothing found"],
  ["some", { passages: [PASSAGE], tiers: ["symbols", "lexical"], degraded: {} }, "gateline · 1 found by symbols, lexical"],
  ["without", { passages: [PASSAGE], tiers: ["lexical"], degraded: { semantic: "late" } }, "gateline · 1 found by lexical · semantic: late"],
];
for (const [name, answer, expected] of TITLES) test(`the title says ${name}`, () => assert.equal(title(answer), expected));

test("answers are merged rank by rank, each passage once", () => {
  const answers = [
    { passages: [PASSAGE, OTHER], degraded: { semantic: "late" } },
    { passages: [OTHER, PASSAGE], degraded: {} },
  ];
  assert.deepEqual(merged(answers), { passages: [PASSAGE, OTHER], degraded: { semantic: "late" } });
  assert.deepEqual(merged([]), { passages: [], degraded: {} });
});

test("the places of a change are its functions, and the beginnings of other files that are there", () => {
  const file = { skipped: "", linesBefore: 1, linesAfter: 1, maintainabilityBefore: null, maintainabilityAfter: null };
  const change = {
    files: [
      { ...file, path: "a.py", status: "modified" },
      { ...file, path: "b.py", status: "added" },
      { ...file, path: "gone.py", status: "deleted" },
    ],
    functions: [
      { path: "a.py", symbol: "f", line: 7, complexityBefore: 1, complexityAfter: 2 },
      { path: "gone.py", symbol: "g", line: 3, complexityBefore: 1, complexityAfter: null },
    ],
  } as Pick<EvaluationResult, "files" | "functions">;
  assert.deepEqual(spots(change), [
    { path: "a.py", line: 7 },
    { path: "b.py", line: 0 },
  ]);
});
