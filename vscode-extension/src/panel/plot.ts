/** The score over the evaluations, as an SVG of the width that there is. */

import type { HistoryEntry, ThresholdsResult } from "../protocol";
import { number, step, toneOf } from "../status/words";
import { html, NOTHING, type Html } from "./html";
import type { View } from "./state";

const HEIGHT = 168;
const LEFT = 30;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 24;
/** Above this number only what was asked for, and the newest, has a mark of its own. */
const CROWDED = 60;

interface Point {
  readonly entry: HistoryEntry;
  readonly x: number;
  /** Null where nothing could be measured: the line has a gap there. */
  readonly y: number | null;
}

interface Frame {
  readonly width: number;
  /** The lowest score on the axis. */
  readonly low: number;
  /** CSS pixels between two evaluations. */
  readonly pace: number;
}

export function plot(history: readonly HistoryEntry[], thresholds: ThresholdsResult | null, view: View): Html {
  const frame = framed(history, Math.max(view.width, 200));
  const points = history.map((entry, at) => placed(entry, at, history.length, frame));
  return html`<svg class="plot" width="${frame.width}" height="${HEIGHT}" viewBox="0 0 ${frame.width} ${HEIGHT}" role="img"
    aria-label="${told(history)}">
    ${axis(frame)}${limits(thresholds, frame)}${area(points)}${line(points)}
    ${guide(points, view)}${points.map((point, at) => mark(point, at, points.length, view))}
    ${times(history, frame, view)}${points.map((point) => target(point, frame, view))}
  </svg>`;
}

function framed(history: readonly HistoryEntry[], width: number): Frame {
  const lowest = Math.min(60, ...history.map((entry) => entry.score ?? 100));
  const low = Math.max(0, Math.floor(lowest / 10) * 10 - 10);
  return { width, low, pace: (width - LEFT - RIGHT) / Math.max(history.length - 1, 1) };
}

function height(score: number, frame: Frame): number {
  return TOP + ((100 - score) / (100 - frame.low)) * (HEIGHT - TOP - BOTTOM);
}

function placed(entry: HistoryEntry, at: number, length: number, frame: Frame): Point {
  const x = length === 1 ? (LEFT + frame.width - RIGHT) / 2 : LEFT + at * frame.pace;
  return { entry, x, y: entry.score === null ? null : height(entry.score, frame) };
}

function axis(frame: Frame): Html[] {
  return [frame.low, 100].map((score) => {
    const y = round(height(score, frame));
    return html`<line class="axis" x1="${LEFT}" x2="${frame.width - RIGHT}" y1="${y}" y2="${y}"></line>
      <text class="tick" x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${score}</text>`;
  });
}

/** Where the final gate accepts. */
function limits(thresholds: ThresholdsResult | null, frame: Frame): Html[] {
  if (thresholds === null) return [];
  return [thresholds.accept, thresholds.conditional]
    .filter((score) => score > frame.low && score < 100)
    .map((score) => {
      const y = round(height(score, frame));
      return html`<line class="limit" x1="${LEFT}" x2="${frame.width - RIGHT}" y1="${y}" y2="${y}"></line>
        <text class="tick" x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${number(score)}</text>`;
    });
}

/** Runs of points without a gap. */
function runs(points: readonly Point[]): (Point & { readonly y: number })[][] {
  const found: (Point & { readonly y: number })[][] = [[]];
  for (const point of points) {
    if (point.y === null) found.push([]);
    else found.at(-1)?.push({ ...point, y: point.y });
  }
  return found.filter((run) => run.length > 1);
}

function line(points: readonly Point[]): Html[] {
  return runs(points).map((run) => html`<polyline class="line" points="${path(run)}"></polyline>`);
}

function area(points: readonly Point[]): Html[] {
  const ground = HEIGHT - BOTTOM;
  return runs(points).map((run) => {
    const ends = `${round(run.at(-1)?.x ?? 0)},${ground} ${round(run[0]?.x ?? 0)},${ground}`;
    return html`<polygon class="area" points="${path(run)} ${ends}"></polygon>`;
  });
}

function path(run: readonly { readonly x: number; readonly y: number }[]): string {
  return run.map(({ x, y }) => `${round(x)},${round(y)}`).join(" ");
}

/** A dot while typing, a ring when saved, a diamond for the final gate: not by colour alone. */
function mark({ entry, x, y }: Point, at: number, length: number, view: View): Html {
  const chosen = entry.timestamp === view.chosen;
  if (y === null || (length > CROWDED && entry.level !== "final" && at < length - 1 && !chosen)) return NOTHING;
  const kind = `mark ${entry.level} ${toneOf(entry.decision, entry.status, entry.level)}${chosen ? " chosen" : ""}`;
  if (entry.level !== "final") return html`<circle class="${kind}" cx="${round(x)}" cy="${round(y)}" r="${chosen ? 5.5 : 3.5}"></circle>`;
  const reach = chosen ? 7 : 5.5;
  const [left, right, top, bottom] = [x - reach, x + reach, y - reach, y + reach].map(round);
  return html`<polygon class="${kind}" points="${left},${round(y)} ${round(x)},${top} ${right},${round(y)} ${round(x)},${bottom}"></polygon>`;
}

function guide(points: readonly Point[], view: View): Html {
  const chosen = points.find(({ entry }) => entry.timestamp === view.chosen);
  if (chosen === undefined) return NOTHING;
  return html`<line class="guide" x1="${round(chosen.x)}" x2="${round(chosen.x)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"></line>`;
}

/** The first and the last time; one alone when they are the same. */
function times(history: readonly HistoryEntry[], frame: Frame, view: View): Html {
  const [first, last] = [history[0], history.at(-1)].map((entry) => (entry === undefined ? "" : view.time(entry.timestamp)));
  const y = HEIGHT - 7;
  return html`<text class="tick" x="${LEFT}" y="${y}">${first}</text>
    ${first !== last && html`<text class="tick" x="${frame.width - RIGHT}" y="${y}" text-anchor="end">${last}</text>`}`;
}

/** What the pointer meets: as wide as there is room. */
function target({ entry, x }: Point, frame: Frame, view: View): Html {
  const [left, right] = [Math.max(x - frame.pace / 2, 0), Math.min(x + frame.pace / 2, frame.width)];
  return html`<rect class="target" data-entry="${entry.timestamp}" x="${round(left)}" y="0" width="${round(right - left)}" height="${HEIGHT}"><title>${hint(entry, view)}</title></rect>`;
}

function hint(entry: HistoryEntry, view: View): string {
  const score = entry.score === null ? "no score" : `${number(entry.score)} ${step(entry.delta)}`.trim();
  return `${view.time(entry.timestamp)} · ${entry.level} · ${score}`;
}

/** The plot in a sentence. */
function told(history: readonly HistoryEntry[]): string {
  const scores = history.flatMap((entry) => (entry.score === null ? [] : [entry.score]));
  const [first, last] = [scores[0], scores.at(-1)];
  if (first === undefined || last === undefined) return "No evaluation has a score yet.";
  const range = `between ${number(Math.min(...scores))} and ${number(Math.max(...scores))}`;
  return `The score over ${history.length} evaluations: from ${number(first)} to ${number(last)}, ${range}.`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
