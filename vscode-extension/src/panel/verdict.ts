/** The head of the panel: score, decision, why, and on what the verdict rests. */

import type { EvaluationResult } from "../protocol";
import { checkpointIn, counted, decisionIn, number, percent, spokenStep, stated, step, toneOf, trajectoryIn, type Tone } from "../status/words";
import { html, prose, type Html } from "./html";
import { icon, type Icon } from "./icons";
import { button } from "./section";
import type { State } from "./state";

const ICONS: Readonly<Record<Tone, Icon>> = { pass: "pass", warn: "warning", fail: "error", unknown: "unknown" };

export function verdict(evaluation: EvaluationResult, state: State): Html {
  const { decision, score } = evaluation;
  const tone = toneOf(decision.outcome, decision.status, evaluation.level);
  const { title, meaning } = decisionIn(decision.outcome);
  return html`<header class="verdict ${tone}" data-key="verdict">
    ${value(score.value, state.status?.delta ?? null)}
    <div class="decision">
      <p class="outcome">${icon(ICONS[tone])} <strong>${title}</strong></p>
      <p class="meaning">${meaning}</p>
      ${reasons(evaluation)}
    </div>
    <div class="buttons">${button("gateline.runFinalCheck", "Run final check", "primary")}</div>
    <p class="context">${context(evaluation)}</p>
  </header>`;
}

function value(score: number | null, delta: number | null): Html {
  if (score === null) return html`<h1 class="score none"><span aria-hidden="true">–</span><span class="unseen">No score</span></h1>`;
  const [whole, tenth] = number(score).split(".");
  const moved = step(delta);
  return html`<h1 class="score"><span class="unseen">Score ${number(score)} of 100${moved !== "" && `, ${spokenStep(delta)}`}</span
    ><span aria-hidden="true">${whole}${tenth !== undefined && html`<small>.${tenth}</small>`}</span>${
      moved !== "" && html`<span class="delta ${delta !== null && delta > 0 ? "up" : "down"}" aria-hidden="true">${moved}</span>`
    }</h1>`;
}

/** What the gate says beyond its decision; floors are among the steps, and gaps have a place of their own. */
function reasons(evaluation: EvaluationResult): Html | null {
  const { caps, floors, parts } = evaluation.score;
  const told = new Set([...floors, ...caps, ...parts.map(stated), ...evaluation.limits]);
  const moved = trajectoryIn(evaluation.trajectory);
  const lines = [...evaluation.decision.reasons.filter((reason) => !told.has(reason)), ...(moved === "" ? [] : [moved])];
  return lines.length === 0 ? null : html`<ul class="reasons">${lines.map((line) => html`<li>${prose(line)}</li>`)}</ul>`;
}

function context(evaluation: EvaluationResult): Html {
  const changed = counted(evaluation.files.length + evaluation.others.length, "changed file");
  const facts = [checkpointIn(evaluation.level, evaluation.progress), changed, `evidence ${percent(evaluation.score.evidence)}`];
  return html`${facts.map((fact) => html`<span>${fact}</span>`)}<span>against ${evaluation.baseLabel}</span>`;
}
