/** "Ignore this finding" among the quick fixes. A reason has to be asked for, which a server cannot do. */

import * as vscode from "vscode";
import { placeOf } from "./finding";

export class IgnoreActions implements vscode.CodeActionProvider {
  static readonly metadata: vscode.CodeActionProviderMetadata = {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  };

  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    context: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    return context.diagnostics.flatMap((finding) => {
      const place = placeOf(document.uri, finding);
      if (place === undefined) return [];
      const title = `Ignore ${place.code} here…`;
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.diagnostics = [finding];
      action.command = { title, command: "gateline.ignoreFinding", arguments: [place] };
      return [action];
    });
  }
}
