/** What the decision requires: what to do next, most points to win first. */

import type { ActionResult, EvaluationResult } from "../protocol";
import { number } from "../status/words";
import { html, prose, type Html } from "./html";
import { section } from "./section";

export function steps(evaluation: EvaluationResult): Html | null {
  const actions = evaluation.decision.requiredActions;
  if (actions.length === 0) return null;
  const rows = actions.map((action, at) => row(action, at, evaluation));
  return section("steps", "Next steps", html`<ol class="rows numbered" data-roving="steps">${rows}</ol>`);
}

function row(action: ActionResult, at: number, evaluation: EvaluationResult): Html {
  const content = html`<span class="message">${prose(capitalised(action.text))}</span>${wins(action)}`;
  const key = action.finding || `${action.path}:${action.line}`;
  return html`<li data-key="step-${key}-${action.text}">${opening(action, at === 0, evaluation, content)}
    <span class="place">${action.path !== "" && html`<span class="path">${action.path}:${action.line + 1}</span>`}${
      action.must && html` <span class="fact must">required</span>`
    }</span></li>`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function wins({ points }: ActionResult): Html | null {
  return points === 0 ? null : html`<span class="wins">+${number(points)}<span class="unseen"> points to win</span></span>`;
}

function opening(action: ActionResult, first: boolean, evaluation: EvaluationResult, content: Html): Html {
  if (action.path === "") return html`<span class="head">${content}</span>`;
  const span = evaluation.findings.find((finding) => finding.identity === action.finding)?.span;
  const place = span ? [span.start.line, span.start.column, span.end.line, span.end.column] : [action.line, 0, action.line, 0];
  return html`<button type="button" class="head" tabindex="${first ? 0 : -1}" data-path="${action.path}"
    data-finding="${action.finding}" data-span="${place.join(" ")}">${content}</button>`;
}
