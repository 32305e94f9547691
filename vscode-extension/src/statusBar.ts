/** The change's score in the status bar. */

import * as vscode from "vscode";
import { folderOfEditor, onDidLookElsewhere } from "./lookedAt";
import { Statuses } from "./statuses";
import { LINKS, shown, starting, stopped, type Shown } from "./status/status";
import type { StatusParams } from "./protocol";
import type { Watcher } from "./watcher";

const BACKGROUNDS: Readonly<Record<Shown["background"], vscode.ThemeColor | undefined>> = {
  none: undefined,
  warning: new vscode.ThemeColor("statusBarItem.warningBackground"),
  error: new vscode.ThemeColor("statusBarItem.errorBackground"),
};

export class StatusBar implements Watcher, vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("gateline.status", vscode.StatusBarAlignment.Left, 50);
  private readonly statuses = new Statuses();
  private failure: string | undefined;
  private readonly listening = onDidLookElsewhere(() => this.draw());

  constructor() {
    this.item.name = "gateline";
    this.draw();
    this.item.show();
  }

  begin(): void {
    this.statuses.clear();
    this.failure = undefined;
    this.draw();
  }

  take(status: StatusParams): void {
    this.failure = undefined;
    this.statuses.take(vscode.Uri.parse(status.folder).toString(), status);
    this.draw();
  }

  fail(message: string): void {
    this.statuses.clear();
    this.failure = message;
    this.draw();
  }

  private draw(): void {
    const look = this.look();
    this.item.text = look.text;
    this.item.backgroundColor = BACKGROUNDS[look.background];
    this.item.command = this.failure === undefined ? "gateline.showPanel" : "gateline.showLog";
    this.item.tooltip = new vscode.MarkdownString(look.tooltip);
    this.item.tooltip.isTrusted = { enabledCommands: LINKS };
    this.item.accessibilityInformation = { label: look.label, role: "button" };
  }

  private look(): Shown {
    if (this.failure !== undefined) return stopped(this.failure);
    const known = this.statuses.of(folderOfEditor());
    return known === undefined ? starting() : shown(known.now, known.last);
  }

  dispose(): void {
    this.listening.dispose();
    this.item.dispose();
  }
}
