/** Shows what the score is made of, as a page that screen readers read well. */

import * as vscode from "vscode";
import { explain, NOTHING } from "../explain/document";
import type { CurrentResult } from "../protocol";
import { ask, folderLookedAt } from "./ask";
import type { Parts } from ".";

const SCHEME = "gateline";
const PAGE = vscode.Uri.from({ scheme: SCHEME, path: "/The score explained.md" });

export class Explanation implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private text = NOTHING;
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registered = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  provideTextDocumentContent(): string {
    return this.text;
  }

  async show(text: string): Promise<void> {
    this.text = text;
    this.changed.fire(PAGE);
    await vscode.commands.executeCommand("markdown.showPreview", PAGE);
  }

  dispose(): void {
    this.registered.dispose();
    this.changed.dispose();
  }
}

export async function explainScore(parts: Parts): Promise<void> {
  const result = await ask(parts.life, (client) =>
    client.sendRequest<CurrentResult>("gateline/checkpoint/current", { uri: folderLookedAt(client) }),
  );
  if (result !== undefined) await parts.explanation.show(result.evaluation === null ? NOTHING : explain(result.evaluation));
}
