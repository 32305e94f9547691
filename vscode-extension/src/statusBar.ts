/** The change's score in the status bar. */

import * as vscode from "vscode";
import { look } from "./statusLook";
import type { StatusParams } from "./protocol";

const COLOURS = {
  none: undefined,
  warning: new vscode.ThemeColor("statusBarItem.warningBackground"),
  error: new vscode.ThemeColor("statusBarItem.errorBackground"),
};

export type Tooltip = (status: StatusParams) => string;

export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private readonly statuses = new Map<string, StatusParams>();
  private failure: string | undefined;
  private readonly listening: vscode.Disposable;

  constructor(private readonly tooltip: Tooltip) {
    this.item = vscode.window.createStatusBarItem("gateline.status", vscode.StatusBarAlignment.Left, 50);
    this.item.name = "gateline";
    this.item.accessibilityInformation = { label: "gateline" };
    this.listening = vscode.window.onDidChangeActiveTextEditor(() => this.draw());
    this.draw();
    this.item.show();
  }

  /** What the server says of a folder. */
  take(status: StatusParams): void {
    this.failure = undefined;
    this.statuses.set(vscode.Uri.parse(status.folder).toString(), status);
    this.draw();
  }

  /** A server begins: nothing that was said holds any more. */
  begin(): void {
    this.statuses.clear();
    this.failure = undefined;
    this.draw();
  }

  /** There is no server, and why. */
  fail(message: string): void {
    this.statuses.clear();
    this.failure = message;
    this.draw();
  }

  /** The status of the folder that the person looks at. */
  get current(): StatusParams | undefined {
    return this.statusOf(vscode.window.activeTextEditor?.document.uri);
  }

  private statusOf(uri: vscode.Uri | undefined): StatusParams | undefined {
    const folder = uri === undefined ? undefined : vscode.workspace.getWorkspaceFolder(uri);
    const own = folder === undefined ? undefined : this.statuses.get(folder.uri.toString());
    return own ?? this.statuses.values().next().value;
  }

  private draw(): void {
    const status = this.current;
    const shown = look(status, this.failure);
    this.item.text = shown.text;
    this.item.backgroundColor = COLOURS[shown.colour];
    this.item.command = this.failure === undefined ? "gateline.showPanel" : "gateline.showLog";
    this.item.tooltip = new vscode.MarkdownString(
      status !== undefined && this.failure === undefined ? this.tooltip(status) : shown.detail,
    );
    this.item.accessibilityInformation = { label: `gateline: ${shown.spoken}`, role: "button" };
  }

  dispose(): void {
    this.listening.dispose();
    this.item.dispose();
  }
}
