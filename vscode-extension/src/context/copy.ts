/** Copies what one needs in view as Markdown: for a symbol, a problem, or the whole change. */

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { ask } from "../commands/ask";
import { folderLookedAt } from "../lookedAt";
import type { Life } from "../life";
import type { ContextForPositionParams, ContextResult, CurrentResult } from "../protocol";
import { markdown } from "./markdown";
import { merged, spots } from "./several";

const BUDGET = 6000;
/** Milliseconds that names may take to be resolved: somebody waits for a copy. */
const DEADLINE = 1000;
interface Spot { readonly line: number; readonly character?: number }
type Part = Pick<ContextResult, "passages" | "degraded">;

/** Of the symbol around the cursor. */
export async function copyForSymbol(life: Life): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) { sayNothing("no file is open"); return; }
  const at = editor.selection.active;
  const answer = await ask(life, (client) => around(client, uriOf(client, editor.document), at, BUDGET));
  if (answer) await copy(`Context of ${place(editor.document, at.line)}`, answer);
}

/** Of the problem at the cursor, else of the next one in the file; its message comes first. */
export async function copyForProblem(life: Life): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const problem = editor && nearest(vscode.languages.getDiagnostics(editor.document.uri), editor.selection.active);
  if (editor === undefined || problem === undefined) { sayNothing("there is no problem in this file"); return; }
  const { line } = problem.range.start;
  const answer = await ask(life, (client) => around(client, uriOf(client, editor.document), { line }, BUDGET));
  if (answer) await copy(`${problem.message.split("\n")[0] ?? ""} (${place(editor.document, line)})`, answer);
}

/** Of all functions that the change touches. */
export async function copyForChange(life: Life): Promise<void> {
  const answer = await ask(life, async (client) => {
    const folder = folderLookedAt(client);
    const { evaluation } = await client.sendRequest<CurrentResult>("gateline/checkpoint/current", { uri: folder });
    const places = evaluation === null ? [] : spots(evaluation);
    const root = rootOf(folder);
    if (root === undefined) return undefined;
    const share = Math.max(200, Math.floor(BUDGET / Math.max(1, places.length)));
    const uris = places.map(({ path }) => client.code2ProtocolConverter.asUri(vscode.Uri.joinPath(root, path)));
    return merged(await Promise.all(places.map(({ line }, number) => around(client, uris[number] ?? "", { line }, share))));
  });
  if (answer === undefined) return;
  if (answer.passages.length === 0) { sayNothing("nothing has changed"); return; }
  await copy("Context of the change", answer);
}

/** With a character, what the name there means comes first; else the definition around the line. */
function around(client: LanguageClient, uri: string, at: Spot, budget: number): Promise<ContextResult> {
  const position = { line: at.line, character: at.character ?? null };
  const params: ContextForPositionParams = { uri, position, budget, deadline: DEADLINE };
  return client.sendRequest<ContextResult>("gateline/context/forPosition", params);
}

function uriOf(client: LanguageClient, document: vscode.TextDocument): string {
  return client.code2ProtocolConverter.asUri(document.uri);
}

function rootOf(uri: string | null): vscode.Uri | undefined {
  const folder = uri === null ? undefined : vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(uri));
  return (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri;
}

function nearest(problems: readonly vscode.Diagnostic[], at: vscode.Position): vscode.Diagnostic | undefined {
  const here = problems.find(({ range }) => range.contains(at) || range.start.line === at.line);
  const below = problems.filter(({ range }) => range.start.isAfter(at)).sort((a, b) => a.range.start.compareTo(b.range.start));
  return here ?? below[0] ?? problems[0];
}

function place(document: vscode.TextDocument, line: number): string {
  return `${vscode.workspace.asRelativePath(document.uri)}:${line + 1}`;
}

async function copy(title: string, answer: Part): Promise<void> {
  if (answer.passages.length === 0) { sayNothing(Object.values(answer.degraded)[0] ?? "nothing belongs to it"); return; }
  await vscode.env.clipboard.writeText(markdown(title, answer));
  const { length } = answer.passages;
  vscode.window.setStatusBarMessage(`gateline: ${length} ${length === 1 ? "passage" : "passages"} copied`, 5000);
}

function sayNothing(why: string): void {
  void vscode.window.showInformationMessage(`gateline: nothing was copied, because ${why}.`);
}
