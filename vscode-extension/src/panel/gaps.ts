/** What was not measured, and why: a gap is neither clean nor bad, and is never hidden. */

import type { EvaluationResult, PartResult } from "../protocol";
import { capital, isUnknown, percent, stated } from "../status/words";
import { html, type Html } from "./html";
import { section } from "./section";

export function gaps(evaluation: EvaluationResult): Html | null {
  const { parts } = evaluation.score;
  const unknown = parts.filter((part) => isUnknown(part.state));
  const others = evaluation.limits.filter((limit) => !unknown.map(stated).includes(limit));
  const later = named(parts, "not due");
  const nothing = named(parts, "nothing to judge");
  if (unknown.length + others.length + later.length + nothing.length === 0) return null;
  return section(
    "gaps",
    "Not measured",
    html`<p class="evidence">${evidence(evaluation)}</p>
    ${unknown.length + others.length > 0 && html`<dl>${unknown.map(row)}${others.map(limit)}</dl>`}
    ${later.length > 0 && html`<p class="muted">Due at a later checkpoint: ${later.join(", ")}.</p>`}
    ${nothing.length > 0 && html`<p class="muted">Nothing to judge: ${nothing.join(", ")}.</p>`}`,
  );
}

function named(parts: readonly PartResult[], state: string): string[] {
  return parts.filter((part) => part.state === state).map((part) => part.dimension);
}

function evidence({ score, thresholds }: EvaluationResult): Html {
  const needed = thresholds !== null && ` A final decision needs ${percent(thresholds.evidence)}.`;
  return html`Evidence <strong>${percent(score.evidence)}</strong>: the share of the weight that could be measured.${needed}`;
}

function row(part: PartResult): Html {
  return html`<div data-key="gap-${part.dimension}"><dt>${capital(part.dimension)}</dt><dd><span class="state">${part.state}</span> ${part.reason}</dd></div>`;
}

function limit(text: string): Html {
  return html`<div data-key="limit-${text}"><dt class="unseen">Limit</dt><dd class="limit">${text}</dd></div>`;
}
