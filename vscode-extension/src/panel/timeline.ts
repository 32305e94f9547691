/** The task on a time line, newest first: its checkpoints with what moved at each, and its savepoints. */

import type { HistoryEntry, SavepointResult, ScoreEntry } from "../protocol";
import { capital, counted, decisionIn, number, step, toneOf, trajectoryIn } from "../status/words";
import { html, type Html } from "./html";
import { folded, section } from "./section";
import type { View } from "./state";

const SHOWN = 6;
/** Rows at most, with those that are folded up. */
const MOST = 60;
/** Milliseconds by which the clocks of a session and its store may differ. */
const SAME = 1000;

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

/** What stands on the time line besides the evaluations of the session. */
export interface Remembered {
  readonly scores: readonly ScoreEntry[];
  readonly savepoints: readonly SavepointResult[];
}

interface Moment {
  readonly at: number;
  readonly shown: Html;
}

export function timeline(history: readonly HistoryEntry[], view: View, more: Remembered = { scores: [], savepoints: [] }): Html | null {
  const began = history[0] === undefined ? Number.POSITIVE_INFINITY : Date.parse(history[0].timestamp);
  const moments: Moment[] = [
    ...grouped(history).map((group) => ({ at: Date.parse((group.at(-1) ?? group[0]).timestamp), shown: row(group, view) })),
    ...more.scores.filter(({ timestamp }) => Date.parse(timestamp) < began - SAME).map((score) => ({ at: Date.parse(score.timestamp), shown: earlier(score, view) })),
    ...more.savepoints.map((savepoint) => ({ at: Date.parse(savepoint.timestamp), shown: saved(savepoint, view) })),
  ];
  if (moments.length === 0) return null;
  const rows = moments.sort((a, b) => b.at - a.at).map(({ shown }) => shown);
  const list = (shown: readonly Html[]) => html`<ol class="moments">${shown}</ol>`;
  const older = rows.slice(SHOWN, MOST);
  return section(
    "timeline",
    "Checkpoints",
    html`${list(rows.slice(0, SHOWN))}${folded("earlier", "Earlier", older.length, list(older))}`,
  );
}

/** A score of another session. */
function earlier(score: ScoreEntry, view: View): Html {
  const value = score.score === null ? html`<span class="muted">no score</span>` : html`<strong>${number(score.score)}</strong>`;
  return html`<li class="${score.level} earlier" data-key="score-${score.timestamp}">
    <time datetime="${score.timestamp}">${view.time(score.timestamp)}</time>
    <span class="what"><strong>${capital(score.level)}</strong> ${decisionIn(score.decision).title}</span>
    <span class="moved">${value}</span>
  </li>`;
}

function saved(savepoint: SavepointResult, view: View): Html {
  const without = savepoint.uncovered.length;
  return html`<li class="savepoint" data-key="savepoint-${savepoint.id}">
    <time datetime="${savepoint.timestamp}">${view.time(savepoint.timestamp)}</time>
    <span class="what">Savepoint <span class="muted">${savepoint.label}${without > 0 && `, without ${counted(without, "file")}`}</span></span>
    <span class="moved">${act(savepoint, "compare", "Compare")} ${act(savepoint, "restore", "Restore…")}</span>
  </li>`;
}

function act({ id, label }: SavepointResult, action: string, title: string): Html {
  return html`<button type="button" class="link" data-savepoint="${id}" data-action="${action}" data-key="${action}-${id}" aria-label="${title} ${label}">${title}</button>`;
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
  const facts = [entry.reason, trajectoryIn(entry.trajectory), ...moves].filter(Boolean);
  return facts.length === 0 ? null : html`<span class="detail">${facts.join(" · ")}</span>`;
}
