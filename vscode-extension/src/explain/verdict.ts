/** A verdict in one line. */

import type { EvaluationResult } from "../protocol";
import { decisionIn, number } from "../status/words";

/** `gateline: Accepted · 90 of 100. score 90 reaches 85`. */
export function verdictLine({ decision, score }: EvaluationResult): string {
  const value = score.value === null ? "no score" : `${number(score.value)} of 100`;
  const why = decision.reasons.length === 0 ? "" : `: ${decision.reasons.join("; ")}`;
  return `gateline: ${decisionIn(decision.outcome).title}, ${value}${why}`;
}
