/** The checkpoints of the task on a time line, newest first, and what moved at each. */

import type { HistoryEntry } from "../protocol";
import { capital, counted, decisionIn, number, step, toneOf } from "../status/words";
import { html, type Html } from "./html";
import { folded, section } from "./section";
import type { View } from "./state";

const SHOWN = 6;
/** Rows at most, with those that are folded up. */
const MOST = 60;

/** Evaluations in a row that say the same at the same checkpoint: one entry of the time line. */
export type Group = readonly [HistoryEntry, ...HistoryEntry[]];

/** Oldest first, as they come. What was asked for stands alone. */
export function grouped(history: readonly HistoryEntry[]): Group[] {
  const groups: [HistoryEntry, ...HistoryEntry[]][] = [];
  for (const entry of history) {
    const last = groups.at(-1);
    if (last !== undefined && isSame(last[0], entry)) last.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

function isSame(a: HistoryEntry, b: HistoryEntry): boolean {
  const inferred = a.progress === "inferred" && b.progress === "inferred";
  return inferred && a.level === b.level && a.decision === b.decision;
}

export function timeline(history: readonly HistoryEntry[], view: View): Html | null {
  if (history.length === 0) return null;
  const rows = grouped(history).reverse().map((group) => row(group, view));
  const list = (shown: readonly Html[]) => html`<ol class="moments">${shown}</ol>`;
  const earlier = rows.slice(SHOWN, MOST);
  return section(
    "timeline",
    "Checkpoints",
    html`${list(rows.slice(0, SHOWN))}${folded("earlier", "Earlier", earlier.length, list(earlier))}`,
  );
}

function row(group: Group, view: View): Html {
  const last = group.at(-1) ?? group[0];
  const chosen = group.some((entry) => entry.timestamp === view.chosen);
  return html`<li class="${last.level} ${toneOf(last.decision, last.status, last.level)}${chosen ? " chosen" : ""}" data-entry="${last.timestamp}" data-key="moment-${group[0].timestamp}">
    <time datetime="${last.timestamp}">${view.time(last.timestamp)}</time>
    <span class="what"><strong>${capital(last.level)}</strong> ${decisionIn(last.decision).title}${
      group.length > 1 && html` <span class="muted">${counted(group.length, "evaluation")}</span>`
    }</span>
    <span class="moved">${score(group, last)}</span>
    ${details(last)}
  </li>`;
}

function score(group: Group, last: HistoryEntry): Html {
  if (last.score === null) return html`<span class="muted">no score</span>`;
  const delta = group.reduce((sum, entry) => sum + (entry.delta ?? 0), 0);
  const moved = step(delta);
  return html`<strong>${number(last.score)}</strong>${moved !== "" && html` <span class="delta ${delta > 0 ? "up" : "down"}">${moved}</span>`}`;
}

function details(entry: HistoryEntry): Html | null {
  const moves = entry.moved.map(({ dimension, by }) => `${dimension} ${by > 0 ? "+" : "−"}${number(Math.abs(by))}`);
  const facts = [entry.reason, ...moves].filter(Boolean);
  return facts.length === 0 ? null : html`<span class="detail">${facts.join(" · ")}</span>`;
}
