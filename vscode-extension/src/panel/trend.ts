/** The score over time, with the evaluation that is pointed at in words. */

import type { HistoryEntry, ThresholdsResult } from "../protocol";
import { decisionIn, number, step } from "../status/words";
import { html, type Html } from "./html";
import { plot } from "./plot";
import { section } from "./section";
import type { View } from "./state";

export function trend(history: readonly HistoryEntry[], thresholds: ThresholdsResult | null, view: View): Html | null {
  const chosen = history.find((entry) => entry.timestamp === view.chosen) ?? history.at(-1);
  if (chosen === undefined) return null;
  return section(
    "trend",
    "Trend",
    html`<figure data-measured>
      ${plot(history, thresholds, view)}
      <figcaption><span>${caption(chosen, view)}</span>${legend(thresholds)}</figcaption>
    </figure>`,
  );
}

function caption(entry: HistoryEntry, view: View): string {
  const score = entry.score === null ? "no score" : `${number(entry.score)} ${step(entry.delta)}`.trim();
  return [view.time(entry.timestamp), entry.level, score, decisionIn(entry.decision).title].join(" · ");
}

function legend(thresholds: ThresholdsResult | null): Html | null {
  if (thresholds === null) return null;
  return html`<span class="legend">Dashed: the final gate accepts from ${number(thresholds.accept)}, on conditions from ${number(thresholds.conditional)}</span>`;
}
