/** What stands in the panel when there is no verdict, or when it is not the newest: always in words. */

import { capital } from "../status/words";
import { html, type Content, type Html } from "./html";
import { icon, type Icon } from "./icons";
import { button } from "./section";
import type { State } from "./state";

function notice(kind: Icon, title: string, content: Content, buttons: Content = null): Html {
  return html`<div class="notice ${kind}" data-key="notice-${title}">${icon(kind)}<div>
    <h2>${title}</h2>${content}${buttons !== null && html`<p class="buttons">${buttons}</p>`}
  </div></div>`;
}

const LOG = button("gateline.showLog", "Show log");

/** What is wrong with the server or the verdict; null when nothing is. */
export function trouble(state: State): Html | null {
  const { server, status } = state;
  if (server.state === "stopped") {
    const buttons = [button("gateline.restartServer", "Restart server", "primary"), LOG, button("gateline.showSettings", "Settings")];
    return notice("error", "gateline does not run", html`<p>${server.message}</p>`, buttons);
  }
  if (status === null || status.problem === "") return null;
  const before = state.evaluation !== null && html`<p class="muted">What stands below was said before.</p>`;
  return notice("warning", "The change could not be judged", html`<p>${capital(status.problem)}</p>${before}`, LOG);
}

/** What is said in the place of a verdict; null when there is one. */
export function placeholder(state: State): Html | null {
  const { server, status, evaluation } = state;
  if (server.state === "stopped") return null;
  if (server.state === "starting") return waiting("Starting the language server…");
  if (evaluation === null) return status?.problem ? null : waiting("Judging the change…");
  if (evaluation.files.length + evaluation.others.length > 0) return null;
  return evaluation.limits.length > 0 ? unknown(evaluation.limits) : unchanged(evaluation.baseLabel);
}

function waiting(text: string): Html {
  return html`<div class="waiting" data-key="waiting"><p>${text}</p><div class="ghost"></div><div class="ghost"></div><div class="ghost"></div></div>`;
}

function unknown(limits: readonly string[]): Html {
  return notice("unknown", "The change is not known", html`<ul>${limits.map((limit) => html`<li>${limit}</li>`)}</ul>`, LOG);
}

function unchanged(base: string): Html {
  return html`<div class="empty" data-key="empty">
    <p class="outcome"><strong>Nothing changed</strong></p>
    <p>Nothing differs from the base (${base}). Edit a Python file: the score of the change, what it is made of, and what to do next appear here.</p>
  </div>`;
}
