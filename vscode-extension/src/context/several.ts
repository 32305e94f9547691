/** One answer of several, and the places of a change. */

import type { ContextResult, EvaluationResult, PassageResult } from "../protocol";

export interface Spot {
  readonly path: string;
  readonly line: number;
}

/** More places are not asked about: each takes its share of the budget. */
const MOST = 12;

/** Where the functions are that a change touches; of a file without any its beginning. */
export function spots({ files, functions }: Pick<EvaluationResult, "files" | "functions">): Spot[] {
  const present = files.filter(({ status, skipped }) => status !== "deleted" && skipped === "");
  const inside = functions.map(({ path, line }) => ({ path, line }));
  const bare = present.filter(({ path }) => !inside.some((spot) => spot.path === path)).map(({ path }) => ({ path, line: 0 }));
  return [...inside.filter(({ path }) => present.some((file) => file.path === path)), ...bare].slice(0, MOST);
}

type Part = Pick<ContextResult, "passages" | "degraded">;

/** All passages, each once: the first of each answer before the second of any. */
export function merged(answers: readonly Part[]): Part {
  const passages = new Map<string, PassageResult>();
  const longest = Math.max(0, ...answers.map((answer) => answer.passages.length));
  for (let rank = 0; rank < longest; rank++) {
    for (const { passages: found } of answers) {
      const passage = found[rank];
      const key = passage && `${passage.path}:${passage.lines.first}`;
      if (passage !== undefined && key !== undefined && !passages.has(key)) passages.set(key, passage);
    }
  }
  return { passages: [...passages.values()], degraded: Object.assign({}, ...answers.map(({ degraded }) => degraded)) as Part["degraded"] };
}
