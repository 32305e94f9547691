/** What a loop can be asked for: a goal, or a plan of the workspace with its agents by name. */

export interface Choice<File> {
  readonly label: string;
  readonly description: string;
  /** Undefined: a goal is asked for. */
  readonly plan: File | undefined;
}

/** As `gateline/refine/start` takes it. */
export interface Wanted {
  readonly goal: string;
  readonly plan?: string;
  readonly agents?: readonly string[];
}

/** As the server reads a step (`server/gateline/refinement/plan_steps.py`). */
const AGENT = /\bagent:\s*`?([A-Za-z][\w-]*)/gi;
/** The server takes no more agents. */
export const MOST_AGENTS = 8;

/** A goal first; then files that are called plans, then the others, each by its path. */
export function planChoices<File>(files: readonly { readonly path: string; readonly file: File }[]): Choice<File>[] {
  const isPlan = (path: string) => /plan/i.test(path.slice(path.lastIndexOf("/") + 1));
  const ordered = [...files].sort((one, other) => Number(isPlan(other.path)) - Number(isPlan(one.path)) || one.path.localeCompare(other.path));
  const plans = ordered.map(({ path, file }) => ({ label: `$(list-ordered) ${path}`, description: isPlan(path) ? "plan" : "", plan: file }));
  return [{ label: "$(rocket) A goal…", description: "gateline's repairs, round after round", plan: undefined }, ...plans];
}

/** The agents that a plan names, each once, in its order. */
export function agentNames(text: string): string[] {
  return [...new Set([...text.matchAll(AGENT)].map((found) => found[1] ?? ""))].slice(0, MOST_AGENTS);
}

/** What is asked for a plan: `path` is how a person knows it, `file` where it is. */
export function wantedOf(path: string, file: string, agents: readonly (readonly [string, string])[]): Wanted {
  const named = agents.map(([name, agent]) => `${name}=${agent}`);
  return { goal: `follow ${path}`, plan: file, ...(named.length > 0 && { agents: named }) };
}
