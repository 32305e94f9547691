/** From a finding in the panel to its code. */

import * as vscode from "vscode";
import { codeOf } from "../ignore/finding";
import type { Place } from "./messages";
import { addressOf, columnIn } from "./place";

/** Opens the code beside the panel, never on top of it. */
export async function jump(place: Place, folder: vscode.Uri, panel: vscode.ViewColumn | undefined): Promise<void> {
  const uri = uriOf(place.path, folder);
  const document = uri && (await vscode.workspace.openTextDocument(uri).then(undefined, () => undefined));
  if (document === undefined) {
    void vscode.window.showWarningMessage(`gateline: ${place.path} cannot be opened; it may have been moved or deleted.`);
    return;
  }
  const selection = shown(place, document.uri) ?? counted(place, document);
  await vscode.window.showTextDocument(document, { selection, viewColumn: columnFor(document.uri, panel) });
}

function uriOf(path: string, folder: vscode.Uri): vscode.Uri | undefined {
  const address = addressOf(path);
  if (address === undefined) return undefined;
  return "uri" in address ? vscode.Uri.parse(address.uri) : vscode.Uri.joinPath(folder, ...address.below);
}

/** Where the finding is drawn now: the editor moves it along while somebody types. */
function shown({ finding }: Place, uri: vscode.Uri): vscode.Range | undefined {
  const ours = vscode.languages.getDiagnostics(uri).filter((each) => codeOf(each) !== undefined);
  return ours.find((each) => finding !== "" && identityOf(each) === finding)?.range;
}

/** The language client keeps what the server sent along. */
function identityOf(diagnostic: vscode.Diagnostic): unknown {
  return (diagnostic as { data?: { identity?: unknown } }).data?.identity;
}

/** Where the server saw it, in the units of the editor. */
function counted({ start, end }: Place, document: vscode.TextDocument): vscode.Range {
  const [from, to] = [start, end].map(({ line, column }) => {
    const at = Math.min(line, document.lineCount - 1);
    return new vscode.Position(at, columnIn(document.lineAt(at).text, column));
  }) as [vscode.Position, vscode.Position];
  return new vscode.Range(from, to);
}

function columnFor(uri: vscode.Uri, panel: vscode.ViewColumn | undefined): vscode.ViewColumn {
  const editors = vscode.window.visibleTextEditors;
  const same = editors.find(({ document }) => document.uri.toString() === uri.toString());
  const other = same ?? editors.find(({ viewColumn }) => viewColumn !== undefined && viewColumn !== panel);
  return other?.viewColumn ?? (panel === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One);
}
