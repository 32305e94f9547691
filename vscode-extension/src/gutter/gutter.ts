/** Coverage of the changed lines, beside the line numbers: off unless a person wants it. */

import * as vscode from "vscode";
import type { Ask } from "../panel/panel";
import type { CoverageResult, StatusParams } from "../protocol";
import { Serial } from "../serial";
import type { Watcher } from "../watcher";
import { KINDS, marks, NONE, type Kind, type Mark, type Marks } from "./marks";

const SETTING = "gateline.coverageGutter";

export class CoverageGutter implements Watcher, vscode.Disposable {
  private readonly types: Readonly<Record<Kind, vscode.TextEditorDecorationType>>;
  private readonly refreshing = new Serial(() => this.refresh());
  private readonly listening: vscode.Disposable[];

  constructor(
    extension: vscode.Uri,
    private readonly ask: Ask,
  ) {
    const of = (kind: Kind) =>
      vscode.window.createTextEditorDecorationType({
        gutterIconPath: vscode.Uri.joinPath(extension, "media", "gutter", `${kind}.svg`),
        gutterIconSize: "contain",
      });
    this.types = { covered: of("covered"), partial: of("partial"), uncovered: of("uncovered"), stale: of("stale") };
    this.listening = [
      vscode.window.onDidChangeVisibleTextEditors(() => void this.refreshing.run()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTING)) void this.refreshing.run();
      }),
      // What was measured is of the text before: nothing is shown until it is known what of it still holds.
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.contentChanges.length > 0) this.clear(event.document);
      }),
    ];
  }

  begin(): void {
    for (const editor of vscode.window.visibleTextEditors) this.show(editor, NONE);
  }

  take(status: StatusParams): void {
    if (!status.working) void this.refreshing.run();
  }

  fail(): void {
    this.begin();
  }

  dispose(): void {
    for (const each of [...this.listening, ...Object.values(this.types)]) each.dispose();
  }

  private clear(document: vscode.TextDocument): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document === document) this.show(editor, NONE);
    }
  }

  private async refresh(): Promise<void> {
    const editors = vscode.window.visibleTextEditors.filter(({ document }) => document.languageId === "python");
    await Promise.all(editors.map((editor) => this.look(editor)));
  }

  private async look(editor: vscode.TextEditor): Promise<void> {
    const { uri, version } = editor.document;
    if (!vscode.workspace.getConfiguration(undefined, uri).get<boolean>(SETTING, false)) {
      this.show(editor, NONE);
      return;
    }
    const result = await this.answer(uri);
    if (editor.document.version === version) this.show(editor, result === undefined ? NONE : marks(result, version));
  }

  /** Nothing for a document that the server does not look at. */
  private async answer(uri: vscode.Uri): Promise<CoverageResult | undefined> {
    try {
      return await this.ask<CoverageResult>("gateline/coverage", { uri: uri.toString() });
    } catch {
      return undefined;
    }
  }

  private show(editor: vscode.TextEditor, shown: Marks): void {
    for (const kind of KINDS) editor.setDecorations(this.types[kind], shown[kind].map(decoration));
  }
}

function decoration({ line, message }: Mark): vscode.DecorationOptions {
  return { range: new vscode.Range(line, 0, line, 0), hoverMessage: message };
}
