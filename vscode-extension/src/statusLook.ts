/** How a status looks in the status bar. */

import type { StatusParams } from "./protocol";

export interface Look {
  readonly text: string;
  /** Warning: a floor is broken. Error: the final gate failed, and nothing else. */
  readonly colour: "none" | "warning" | "error";
  /** For the tooltip, when there is no status to explain. */
  readonly detail: string;
  /** For screen readers. */
  readonly spoken: string;
}

const FAILED = new Set(["fast-fail", "require-iteration"]);

/** The look of a status, of a server that starts, or of one that cannot. */
export function look(status: StatusParams | undefined, failure: string | undefined): Look {
  if (failure !== undefined) {
    return { text: "GL ?", colour: "none", detail: failure, spoken: failure };
  }
  if (status === undefined) {
    return { text: "GL …", colour: "none", detail: "gateline is starting.", spoken: "starting" };
  }
  return { text: status.label, colour: colour(status), detail: "", spoken: spoken(status) };
}

function colour(status: StatusParams): Look["colour"] {
  if (status.checkpoint === "final" && FAILED.has(status.decision ?? "")) return "error";
  return (status.floors ?? []).length > 0 ? "warning" : "none";
}

function spoken(status: StatusParams): string {
  if (status.working) return "working";
  if (!status.changed) return "nothing changed";
  if (status.score === null || status.score === undefined) return "undecided";
  const decision = status.decision ? `, ${status.decision}` : "";
  return `score ${Math.round(status.score)} of 100${decision}`;
}
