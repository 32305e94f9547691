/** What the decision requires: what to do next, most points to win first. */

import type { ActionResult, EvaluationResult, SpanResult } from "../protocol";
import { capital } from "../status/words";
import { html, prose, unmarked, type Html } from "./html";
import { opening, wins } from "./rows";
import { section } from "./section";

export function steps(evaluation: EvaluationResult): Html | null {
  const actions = evaluation.decision.requiredActions;
  if (actions.length === 0) return null;
  const rows = actions.map((action, at) => row(action, at, evaluation));
  return section("steps", "Next steps", html`<ol class="rows numbered" data-roving="steps">${rows}</ol>`);
}

function row(action: ActionResult, at: number, evaluation: EvaluationResult): Html {
  const { path, finding } = action;
  const content = html`${action.must && html`<span class="unseen">Required: </span>`}<span class="message" title="${unmarked(action.text)}">${prose(
    capital(action.text),
  )}</span>${path !== "" && html`<span class="path">${name(path)}:${action.line + 1}</span>`}${wins(action.points)}`;
  const head = path === "" ? html`<span class="head">${content}</span>` : opening({ path, finding, span: spanOf(action, evaluation) }, at === 0, content);
  return html`<li class="${action.must && "must"}" data-key="step-${finding}-${path}:${action.line}-${action.text}">${head}</li>`;
}

/** The file alone: its whole path stands with the finding. */
function name(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function spanOf({ finding, line }: ActionResult, evaluation: EvaluationResult): SpanResult {
  const start = { line, column: 0 };
  return evaluation.findings.find(({ identity }) => identity === finding)?.span ?? { start, end: start };
}
