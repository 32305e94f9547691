/** The file a person works in. While the panel, a log or a terminal is in front, that is the file before it. */

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

let file: vscode.Uri | undefined;
const elsewhere = new vscode.EventEmitter<void>();

export const onDidLookElsewhere = elsewhere.event;

/** Begin to follow the person from editor to editor. */
export function follow(): vscode.Disposable {
  look(vscode.window.activeTextEditor);
  return vscode.window.onDidChangeActiveTextEditor(look);
}

function look(editor: vscode.TextEditor | undefined): void {
  if (editor?.document.uri.scheme !== "file") return;
  file = editor.document.uri;
  elsewhere.fire();
}

/** The folder it belongs to, as the editor spells it. */
export function folderOfEditor(): string | undefined {
  return file && vscode.workspace.getWorkspaceFolder(file)?.uri.toString();
}

/** The URI that names the folder a person looks at, as the server spells it. */
export function folderLookedAt(client: LanguageClient): string | null {
  return file === undefined ? null : client.code2ProtocolConverter.asUri(file);
}
