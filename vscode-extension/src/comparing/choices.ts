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
