/** What the editor holds and the disk does not. */

import * as vscode from "vscode";

export const RESTORE = "gateline.restore";

/** The URIs of the documents that were not saved. */
export function unsaved(): string[] {
  return vscode.workspace.textDocuments.filter((document) => document.isDirty && document.uri.scheme === "file").map(({ uri }) => String(uri));
}
