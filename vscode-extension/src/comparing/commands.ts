/** What a person does with candidate solutions: compare them, look at one, accept it, or none. */

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { Parts } from "../commands";
import { ask } from "../commands/ask";
import { withProgress } from "../commands/progress";
import { folderLookedAt } from "../lookedAt";
import { agreedModel } from "../models/consent";
import type { AcceptCandidateResult, CandidateDiffResult, CandidatesResult, ComparedResult, StartComparisonParams } from "../protocol";
import { unsaved } from "../restoring/dirty";
import { leftAlone, outcome } from "../restoring/steps";
import { choices, refusal, sentOf, taskProblem } from "./choices";
import { SHOWN } from "./page";

interface Compared {
  readonly uri: string | null;
  readonly candidates: readonly string[];
}

export async function compareCandidates(parts: Parts): Promise<void> {
  const found = await ask(parts.life, async (client) => {
    const params = await picked(client);
    return params && compared(client, params);
  });
  if (found !== undefined) parts.comparison.show(found);
}

/** Compare and have a model of the editor assess: those of the page, else those that a person picks. */
export async function assessCandidates(parts: Parts, which?: unknown): Promise<void> {
  const found = await ask(parts.life, async (client) => {
    const params = (which === SHOWN ? shown(parts) : undefined) ?? (await picked(client));
    if (params === undefined) return undefined;
    const assess = (await vscode.window.showInputBox({ title: "Assess: what was to be done?", prompt: "The task, as the model is told it", ignoreFocusOut: true, validateInput: taskProblem }))?.trim();
    if (!assess) return undefined;
    const model = await agreedModel(parts.access, sentOf(params.candidates.length));
    if (model === undefined) return undefined;
    return parts.permits.during(model, (modelToken) => compared(client, { ...params, assess, modelToken }));
  });
  if (found !== undefined) parts.comparison.show(found);
}

function compared(client: LanguageClient, params: Compared & Pick<StartComparisonParams, "assess" | "modelToken">): Promise<ComparedResult> {
  return withProgress<ComparedResult>(client, "gateline: comparing", "gateline/compare/start", params);
}

function shown({ comparison: { compared } }: Parts): Compared | undefined {
  return compared && { uri: compared.folder, candidates: compared.result.given.map(({ name }) => name) };
}

/** What a person picks; undefined where that is nothing, or not to be compared, which is told. */
async function picked(client: LanguageClient): Promise<Compared | undefined> {
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
  return { uri, candidates: chosen.map(({ name }) => name) };
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
