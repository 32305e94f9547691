/** The panel in VS Code: asks the server for what it shows, and does what the page asks for. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { reason } from "../errors";
import type { CurrentResult, HistoryResult, SavepointsResult, StatusParams } from "../protocol";
import { Serial } from "../serial";
import type { Watcher } from "../watcher";
import { jump } from "./jump";
import { messageOf, type Message } from "./messages";
import { Model } from "./model";
import { page } from "./page";

const KIND = "gateline.panel";

/** Milliseconds after a verdict in which the server writes it down and keeps the content. */
const WRITTEN = 5000;

/** Asks the server; undefined while there is none. */
export type Ask = <T>(method: string, params: object) => Promise<T> | undefined;

export class ScorePanel implements Watcher, vscode.Disposable, vscode.WebviewPanelSerializer {
  private readonly model = new Model();
  private readonly refreshing = new Serial(() => this.refresh());
  private panel: vscode.WebviewPanel | undefined;
  private remembering: NodeJS.Timeout | undefined;
  private readonly listening: vscode.Disposable[];

  constructor(
    private readonly extension: vscode.Uri,
    private readonly log: vscode.LogOutputChannel,
    private readonly ask: Ask,
  ) {
    this.listening = [
      vscode.window.registerWebviewPanelSerializer(KIND, this),
      vscode.window.onDidChangeActiveTextEditor((editor) => this.follow(editor)),
    ];
    this.follow(vscode.window.activeTextEditor);
  }

  /** Bring the panel to the front, beside the code. */
  show(): void {
    if (this.panel !== undefined) {
      this.panel.reveal();
    } else {
      this.adopt(vscode.window.createWebviewPanel(KIND, "gateline", vscode.ViewColumn.Beside));
    }
  }

  /** Whether somebody can see it now. */
  get visible(): boolean {
    return this.panel?.visible === true;
  }

  /** VS Code was started again with the panel open. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.panel?.dispose();
    this.adopt(panel);
    return Promise.resolve();
  }

  begin(): void {
    this.model.begin();
    this.post();
  }

  take(status: StatusParams): void {
    const uri = vscode.Uri.parse(status.folder);
    this.model.take(uri.toString(), nameOf(uri), status);
    if (status.working) this.post();
    else void this.refreshing.run();
  }

  fail(message: string): void {
    this.model.fail(message);
    this.post();
  }

  dispose(): void {
    clearTimeout(this.remembering);
    for (const each of [...this.listening, this.panel]) each?.dispose();
  }

  private adopt(panel: vscode.WebviewPanel): void {
    const own = ["out", "media"].map((name) => vscode.Uri.joinPath(this.extension, name));
    const [scripts, media] = own as [vscode.Uri, vscode.Uri];
    this.panel = panel;
    panel.iconPath = vscode.Uri.joinPath(media, "icon.png");
    panel.webview.options = { enableScripts: true, localResourceRoots: own };
    panel.onDidDispose(() => {
      if (this.panel === panel) this.panel = undefined;
    });
    panel.webview.onDidReceiveMessage((message) => void this.hear(message));
    panel.webview.html = page({
      origin: panel.webview.cspSource,
      script: String(panel.webview.asWebviewUri(vscode.Uri.joinPath(scripts, "panel.js"))),
      style: String(panel.webview.asWebviewUri(vscode.Uri.joinPath(media, "panel", "panel.css"))),
      nonce: randomBytes(16).toString("base64"),
    });
  }

  private async hear(given: unknown): Promise<void> {
    const message = messageOf(given);
    if (message === undefined) this.log.warn(`the panel sent what nobody understands: ${JSON.stringify(given)}`);
    else await this.obey(message);
  }

  private async obey(message: Message): Promise<void> {
    switch (message.kind) {
      case "ready":
        this.post();
        await Promise.all([this.refreshing.run(), this.remember()]);
        return;
      case "choose":
        this.model.choose(message.folder);
        this.post();
        await Promise.all([this.refreshing.run(), this.remember()]);
        return;
      case "savepoint":
        await vscode.commands.executeCommand(`gateline.${message.action}Savepoint`, message.id, this.model.address);
        return this.remember();
      case "command":
        await vscode.commands.executeCommand(message.command, this.model.address);
        return;
      case "open":
        if (this.model.folder !== undefined) await jump(message.place, vscode.Uri.parse(this.model.folder), this.panel?.viewColumn);
    }
  }

  /** Of several folders, the one in which somebody works. */
  private follow(editor: vscode.TextEditor | undefined): void {
    const folder = editor && vscode.workspace.getWorkspaceFolder(editor.document.uri);
    if (folder === undefined || folder.uri.toString() === this.model.folder) return;
    this.model.choose(folder.uri.toString());
    void this.refreshing.run();
  }

  /** Nobody is asked for what nobody sees. */
  private async refresh(): Promise<void> {
    const { folder, address } = this.model;
    if (!this.visible || folder === undefined) return;
    try {
      const [current, history] = await Promise.all([
        this.ask<CurrentResult>("gateline/checkpoint/current", { uri: address }),
        this.ask<HistoryResult>("gateline/checkpoint/history", { uri: address }),
      ]);
      if (current !== undefined && history !== undefined) this.model.learn(folder, current.evaluation, history.entries);
    } catch (error) {
      this.log.warn(`the panel has no answer: ${reason(error)}`);
    }
    this.post();
    // What is written down is asked for once nobody types any more.
    clearTimeout(this.remembering);
    this.remembering = setTimeout(() => void this.remember(), WRITTEN);
  }

  /** What is remembered of the task, also of other days. */
  private async remember(): Promise<void> {
    const { folder, address } = this.model;
    if (!this.visible || folder === undefined) return;
    try {
      const [history, known] = await Promise.all([
        this.ask<HistoryResult>("gateline/checkpoint/history", { uri: address, of: "task" }),
        this.ask<SavepointsResult>("gateline/savepoint/list", { uri: address }),
      ]);
      if (history !== undefined && known !== undefined) this.model.remember(folder, history.scores, known.savepoints);
    } catch (error) {
      this.log.warn(`the time line is not whole: ${reason(error)}`);
    }
    this.post();
  }

  private post(): void {
    void this.panel?.webview.postMessage({ kind: "state", state: this.model.state });
  }
}

function nameOf(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri)?.name ?? uri.path.slice(uri.path.lastIndexOf("/") + 1);
}
