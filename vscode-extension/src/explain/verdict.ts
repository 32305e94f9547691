/** A verdict in one line. */

import type { EvaluationResult } from "../protocol";
import { decisionIn, number } from "../status/words";

/** Reasons in a line; the panel has them all. */
const MOST = 2;

/** `gateline: Accepted, 90 of 100: score 90 reaches 85`. */
export function verdictLine({ decision, score }: EvaluationResult): string {
  const value = score.value === null ? "no score" : `${number(score.value)} of 100`;
  const told = decision.reasons.slice(0, MOST);
  const why = told.length === 0 ? "" : `: ${told.join("; ")}`;
  return `gateline: ${decisionIn(decision.outcome).title}, ${value}${why}`;
}
