/** A comparison as a page: candidates side by side, who is before whom, and what a person can do. It runs no script. */

import { html, type Content, type Html } from "../panel/html";
import { shell, type Shell } from "../panel/shell";
import type { ComparedResult, DuelResult, RowResult } from "../protocol";
import { counted, percent } from "../status/words";

type Sources = Pick<Shell, "origin" | "style">;

/** What links of the page may do, and nothing else. */
export const LINKED = ["gateline.acceptCandidate", "gateline.candidateDiff", "gateline.reviewCandidates", "gateline.assessCandidates", "gateline.rejectCandidates"] as const;
/** Argument of `gateline.assessCandidates`: the candidates of the page are meant. */
export const SHOWN = "shown";
type Linked = (typeof LINKED)[number];

export function page(compared: ComparedResult, sources: Sources): string {
  const parts = [answer(compared), side(compared), pairs(compared), apart(compared), remarks(compared)];
  return shell(html`<main class="comparison">${parts}</main>`, { title: "gateline: candidates", ...sources });
}

function answer(compared: ComparedResult): Html {
  const { winner, why, confidence, deciding } = compared.result.ranking;
  const title = winner === "" ? "No clear winner" : `Take ${winner}`;
  return html`<h1>${title}</h1>
<p>${why}</p>
<p class="muted">confidence ${percent(confidence.calibrated)} (by formula ${percent(confidence.formula)}); isolation ${compared.result.ranking.isolation}</p>
${deciding.map((one) => html`<p>It would decide: ${one}</p>`)}
<p class="actions">
${winner !== "" && link("gateline.acceptCandidate", `Accept ${winner}`, winner, "primary")}
${link("gateline.reviewCandidates", "Manual Review")}
${link("gateline.assessCandidates", "Assess with a Model…", SHOWN)}
${link("gateline.rejectCandidates", "Reject All")}
</p>`;
}

function side({ result }: ComparedResult): Html {
  const changed = new Map(result.given.map((one) => [one.name, one.changed]));
  const cards = result.ranking.rows.map((row) => candidate(row, changed.get(row.name) ?? [], row.name === result.ranking.winner));
  return html`<h2>Candidates</h2><div class="candidates">${cards}</div>`;
}

function candidate(row: RowResult, changed: readonly string[], wins: boolean): Html {
  const facts = row.blocked.length > 0 ? [] : row.stages.filter((one) => one.value !== null).map((one) => [one.stage, one.told] as const);
  const categories = row.categories.filter((one) => one.value !== null).map((one) => [one.category, (one.value ?? 0).toFixed(2)] as const);
  return html`<article class="candidate${wins && " winner"}" aria-label="${row.name}">
<h3>${row.place}. ${row.name}</h3>
${row.blocked.map((one) => html`<p class="weakness">${one.check}: ${one.reason}</p>`)}
<dl>${[["score", row.score.toFixed(2)] as const, ...facts, ...categories].map(([name, told]) => html`<dt>${name}</dt><dd>${told}</dd>`)}</dl>
<ul>${row.strengths.map((one) => html`<li class="strength">${one}</li>`)}${row.weaknesses.map((one) => html`<li class="weakness">${one}</li>`)}</ul>
<p class="muted" title="${changed.join("\n")}">changes ${counted(changed.length, "file")}</p>
<p class="actions">${link("gateline.candidateDiff", "Show Changes", row.name)}${link("gateline.acceptCandidate", "Accept", row.name)}</p>
</article>`;
}

function pairs({ result }: ComparedResult): Html {
  const row = ({ first, second, stage, reason, categories }: DuelResult): Html => {
    const won = categories.filter((one) => one.winner !== "").map((one) => `${one.category}: ${one.winner}`);
    return html`<tr><td>${first}</td><td>${stage === "" ? "beside" : "before"}</td><td>${second}</td><td title="${won.join("\n")}">${reason}</td></tr>`;
  };
  return html`<h2>Pair by pair</h2><table>
<thead><tr><th scope="col">candidate</th><th scope="col"></th><th scope="col">other</th><th scope="col">decided by</th></tr></thead>
<tbody>${result.ranking.duels.map(row)}</tbody></table>`;
}

function apart({ result: { difference } }: ComparedResult): Content {
  if (difference === null) return null;
  const answers = Object.entries(difference.answers).map(([name, said]) => html`<li>${name}: <code>${said}</code></li>`);
  return html`<h2>An input that tells them apart</h2><p><code>${difference.call}</code></p><ul class="notes">${answers}</ul><pre>${difference.test}</pre>`;
}

function remarks({ result, trouble }: ComparedResult): Html {
  const { acceptance } = result.ranking;
  const lines = [
    `${acceptance.accepted ? "would be" : "is not"} accepted without a person: ${acceptance.reasons.join("; ")}`,
    ...result.leftOut.map((one) => `left out: ${one.reason}`),
    ...result.notes,
    ...result.exchanged.map((one) => `new tests of ${one.author} on ${one.candidate}: ${one.passed.length} of ${one.passed.length + one.failed.length} pass`),
    ...(result.knownSince === "" ? [] : ["the same was compared before, and nothing of it has changed"]),
    ...(trouble === "" ? [] : [trouble]),
  ];
  return html`<h2>To be known</h2><ul class="notes">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}

/** A candidate's name, or another text, is an argument, as JSON in the link; it is data there. */
function link(command: Linked, title: string, argument?: string, kind = "secondary"): Html {
  const given = argument === undefined ? "" : `?${encodeURIComponent(JSON.stringify([argument]))}`;
  return html`<a role="button" class="${kind}" href="command:${command}${given}">${title}</a>`;
}
