/** What restoring a savepoint would do, in words. */

export interface Step {
  readonly path: string;
  readonly action: string;
  /** Why the file is left alone; empty when it is restored. */
  readonly conflict: string;
}

/** The answer of the command `gateline.restore`. */
export interface Restored {
  readonly applied: boolean;
  readonly savepoint: string;
  readonly now: string;
  readonly steps: readonly Step[];
}

export interface Choice {
  readonly label: string;
  readonly description: string;
  readonly picked: boolean;
  readonly path: string;
}

/** The files that can be chosen; what is left alone is told apart. */
export function choices({ steps }: Restored): Choice[] {
  return steps.filter(({ conflict }) => conflict === "").map(({ path, action }) => ({ label: path, description: action, picked: true, path }));
}

/** What cannot be restored here, in a sentence; empty when everything can. */
export function leftAlone({ steps }: Restored): string {
  const left = steps.filter(({ conflict }) => conflict !== "");
  const [first] = left;
  if (first === undefined) return "";
  const others = left.length > 1 ? ` and ${left.length - 1} more` : "";
  return `Left alone: ${first.path} (${first.conflict})${others}`;
}

/** What is told afterwards. */
export function outcome(restored: Restored): string {
  const done = restored.steps.filter(({ conflict }) => conflict === "").length;
  if (!restored.applied) return "Nothing was restored.";
  return `${done} ${done === 1 ? "file is" : "files are"} as ${done === 1 ? "it was" : "they were"}; undo takes it back, and so does savepoint ${restored.now}.`;
}
