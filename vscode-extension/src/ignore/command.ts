/** Silences a finding with a comment that says why. */

import * as vscode from "vscode";
import { lineFor, suppression } from "./comment";
import { codeOf, findingsAt, placeOf, type Place } from "./finding";

/** The place comes from a quick fix; from the palette it is where the cursor stands. */
export async function ignoreFinding(given: unknown): Promise<void> {
  const place = isPlace(given) ? given : underCursor();
  if (place === undefined) return;
  const document = await vscode.workspace.openTextDocument(place.uri);
  const { version } = document;
  const reason = await vscode.window.showInputBox({
    title: `Ignore ${place.code}`,
    prompt: "The reason stands in the comment, and is required.",
    placeHolder: "Reason",
    validateInput: (text) => (text.trim() === "" ? "A reason is required." : undefined),
  });
  if (reason === undefined) return;
  if (document.version === version) await write(document, place, reason);
  else tell("The text changed meanwhile; nothing was ignored.");
}

async function write(document: vscode.TextDocument, place: Place, reason: string): Promise<void> {
  const lines = Array.from({ length: document.lineCount }, (_, at) => document.lineAt(at).text);
  const target = lineFor(lines, place.first, place.last);
  if (target === undefined) {
    tell(`No comment fits on this line; # gateline: ignore-file[${place.code}] silences the whole file.`);
    return;
  }
  const edit = suppression(lines[target.at] ?? "", target.end.comment, place.code, reason);
  const change = new vscode.WorkspaceEdit();
  change.replace(document.uri, new vscode.Range(target.at, edit.start, target.at, edit.end), edit.text);
  await vscode.workspace.applyEdit(change);
}

function underCursor(): Place | undefined {
  const editor = vscode.window.activeTextEditor;
  const found = editor === undefined ? [] : findingsAt(editor.document.uri, editor.selection.active);
  const [finding] = found;
  if (editor === undefined || finding === undefined) {
    tell("No finding of gateline on this line.");
    return undefined;
  }
  const place = found.map((one) => placeOf(editor.document.uri, one)).find((one) => one !== undefined);
  if (place === undefined) tell(`${codeOf(finding)} cannot be ignored; fix it.`);
  return place;
}

function isPlace(given: unknown): given is Place {
  return typeof given === "object" && given !== null && "uri" in given && "code" in given;
}

function tell(message: string): void {
  void vscode.window.showWarningMessage(`gateline: ${message}`);
}
