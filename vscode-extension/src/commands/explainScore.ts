/** Shows what the score is made of, as a page that screen readers read well. */

import * as vscode from "vscode";
import { explain, NOTHING } from "../explain/document";
import type { CurrentResult } from "../protocol";
import { folderLookedAt } from "../lookedAt";
import { ask } from "./ask";
import type { Parts } from ".";

const SCHEME = "gateline";
const PAGE = vscode.Uri.from({ scheme: SCHEME, path: "/The score explained.md" });
const DIFFERENCE = vscode.Uri.from({ scheme: SCHEME, path: "/Compared.diff" });

/** Pages that are only read: nobody is asked whether they are to be saved. */
export class Explanation implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registered = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? NOTHING;
  }

  async show(text: string): Promise<void> {
    this.put(PAGE, text);
    await vscode.commands.executeCommand("markdown.showPreview", PAGE);
  }

  async showDifference(text: string): Promise<void> {
    this.put(DIFFERENCE, text);
    await vscode.window.showTextDocument(DIFFERENCE, { preview: true });
  }

  private put(page: vscode.Uri, text: string): void {
    this.texts.set(page.path, text);
    this.changed.fire(page);
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
