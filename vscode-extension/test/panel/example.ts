/** What a real server said of a change with two broken floors; recorded, and typed by the compiler. */

import type { FindingResult, HistoryEntry } from "../../src/protocol";
import type { State, View } from "../../src/panel/state";
import recorded from "./failed.json";

export const FAILED = recorded as State;

export const VIEW: View = { width: 480, chosen: null, time: (timestamp) => timestamp.slice(11, 16) };

export function evaluationOf(state: State) {
  if (state.evaluation === null) throw new Error("the example has an evaluation");
  return state.evaluation;
}

export const EVALUATION = evaluationOf(FAILED);

export function finding(over: Partial<FindingResult>): FindingResult {
  const [first] = EVALUATION.findings;
  if (first === undefined) throw new Error("the example has findings");
  return { ...first, ...over };
}

export function withFindings(...findings: readonly FindingResult[]): State {
  return { ...FAILED, evaluation: { ...EVALUATION, findings: [...findings] } };
}

export function entry(over: Partial<HistoryEntry>): HistoryEntry {
  const [first] = FAILED.history;
  if (first === undefined) throw new Error("the example has a history");
  return { ...first, delta: null, moved: [], ...over };
}
