/** What the score is made of: a bar for each dimension, with its value at the base, and points that add up. */

import type { EvaluationResult, PartResult } from "../protocol";
import { told } from "../tests/told";
import { capital, counted, number } from "../status/words";
import { html, type Html } from "./html";
import { section } from "./section";

export function breakdown(evaluation: EvaluationResult): Html | null {
  const measured = evaluation.score.parts.filter((part) => part.value !== null);
  if (measured.length === 0) return null;
  const scored = measured.filter((part) => part.weight > 0);
  const beside = measured.filter((part) => part.weight === 0);
  return section(
    "breakdown",
    "Breakdown",
    html`<ul class="bars">${[...scored, ...beside].map((part) => row(part, evaluation))}</ul>${sum(evaluation, scored.length)}${tests(evaluation)}`,
  );
}

function tests({ tests }: EvaluationResult): Html | null {
  return tests === null ? null : html`<p class="detail">${told(tests).join("; ")}</p>`;
}

function row(part: PartResult, evaluation: EvaluationResult): Html {
  const value = part.value ?? 0;
  return html`<li data-key="part-${part.dimension}">
    <span class="name">${capital(part.dimension)}</span>
    <span class="change">${change(part, value)}</span>
    <span class="points">${part.weight > 0 ? points(part) : html`<span class="muted">not scored</span>`}</span>
    ${bar(part, value, evaluation)}
    <span class="detail">${part.detail}</span>
  </li>`;
}

function change(part: PartResult, value: number): Html {
  const now = html`<strong>${number(value)}</strong>`;
  if (part.before === null || number(part.before) === number(value)) return now;
  return html`<span class="before">${number(part.before)}</span> <span aria-hidden="true">→</span><span class="unseen">, now</span> ${now}`;
}

function points(part: PartResult): Html {
  return html`${part.points.toFixed(1)}<span class="muted"> of ${number(part.weight * 100)}</span>`;
}

/** An SVG, because the page allows no styles of its own; a tick stands where the base was. */
function bar(part: PartResult, value: number, evaluation: EvaluationResult): Html {
  const { accept, conditional } = evaluation.thresholds ?? { accept: 85, conditional: 70 };
  const tone = part.weight === 0 ? "unscored" : value >= accept ? "good" : value >= conditional ? "fair" : "poor";
  return html`<svg class="bar ${tone}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <rect class="ground" width="100" height="8"></rect>
    ${part.before !== null && part.before > value && html`<rect class="lost" x="${value}" width="${part.before - value}" height="8"></rect>`}
    <rect class="value" width="${value}" height="8"></rect>
    ${part.before !== null && html`<line class="base" x1="${part.before}" x2="${part.before}" y1="-2" y2="10"></line>`}
  </svg>`;
}

function sum({ score }: EvaluationResult, scored: number): Html | null {
  if (score.raw === null || score.value === null || scored === 0) return null;
  const causes = [
    ...(score.floors.length > 0 ? [counted(score.floors.length, "floor")] : []),
    ...(score.caps.length > 0 ? [counted(score.caps.length, "integrity finding")] : []),
  ];
  const capped = causes.length > 0 && score.value < score.raw && `, capped at ${number(score.value)} by ${causes.join(" and ")}`;
  return html`<p class="sum">Sum <strong>${score.raw.toFixed(1)}</strong>${capped}</p>`;
}
