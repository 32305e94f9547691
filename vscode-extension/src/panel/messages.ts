/** What the page may ask of the extension. It is checked like anything else that comes from outside. */

export interface Place {
  readonly path: string;
  readonly finding: string;
  /** Zero-based; columns in code points. */
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

export type Message =
  | { readonly kind: "ready" }
  | { readonly kind: "command"; readonly command: Command }
  | { readonly kind: "open"; readonly place: Place }
  | { readonly kind: "choose"; readonly folder: string }
  | { readonly kind: "savepoint"; readonly action: Action; readonly id: string };

const ACTIONS = ["compare", "restore"] as const;
export type Action = (typeof ACTIONS)[number];

const COMMANDS = ["gateline.runFinalCheck", "gateline.restartServer", "gateline.showLog", "gateline.showSettings"] as const;
export type Command = (typeof COMMANDS)[number];

/** The message, or undefined when it is none. */
export function messageOf(given: unknown): Message | undefined {
  const { kind, command, place, folder, action, id } = recordOf(given);
  if (kind === "ready") return { kind };
  if (kind === "command") {
    const known = COMMANDS.find((name) => name === command);
    return known && { kind, command: known };
  }
  if (kind === "choose") return typeof folder === "string" ? { kind, folder } : undefined;
  if (kind === "savepoint") {
    const known = ACTIONS.find((name) => name === action);
    return known && typeof id === "string" && id !== "" ? { kind, action: known, id } : undefined;
  }
  const found = kind === "open" ? placeOf(place) : undefined;
  return found && { kind: "open", place: found };
}

function placeOf(given: unknown): Place | undefined {
  const { path, finding, start, end } = recordOf(given);
  const [from, to] = [positionOf(start), positionOf(end)];
  if (typeof path !== "string" || path === "" || typeof finding !== "string" || !from || !to) return undefined;
  return { path, finding, start: from, end: to };
}

function positionOf(given: unknown): Place["start"] | undefined {
  const { line, column } = recordOf(given);
  return isCount(line) && isCount(column) ? { line, column } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
