/** Lessons as rows of a tree: what was learned, what it is about, and whether that is still there. */

import type { LessonResult } from "../protocol";

export interface Row {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  /** Lines of plain text. */
  readonly tooltip: readonly string[];
}

const LONGEST = 120;

export function lessonRow(lesson: LessonResult): Row {
  const place = placeOf(lesson);
  const used = lesson.uses > 0 ? `used ${lesson.uses}×, helped ${lesson.helped}×` : "";
  const gone = lesson.stale === "" ? "" : `stale: ${lesson.stale}`;
  const first = lesson.text.split("\n", 1)[0] ?? "";
  const facts = [place, lesson.tags.join(", "), `${lesson.source}, version ${lesson.version}`, used, lesson.why.join(", "), gone];
  return {
    label: first.length > LONGEST ? `${first.slice(0, LONGEST)}…` : first,
    description: [place, gone, lesson.why.join(", ")].filter(Boolean).join(" · "),
    icon: gone === "" ? (lesson.tags.includes("regression") ? "warning" : "lightbulb") : "circle-slash",
    tooltip: [lesson.text, ...facts.filter(Boolean)],
  };
}

/** Where it stands: `cart.py:total GTL301`; empty where it is about nothing in particular. */
export function placeOf({ anchor }: LessonResult): string {
  return [[anchor.file, anchor.symbol].filter(Boolean).join(":"), anchor.rule].filter(Boolean).join(" ");
}

/** What became of a note, in one sentence. */
export function stored(outcome: "noop" | "update" | "create", superseded: string): string {
  if (outcome === "noop") return "This is already known.";
  return outcome === "create" ? "Remembered." : `Remembered as a new version; before: ${superseded}`;
}

/** What stands above the rows: how many are shown, and why not all. */
export function heading(query: string, count: number): string {
  if (query === "") return count === 0 ? "Nothing has been remembered yet." : "";
  return `${count === 0 ? "No lesson answers" : `${count} for`} “${query}”`;
}
