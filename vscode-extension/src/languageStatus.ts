/** The entry in the language status of Python files: whether the server runs. */

import * as vscode from "vscode";
import { folderOfEditor, onDidLookElsewhere } from "./lookedAt";
import { SELECTOR } from "./selector";
import type { StatusParams } from "./protocol";
import { Statuses } from "./statuses";
import type { Watcher } from "./watcher";

export class LanguageStatus implements Watcher, vscode.Disposable {
  private readonly item: vscode.LanguageStatusItem;
  private readonly statuses = new Statuses();
  private readonly listening = onDidLookElsewhere(() => this.draw());

  constructor() {
    this.item = vscode.languages.createLanguageStatusItem("gateline.language", SELECTOR);
    this.item.name = "gateline";
    this.item.command = { title: "Show Log", command: "gateline.showLog" };
    this.begin();
  }

  begin(): void {
    this.statuses.clear();
    this.show("gateline is starting", true, vscode.LanguageStatusSeverity.Information, "");
  }

  take(status: StatusParams): void {
    this.statuses.take(vscode.Uri.parse(status.folder).toString(), status);
    this.draw();
  }

  fail(message: string): void {
    this.statuses.clear();
    this.show("gateline does not run", false, vscode.LanguageStatusSeverity.Error, message);
  }

  private draw(): void {
    const status = this.statuses.of(folderOfEditor())?.now;
    if (status === undefined) return;
    const limits = status.limits.length;
    const detail = limits === 0 ? "" : `${limits} could not be judged`;
    this.show(`gateline: ${status.label}`, status.working, vscode.LanguageStatusSeverity.Information, detail);
  }

  private show(text: string, busy: boolean, severity: vscode.LanguageStatusSeverity, detail: string): void {
    Object.assign(this.item, { text, busy, severity, detail });
  }

  dispose(): void {
    this.listening.dispose();
    this.item.dispose();
  }
}
