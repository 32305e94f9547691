/** The entry in the language status of Python files: whether the server runs. */

import * as vscode from "vscode";
import { SELECTOR } from "./selector";
import type { StatusParams } from "./protocol";
import type { Watcher } from "./watcher";

export class LanguageStatus implements Watcher, vscode.Disposable {
  private readonly item: vscode.LanguageStatusItem;

  constructor() {
    this.item = vscode.languages.createLanguageStatusItem("gateline.language", SELECTOR);
    this.item.name = "gateline";
    this.item.command = { title: "Show Log", command: "gateline.showLog" };
    this.begin();
  }

  begin(): void {
    this.show("gateline is starting", true, vscode.LanguageStatusSeverity.Information, "");
  }

  take(status: StatusParams): void {
    const limits = status.limits.length;
    const detail = limits === 0 ? "" : `${limits} could not be judged`;
    this.show(`gateline: ${status.label}`, status.working, vscode.LanguageStatusSeverity.Information, detail);
  }

  fail(message: string): void {
    this.show("gateline does not run", false, vscode.LanguageStatusSeverity.Error, message);
  }

  private show(text: string, busy: boolean, severity: vscode.LanguageStatusSeverity, detail: string): void {
    Object.assign(this.item, { text, busy, severity, detail });
  }

  dispose(): void {
    this.item.dispose();
  }
}
