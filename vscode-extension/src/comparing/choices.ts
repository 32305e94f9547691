/** What a person can compare, as rows of a list. */

import type { CandidateResult } from "../protocol";

export interface Choice {
  readonly label: string;
  readonly description: string;
  readonly name: string;
}

const ICONS: Readonly<Record<CandidateResult["kind"], string>> = { branch: "git-branch", "stash entry": "archive", folder: "folder" };

export const FEWEST = 2;
export const MOST = 16;
/** Characters of a task, as the server takes it. */
const LONGEST = 4_000;

/** What a model is sent of so many candidates, for the person who is asked. */
export function sentOf(count: number): string {
  return `It gets the task that you wrote, the goal and items of the recorded task, the Python lines that ${count} candidates add, and which assessments failed here before.`;
}

/** Why a task cannot be sent; undefined where it can. */
export function taskProblem(task: string): string | undefined {
  if (task.trim() === "") return "A model has to know what was to be done.";
  return task.length > LONGEST ? `${task.length} characters: ${LONGEST} can be sent.` : undefined;
}

export function choices(candidates: readonly CandidateResult[]): Choice[] {
  return candidates.map(({ name, kind, detail, current }) => ({
    label: `$(${ICONS[kind]}) ${name}`,
    description: [current ? "checked out" : "", detail].filter(Boolean).join(" · "),
    name,
  }));
}

/** Why so many cannot be compared; undefined where they can. */
export function refusal(count: number): string | undefined {
  return count < FEWEST || count > MOST ? `${count} chosen: ${FEWEST} to ${MOST} candidates can be compared.` : undefined;
}
