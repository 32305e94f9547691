/** The server's life: started, started anew, stopped, and what is told when it cannot be. */

import path from "node:path";
import * as vscode from "vscode";
import { State, type LanguageClient } from "vscode-languageclient/node";
import { createClient } from "./client";
import type { Interpreters } from "./project/interpreter";
import { tell } from "./problem";
import { Serial } from "./serial";
import { prepareLaunch } from "./server/launch";
import type { Problem } from "./server/choice";
import { readSettings } from "./settings";
import type { StatusParams } from "./protocol";

export interface Watcher {
  begin(): void;
  take(status: StatusParams): void;
  fail(message: string): void;
}

export class Life {
  private client: LanguageClient | undefined;
  private readonly serial = new Serial(() => this.renew());
  private ended = false;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly interpreters: Interpreters,
    private readonly watchers: readonly Watcher[],
  ) {}

  /** The running client; undefined while there is none. */
  get running(): LanguageClient | undefined {
    return this.client?.isRunning() ? this.client : undefined;
  }

  /** Stop what runs, and start what the settings say now. Never two at a time. */
  restart(): Promise<void> {
    return this.serial.run();
  }

  async stop(): Promise<void> {
    this.ended = true;
    await this.halt();
  }

  private async renew(): Promise<void> {
    await this.halt();
    if (this.ended) return;
    for (const watcher of this.watchers) watcher.begin();
    const launch = await prepareLaunch(await this.request());
    if (launch.kind === "problem") return this.fail(launch);
    this.log.info(`starting ${[launch.command, ...launch.args].join(" ")} (${launch.origin})`);
    const client = await createClient(launch, this.log, this.interpreters, {
      onStatus: (status) => this.watchers.forEach((watcher) => watcher.take(status)),
      onFailure: (message) => this.fail({ kind: "problem", message, next: "log" }),
    });
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.log.error(String(error));
      this.fail({ kind: "problem", message: `The gateline server cannot start: ${reason(error)}.`, next: "log" });
    }
  }

  private async request() {
    const settings = readSettings();
    const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
    const trusted = vscode.workspace.isTrusted;
    const asked = trusted && settings.importStrategy === "fromEnvironment";
    return {
      ...settings,
      trusted,
      projectInterpreter: settings.interpreter,
      interpreter: asked ? await this.interpreters.of(vscode.workspace.workspaceFolders?.[0]) : undefined,
      untrustedFolders: trusted ? [] : folders,
      storage: this.context.globalStorageUri.fsPath,
      bundle: path.join(this.context.extensionPath, "bundled"),
    };
  }

  private async halt(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client === undefined) return;
    try {
      // Stopping a client that never came up throws.
      if (client.state !== State.Stopped) await client.stop();
    } catch (error) {
      this.log.warn(`while stopping: ${String(error)}`);
    }
    await client.dispose().catch(() => undefined);
  }

  private fail(problem: Problem): void {
    this.log.error(problem.message);
    for (const watcher of this.watchers) watcher.fail(problem.message);
    void tell(problem);
  }
}

function reason(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
}
