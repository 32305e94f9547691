import assert from "node:assert/strict";
import { test } from "node:test";
import { plot } from "../../src/panel/plot";
import { grouped, timeline } from "../../src/panel/timeline";
import type { HistoryEntry } from "../../src/protocol";
import { entry, FAILED, VIEW } from "./example";

const THRESHOLDS = { accept: 85, conditional: 70, evidence: 0.6, floorCap: 59, integrityCap: 84, trajectoryDrop: 10, trajectoryRise: 30 };
const at = (minute: number, over: Partial<HistoryEntry> = {}) =>
  entry({ timestamp: new Date(Date.UTC(2026, 0, 1, 9, minute)).toISOString(), score: 90, ...over });

const numbers = (text: string) => [...text.matchAll(/ (?:x|y|cx|cy|x1|x2|y1|y2|width)="([-\d.]+)"/g)].map(([, value]) => Number(value));

test("everything lies within the plot, whatever is drawn", () => {
  for (const width of [0, 240, 1000]) {
    for (const length of [1, 2, 3, 200]) {
      const history = Array.from({ length }, (_, step) => at(step, { score: (step * 37) % 101 }));
      const text = plot(history, THRESHOLDS, { ...VIEW, width }).text;
      const right = Math.max(width, 200);
      assert.ok(numbers(text).every((value) => value >= 0 && value <= right), `${length} entries on ${width} pixels`);
      for (const [, left, wide] of text.matchAll(/class="target"[^>]* x="([\d.]+)" y="0" width="([\d.]+)"/g)) {
        assert.ok(Number(left) + Number(wide) <= right + 0.1);
      }
    }
  }
});

test("a score that could not be measured is a gap, not a zero", () => {
  const history = [at(0), at(1), at(2, { score: null }), at(3), at(4)];
  assert.equal(plot(history, null, VIEW).text.match(/<polyline/g)?.length, 2);
});

test("higher scores stand higher", () => {
  const history = [at(0, { score: 40 }), at(1, { score: 95 })];
  const [low = 0, high = 0] = [...plot(history, null, VIEW).text.matchAll(/cy="([\d.]+)"/g)].map(([, y]) => Number(y));
  assert.ok(high < low);
});

test("checkpoints differ by shape, and the final gate's lines are drawn", () => {
  const history = [at(0, { level: "early" }), at(1, { level: "middle" }), at(2, { level: "final", decision: "accept", status: "PASS" })];
  const text = plot(history, THRESHOLDS, VIEW).text;
  assert.match(text, /<circle class="mark early/);
  assert.match(text, /<circle class="mark middle/);
  assert.match(text, /<polygon class="mark final pass"/);
  assert.equal(text.match(/class="limit"/g)?.length, 2);
});

test("nothing is red before the final gate", () => {
  const failed = { decision: "fast-fail", status: "FAIL" };
  assert.ok(!plot([at(0, { ...failed, level: "early" })], null, VIEW).text.includes(" fail"));
  assert.ok(plot([at(0, { ...failed, level: "final" })], null, VIEW).text.includes(" fail"));
});

test("the plot can be heard", () => {
  const history = [at(0, { score: 80 }), at(1, { score: null }), at(2, { score: 59.5 })];
  assert.match(plot(history, null, VIEW).text, /aria-label="The score over 3 evaluations: from 80 to 59\.5, between 59\.5 and 80\."/);
  assert.match(plot([at(0, { score: null })], null, VIEW).text, /aria-label="No evaluation has a score yet\."/);
});

test("what was inferred and says the same again is one moment", () => {
  const inferred = (minute: number, level: string) => at(minute, { level, decision: "continue", progress: "inferred" });
  const history = [inferred(0, "early"), inferred(1, "early"), inferred(2, "middle"), at(3, { level: "final", progress: "said" }), at(4, { level: "final", progress: "said" })];
  assert.deepEqual(grouped(history).map((group) => group.length), [2, 1, 1, 1]);
});

test("the time line is newest first, with what moved; older moments are folded up", () => {
  const text = timeline(FAILED.history, VIEW)?.text ?? "";
  const levels = [...text.matchAll(/<strong>(Early|Middle|Final)<\/strong>/g)].map(([, level]) => level);
  assert.deepEqual(levels, ["Final", "Middle", "Early", "Middle", "Early", "Middle", "Early", "Early"]);
  assert.ok(text.includes("2 broken floors") && text.includes("errors −10"));
  assert.match(text, /Earlier <span class="count">2</);
});

test("a moment of several evaluations shows how far they went together", () => {
  const steps = [at(0, { score: 80, delta: -10 }), at(1, { score: 85, delta: 5 }), at(2, { score: 93, delta: 8 })].map((each) => ({ ...each, progress: "inferred" }));
  const text = timeline(steps, VIEW)?.text ?? "";
  assert.match(text, /<strong>93<\/strong> <span class="delta up">▲3<\/span>/);
  assert.ok(text.includes("3 evaluations"));
});

const saved = (minute: number, label: string, uncovered: readonly { path: string; reason: string }[] = []) => {
  const timestamp = at(minute, {}).timestamp;
  return { id: `s${minute}`, timestamp, label, uncovered: [...uncovered] };
};

test("savepoints stand among the checkpoints, with what can be done with them", () => {
  const history = [at(1, { level: "early" }), at(5, { level: "final", progress: "said" })];
  const savepoints = [saved(6, "final: accept"), saved(2, "early: continue", [{ path: "data.bin", reason: "large" }])];
  const text = timeline(history, VIEW, { scores: [], savepoints })?.text ?? "";
  assert.deepEqual([...text.matchAll(/<strong>(Early|Final)<\/strong>|data-key="savepoint-(s\d)"/g)].map(([, level, id]) => level ?? id), ["s6", "Final", "s2", "Early"]);
  assert.match(text, /data-savepoint="s6" data-action="restore"[^>]*>Restore…</);
  assert.match(text, /data-savepoint="s6" data-action="compare"[^>]*>Compare</);
  assert.ok(text.includes("early: continue, without 1 file"));
});

test("scores of other days come below those of the session, which are not shown twice", () => {
  const history = [at(5, { level: "final", progress: "said" })];
  const score = (minute: number) => ({
    timestamp: at(minute, {}).timestamp, task: "t", branch: "b", level: "early", progress: "inferred", decision: "continue", score: 77, evidence: 1, parts: {},
  });
  const text = timeline(history, VIEW, { scores: [score(1), score(5)], savepoints: [] })?.text ?? "";
  assert.deepEqual([...text.matchAll(/<strong>(Early|Final)<\/strong>/g)].map(([, level]) => level), ["Final", "Early"]);
  assert.ok(text.includes("<strong>77</strong>"));
});

test("what is remembered is shown before the first evaluation of a session", () => {
  assert.equal(timeline([], VIEW), null);
  assert.ok(timeline([], VIEW, { scores: [], savepoints: [saved(1, "by hand")] })?.text.includes("by hand"));
});
