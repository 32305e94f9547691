/** The whole panel as HTML: a pure function of what the extension and the page know. */

import { decisionIn, number } from "../status/words";
import { breakdown } from "./breakdown";
import { findings } from "./findings";
import { gaps } from "./gaps";
import { html, type Html } from "./html";
import { placeholder, trouble } from "./notices";
import type { State, View } from "./state";
import { steps } from "./steps";
import { timeline } from "./timeline";
import { trend } from "./trend";
import { verdict } from "./verdict";

export function render(state: State, view: View): string {
  return html`<div class="work${state.working ? " on" : ""}" aria-hidden="true" data-key="work"></div>
    <p class="unseen" role="status" data-key="announcement">${announcement(state)}</p>
    ${chooser(state)}
    ${trouble(state)}
    ${judged(state, view) ?? html`<h1 class="unseen" data-key="heading">gateline</h1>${placeholder(state)}`}`.text;
}

function judged(state: State, view: View): Html | null {
  const { evaluation, history, remembered, savepoints } = state;
  if (evaluation === null || placeholder(state) !== null) return null;
  return html`${verdict(evaluation, state)}
    <div class="columns" data-key="columns">
      <div class="column" data-key="left">${steps(evaluation)}${findings(evaluation)}</div>
      <div class="column" data-key="right">${trend(history, evaluation.thresholds, view)}${breakdown(evaluation)}${gaps(evaluation)}${timeline(history, view, { scores: remembered, savepoints })}</div>
    </div>`;
}

/** With one folder there is nothing to choose. */
function chooser({ folders, folder }: State): Html | null {
  if (folders.length < 2) return null;
  const options = folders.map(({ uri, name }) => html`<option value="${uri}"${uri === folder && html` selected=""`}>${name}</option>`);
  return html`<p class="chooser" data-key="chooser"><label for="folder">Folder</label> <select id="folder" data-choose="folder">${options}</select></p>`;
}

/** Read aloud when it changes; not with every edit. */
function announcement({ server, status, evaluation }: State): string {
  if (server.state === "stopped") return "gateline does not run.";
  if (evaluation === null || status === null) return "Judging the change.";
  if (status.problem !== "") return "The change could not be judged.";
  if (evaluation.files.length + evaluation.others.length === 0) return "Nothing changed.";
  const score = evaluation.score.value === null ? "No score" : `Score ${number(evaluation.score.value)}`;
  return `${score}, ${decisionIn(evaluation.decision.outcome).title}.`;
}
