/** The findings: what the change brought, most points to win first; the rest folded up. */

import type { EvaluationResult, FindingResult } from "../protocol";
import { counted } from "../status/words";
import { html, prose, type Html } from "./html";
import { icon, type Icon } from "./icons";
import { opening, wins } from "./rows";
import { folded, section } from "./section";

/** More rows than this would slow the page and be read by nobody. */
const SHOWN = 100;

const SEVERITIES: Readonly<Record<string, Icon>> = {
  error: "error",
  warning: "warning",
  information: "information",
  hint: "hint",
};

export function findings(evaluation: EvaluationResult): Html {
  const fresh = sorted(evaluation.findings.filter((finding) => finding.novelty === "new"));
  const old = sorted(evaluation.findings.filter((finding) => finding.novelty !== "new"));
  const rest = [
    folded("old", "In the base already", old.length, list("old", old)),
    folded("fixed", "Fixed by this change", evaluation.fixed.length, list("fixed", sorted(evaluation.fixed), false)),
    folded("suppressed", suppressed(evaluation), evaluation.suppressed.length, list("suppressed", sorted(evaluation.suppressed))),
  ];
  const main = fresh.length === 0 ? html`<p class="good-news">${icon("pass")} The change brings no finding.</p>` : list("new", fresh);
  return section("findings", "Findings", html`${main}${rest}`, fresh.length > 0 && String(fresh.length));
}

function suppressed(evaluation: EvaluationResult): string {
  return evaluation.suppressionsAdded === 0 ? "Suppressed" : `Suppressed (${evaluation.suppressionsAdded} by this change)`;
}

/** Most points first; of equal ones the more severe, then by place. */
function sorted(found: readonly FindingResult[]): FindingResult[] {
  const order = Object.keys(SEVERITIES);
  const rank = (finding: FindingResult) => order.indexOf(finding.severity);
  return [...found].sort(
    (a, b) => b.points - a.points || rank(a) - rank(b) || compare(a.path, b.path) || a.span.start.line - b.span.start.line,
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `isThere`: whether there is code to jump to. */
function list(name: string, found: readonly FindingResult[], isThere = true): Html {
  const rows = found.slice(0, SHOWN).map((finding, at) => row(name, finding, at, isThere));
  const more = found.length - rows.length;
  return html`<ol class="rows" data-roving="${name}" data-key="list-${name}">${rows}</ol>
    ${more > 0 && html`<p class="muted">… and ${counted(more, "more finding")}</p>`}`;
}

function row(name: string, finding: FindingResult, at: number, isThere: boolean): Html {
  const content = html`${icon(SEVERITIES[finding.severity] ?? "information")}<span class="unseen">${finding.severity}: </span
    ><span class="message">${prose(finding.message)}</span>${wins(finding.points)}`;
  const head = isThere ? opening({ ...finding, finding: finding.identity }, at === 0, content) : html`<span class="head">${content}</span>`;
  return html`<li data-key="${name}-${finding.identity || `at-${at}`}">${head}<span class="place">${place(finding, isThere && at > 0)}</span></li>`;
}

function place(finding: FindingResult, skipped: boolean): Html {
  const facts = [finding.symbol, finding.origin, finding.provisional && "provisional"].filter(Boolean);
  return html`<span class="path">${finding.path}:${finding.span.start.line + 1}</span> ${code(finding, skipped)}
    ${facts.map((fact) => html`<span class="fact">${fact}</span>`)}`;
}

/** The code leads to its page, in the browser of the person; it is reached with Tab from its row. */
function code({ code, page }: FindingResult, skipped: boolean): Html {
  if (!page.startsWith("https://")) return html`<span class="code">${code}</span>`;
  return html`<a class="code" href="${page}" tabindex="${skipped ? -1 : 0}">${code}</a>`;
}
