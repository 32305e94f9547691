/** What the rows of findings and of steps have in common: points to win, and a button that jumps to code. */

import type { SpanResult } from "../protocol";
import { number } from "../status/words";
import { html, type Content, type Html } from "./html";

export interface Target {
  readonly path: string;
  readonly span: SpanResult;
  /** The identity of the finding there: it is found again when the code has moved. */
  readonly finding: string;
}

/** One of a list is in the tab order; arrows go to the others. */
export function opening({ path, span: { start, end }, finding }: Target, first: boolean, content: Content): Html {
  const place = [start.line, start.column, end.line, end.column].join(" ");
  return html`<button type="button" class="head" tabindex="${first ? 0 : -1}" data-path="${path}" data-finding="${finding}" data-span="${place}">${content}</button>`;
}

export function wins(points: number): Html | null {
  if (points === 0) return null;
  return html`<span class="wins" title="What the score would win">+${number(points)}<span class="unseen"> points to win</span></span>`;
}
