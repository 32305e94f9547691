/** What a person does with candidate solutions: compare them, look at one, accept it, or none. */

import * as vscode from "vscode";
import type { Parts } from "../commands";
import { ask } from "../commands/ask";
import { withProgress } from "../commands/progress";
import { folderLookedAt } from "../lookedAt";
import type { AcceptCandidateResult, CandidateDiffResult, CandidatesResult, ComparedResult } from "../protocol";
import { unsaved } from "../restoring/dirty";
import { leftAlone, outcome } from "../restoring/steps";
import { choices, refusal } from "./choices";

export async function compareCandidates(parts: Parts): Promise<void> {
  const found = await ask(parts.life, async (client) => {
    const uri = folderLookedAt(client);
    const { candidates } = await client.sendRequest<CandidatesResult>("gateline/compare/candidates", { uri });
    const title = "Compare: which candidates?";
    const chosen = await vscode.window.showQuickPick(choices(candidates), { title, canPickMany: true, matchOnDescription: true, placeHolder: "2 to 16 branches, stash entries or work trees" });
    if (chosen === undefined) return undefined;
    const why = refusal(chosen.length);
    if (why !== undefined) {
      void vscode.window.showWarningMessage(why);
      return undefined;
    }
    const params = { uri, candidates: chosen.map(({ name }) => name) };
    return withProgress<ComparedResult>(client, "gateline: comparing", "gateline/compare/start", params);
  });
  if (found !== undefined) parts.comparison.show(found);
}

export async function showCandidate(parts: Parts, candidate: unknown): Promise<void> {
  const found = await changes(parts, candidate);
  if (found !== undefined) await parts.comparison.showChanges(String(candidate), found.files);
}

/** All candidates one after the other, the first in front; nothing is written. */
export async function reviewCandidates(parts: Parts): Promise<void> {
  const rows = parts.comparison.compared?.result.ranking.rows ?? [];
  for (const { name } of [...rows].reverse()) await showCandidate(parts, name);
}

export async function acceptCandidate(parts: Parts, candidate: unknown): Promise<void> {
  const params = { ...one(parts, candidate), dirty: unsaved() };
  if (!("comparison" in params)) return;
  const done = await ask(parts.life, (client) => client.sendRequest<AcceptCandidateResult>("gateline/compare/accept", params));
  if (done === undefined) return;
  const said = done.written.steps.length === 0 ? "Nothing differs: there is nothing to write." : outcome(done.written);
  void vscode.window.showInformationMessage([said, leftAlone(done.written), done.trouble].filter(Boolean).join(" "));
}

/** Nobody is taken: that is recorded, and the panel closes. */
export async function rejectCandidates(parts: Parts): Promise<void> {
  const compared = parts.comparison.compared;
  if (compared === undefined) return;
  const params = { uri: compared.folder, comparison: compared.comparison };
  const done = await ask(parts.life, (client) => client.sendRequest<{ trouble: string }>("gateline/compare/reject", params));
  if (done === undefined) return;
  if (done.trouble !== "") void vscode.window.showWarningMessage(done.trouble);
  parts.comparison.close();
}

async function changes(parts: Parts, candidate: unknown): Promise<CandidateDiffResult | undefined> {
  const params = one(parts, candidate);
  return params && ask(parts.life, (client) => client.sendRequest<CandidateDiffResult>("gateline/compare/diff", params));
}

function one(parts: Parts, candidate: unknown): { uri: string; comparison: string; candidate: string } | undefined {
  const compared = parts.comparison.compared;
  if (compared === undefined || typeof candidate !== "string") return undefined;
  return { uri: compared.folder, comparison: compared.comparison, candidate };
}
