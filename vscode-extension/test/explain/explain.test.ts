import assert from "node:assert/strict";
import { test } from "node:test";
import { explain } from "../../src/explain/document";
import { verdictLine } from "../../src/explain/verdict";
import type { EvaluationResult, PartResult } from "../../src/protocol";

const part = (given: Partial<PartResult> & Pick<PartResult, "dimension">): PartResult => ({
  state: "measured",
  reason: "",
  value: null,
  weight: 0,
  points: 0,
  before: null,
  detail: "",
  sources: [],
  ...given,
});

const EVALUATION: EvaluationResult = {
  version: 1,
  level: "final",
  progress: "said",
  base: "1f0c2a9be3d4f6a8b0c1d2e3f4a5b6c7d8e9f0a1",
  baseLabel: "merge-base with origin/main",
  score: {
    value: 59,
    raw: 86.25,
    evidence: 0.75,
    parts: [
      part({ dimension: "errors", value: 90, before: 100, weight: 0.6, points: 54, detail: "1 new finding" }),
      part({ dimension: "security", value: 80.625, weight: 0.4, points: 32.25 }),
      part({ dimension: "coverage", state: "no data", reason: "coverage.py left no data" }),
      part({ dimension: "documentation", state: "not due" }),
    ],
    floors: ["a secret in `cart.py`"],
    caps: [],
    credit: 0,
  },
  decision: {
    outcome: "require-iteration",
    status: "FAIL",
    reasons: ["1 broken floor"],
    requiredActions: [{ text: "fix GTL310 in cart.py:3", points: 27.25, must: true, finding: "0f1e2d3c4b5a", path: "cart.py", line: 2 }],
  },
  trajectory: null,
  findings: [],
  suppressed: [],
  suppressionsAdded: 0,
  fixed: [],
  files: [],
  functions: [],
  limits: ["coverage: no data (coverage.py left no data)", "a.py: too large"],
  thresholds: null,
  tests: { which: "affected", run: 2, total: 220, why: ["2 execute total in cart.py"], note: "", state: "measured", reason: "", nextStep: "", chosen: false, failing: 0, python: "", pythonWhy: "" },
  others: [],
  accepted: [],
  profile: "standard",
  regression: null,
  measures: [],
  timings: [],
};

test("a page says what the score is made of, what caps it, what is missing, and what to do", () => {
  assert.equal(
    explain(EVALUATION),
    `# Score 59: Needs another iteration

The change does not pass the final gate yet. Final checkpoint, asked for; measured against merge\\-base with origin\\/main (\`1f0c2a9be3\`); evidence 75%.

- 1 broken floor

## What it is made of

| dimension | before | now | weight | points |  |
|:--|--:|--:|--:|--:|:--|
| errors | 100 | 90 | 60\\% | 54\\.0 | 1 new finding |
| security |  | 80\\.6 | 40\\% | 32\\.3 |  |
| **sum** |  |  |  | **86.3** |  |

## Capped by 1 broken floor

- a secret in \\\`cart\\.py\\\`

## Tests

- 2 of 220 tests affected\\: 2 execute total in cart\\.py

## What could not be measured

- coverage\\: no data \\(coverage\\.py left no data\\)
- a\\.py\\: too large

## What to do next

1. fix GTL310 in cart\\.py\\:3 (wins 27.3)
`,
  );
});

test("without a score there is no sum", () => {
  const score = { ...EVALUATION.score, value: null, raw: null, parts: [], floors: [], caps: [] };
  const page = explain({ ...EVALUATION, score, tests: null, limits: [], decision: { ...EVALUATION.decision, requiredActions: [] } });
  assert.match(page, /^# No score: /);
  assert.doesNotMatch(page, /##/);
});

test("a verdict in one line", () => {
  assert.equal(verdictLine(EVALUATION), "gateline: Needs another iteration, 59 of 100: 1 broken floor");
  const reasons = ["1 broken floor", "a secret in cart.py", "coverage: no data"];
  assert.equal(
    verdictLine({ ...EVALUATION, decision: { ...EVALUATION.decision, reasons } }),
    "gateline: Needs another iteration, 59 of 100: 1 broken floor; a secret in cart.py",
  );
  const accepted = { ...EVALUATION.decision, outcome: "accept", reasons: [] };
  const nothing = { ...EVALUATION.score, value: null };
  assert.equal(verdictLine({ ...EVALUATION, decision: accepted, score: nothing }), "gateline: Accepted, no score");
});
