/** The words and numbers in which a verdict is told: in the status bar, its tooltip, and the panel. */

import type { PartResult, TrajectoryResult } from "../protocol";

/** How good or bad news looks. Red is for a failed final gate alone. */
export type Tone = "pass" | "warn" | "fail" | "unknown";

export function toneOf(decision: string | null, status: string | null, level: string | null): Tone {
  if (decision === null || decision === "undecided") return "unknown";
  if (status === "FAIL") return level === "final" ? "fail" : "warn";
  return status === "PASS" ? "pass" : "warn";
}

interface Said {
  readonly title: string;
  readonly meaning: string;
}

const DECISIONS: Readonly<Record<string, Said>> = {
  continue: { title: "Continue", meaning: "Nothing stands in the way at this checkpoint." },
  "fast-fail": { title: "Fast fail", meaning: "The code does not parse." },
  "warn-quality-trend": { title: "Quality trend", meaning: "Type errors are adding up." },
  "adjust-strategy": { title: "Adjust strategy", meaning: "Too many tests fail; another way may be shorter." },
  "warn-below-target": { title: "Below target", meaning: "The score is below the target of this checkpoint." },
  accept: { title: "Accepted", meaning: "The change passes the final gate." },
  "conditional-accept": { title: "Accepted on conditions", meaning: "The change passes once the steps below are done." },
  "require-iteration": { title: "Needs another iteration", meaning: "The change does not pass the final gate yet." },
  undecided: { title: "Undecided", meaning: "Too little could be measured to decide." },
};

/** A decision in words; one that a newer server knows is told by its name. */
export function decisionIn(decision: string): Said {
  return DECISIONS[decision] ?? { title: decision, meaning: "" };
}

const PROGRESS: Readonly<Record<string, string>> = {
  said: "asked for",
  counted: "counted",
  inferred: "inferred",
};

/** `Middle checkpoint, inferred`. */
export function checkpointIn(level: string, progress: string | null): string {
  const how = progress === null ? "" : `, ${PROGRESS[progress] ?? progress}`;
  return `${capital(level)} checkpoint${how}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** At most one decimal, and none that is zero: `86`, `86.5`. */
export function number(value: number): string {
  return value.toFixed(1).replace(/\.0$/, "");
}

/** `▲3`, `▼2.5`, or nothing. */
export function step(delta: number | null): string {
  if (delta === null || number(Math.abs(delta)) === "0") return "";
  return `${delta > 0 ? "▲" : "▼"}${number(Math.abs(delta))}`;
}

/** The same for who listens: `up 3`. */
export function spokenStep(delta: number | null): string {
  if (step(delta) === "" || delta === null) return "";
  return `${delta > 0 ? "up" : "down"} ${number(Math.abs(delta))}`;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

const WAYS: Readonly<Record<string, string>> = {
  "negative trajectory": "Negative trajectory",
  "slight degradation": "Slight degradation",
  "excellent progress": "Excellent progress",
};

/** How the score moved since early, and what that advises: nothing where it went as most changes do. */
export function trajectoryIn(moved: TrajectoryResult | null): string {
  const way = moved === null ? undefined : WAYS[moved.name];
  if (moved === null || way === undefined) return "";
  const points = `${number(Math.abs(moved.delta))} points ${moved.delta < 0 ? "lost" : "gained"} from early to middle`;
  return [`${way}: ${points}`, next(moved)].filter(Boolean).join("; ");
}

function next({ advice, delta, focus }: TrajectoryResult): string {
  if (advice.length === 0) return "";
  if (focus !== null) return `focus on the weakest dimension, ${focus} (${advice.join(", ")})`;
  return `${delta < 0 ? "roll back to the last good savepoint" : "continue at a faster pace"} (${advice.join(", ")})`;
}

/** A dimension that should have a number and has none. */
export function isUnknown(state: string): boolean {
  return state === "no data" || state === "stale" || state === "failed";
}

/** In the server's words: `coverage: no data (not yet measured)`. */
export function stated(part: PartResult): string {
  return `${part.dimension}: ${part.state}${part.reason === "" ? "" : ` (${part.reason})`}`;
}
