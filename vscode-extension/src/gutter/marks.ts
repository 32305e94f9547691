/** What the gutter shows beside each changed line: pure. */

import type { CoverageResult } from "../protocol";

export const KINDS = ["covered", "partial", "uncovered", "stale"] as const;
export type Kind = (typeof KINDS)[number];

export interface Mark {
  /** Zero-based. */
  readonly line: number;
  /** What a person reads when pointing at it. */
  readonly message: string;
}

export type Marks = Readonly<Record<Kind, readonly Mark[]>>;

export const NONE: Marks = { covered: [], partial: [], uncovered: [], stale: [] };

const SAID: Readonly<Record<Exclude<Kind, "partial">, string>> = {
  covered: "Tests execute this line.",
  uncovered: "No test executes this line.",
  stale: "The tests that may execute this line have not run since something changed.",
};

/** The marks of a document; none when the answer speaks of another text than that of this version. */
export function marks(result: CoverageResult, version: number): Marks {
  if (result.version !== version) return NONE;
  const missing = new Map<number, string[]>();
  for (const { line, message } of result.branches) missing.set(line, [...(missing.get(line) ?? []), message]);
  const whole = result.covered.filter((line) => !missing.has(line));
  return {
    covered: whole.map((line) => ({ line, message: SAID.covered })),
    partial: [...missing].map(([line, messages]) => ({ line, message: `Tests miss a branch: ${messages.join("; ")}.` })),
    uncovered: result.uncovered.map((line) => ({ line, message: SAID.uncovered })),
    stale: result.stale.map((line) => ({ line, message: SAID.stale })),
  };
}
