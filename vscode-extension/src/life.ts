/** The server's life: started, started anew, stopped, and what is told when it cannot be. */

import path from "node:path";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { createClient, type Listener } from "./client";
import { Ends } from "./ends";
import { reason, sentence } from "./errors";
import { LastWords } from "./lastWords";
import { tell } from "./problem";
import type { Interpreters } from "./project/interpreter";
import type { DetectedParams, LoopResult } from "./protocol";
import { Teller } from "./project/told";
import { Serial } from "./serial";
import { within } from "./within";
import type { Problem } from "./server/choice";
import { prepareLaunch, type Launch, type Request } from "./server/launch";
import { ServerProcess } from "./server/process";
import { readSettings } from "./settings";
import type { Watcher } from "./watcher";

/** Milliseconds; a cold start on a busy machine takes ten seconds. */
const PATIENCE = 60_000;

/** What becomes of what the server says beside its status. */
export interface Heard {
  readonly onDetected: (detected: DetectedParams) => void;
  readonly onLoop: (loop: LoopResult) => void;
  readonly onAsk: Listener["onAsk"];
  /** A server answers. */
  readonly onRunning: () => unknown;
}

export class Life {
  private client: LanguageClient | undefined;
  private server: ServerProcess | undefined;
  private readonly serial = new Serial(() => this.renew());
  private ends = new Ends();
  private stopped = false;
  private readonly starts = new vscode.EventEmitter<void>();
  /** How the newest server was started; undefined until one was. */
  started: Launch | undefined;
  readonly onDidStart = this.starts.event;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly interpreters: Interpreters,
    private readonly watcher: Watcher,
    private readonly heard: Heard,
  ) {}

  /** The running client; undefined while there is none. */
  get running(): LanguageClient | undefined {
    return this.client?.isRunning() ? this.client : undefined;
  }

  /** Stop what runs, and start what the settings say now. Never two at a time. */
  restart(): Promise<void> {
    this.ends = new Ends();
    return this.serial.run();
  }

  /** For good. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.halt();
  }

  /** Asked anew after each wait: it may have been stopped meanwhile. */
  private isOver(): boolean {
    return this.stopped;
  }

  private async renew(): Promise<void> {
    await this.halt();
    if (this.isOver()) return;
    this.watcher.begin();
    try {
      const launch = await prepareLaunch(await this.request());
      if (this.isOver()) return;
      if (launch.kind === "problem") this.fail(launch);
      else await this.start(launch);
    } catch (error) {
      this.fail({ kind: "problem", message: `The gateline server cannot start: ${reason(error)}.`, next: "log" });
    }
  }

  private async start(launch: Launch): Promise<void> {
    this.log.info(`starting ${[launch.command, ...launch.args].join(" ")} (${launch.origin})`);
    const words = new LastWords();
    this.started = launch;
    this.starts.fire();
    let started = false;
    const server = (this.server = new ServerProcess(launch));
    words.listen(server.stderr, this.log);
    try {
      const client = await createClient(server, this.log, new Teller(this.interpreters, launch.command), {
        onStatus: (status) => this.watcher.take(status),
        onDetected: (detected) => this.heard.onDetected(detected),
        onLoop: (loop) => this.heard.onLoop(loop),
        onAsk: (params, token) => this.heard.onAsk(params, token),
        // Later, when the client knows it, too.
        onEnd: () => started && setImmediate(() => void this.revive(client, words)),
      });
      this.client = client;
      await within(PATIENCE, client.start());
      started = true;
      this.heard.onRunning();
    } catch (error) {
      server.kill();
      throw new Error((await words.get()) || reason(error), { cause: error });
    }
  }

  /** A server that ended by itself comes back, but not for ever. */
  private async revive(ended: LanguageClient, words: LastWords): Promise<void> {
    if (this.client !== ended) return;
    if (this.ends.add(Date.now())) return this.serial.run();
    const last = sentence(await words.get());
    const message = `The gateline server ended ${this.ends.count} times within a few minutes${last && `: ${last}`}.`;
    this.fail({ kind: "problem", message, next: "log" });
  }

  private async request(): Promise<Request> {
    const settings = readSettings();
    const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
    const trusted = vscode.workspace.isTrusted;
    const asked = trusted && settings.importStrategy === "fromEnvironment";
    return {
      path: settings.path,
      importStrategy: settings.importStrategy,
      serverInterpreter: settings.serverInterpreter,
      projectInterpreter: settings.interpreter,
      interpreter: asked ? await this.interpreters.of(vscode.workspace.workspaceFolders?.[0]) : undefined,
      trusted,
      untrustedFolders: trusted ? [] : folders,
      storage: this.context.globalStorageUri.fsPath,
      bundle: path.join(this.context.extensionPath, "bundled"),
    };
  }

  private async halt(): Promise<void> {
    const { client, server } = this;
    this.client = this.server = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      // One that is only starting cannot be stopped.
      this.log.warn(`while stopping: ${reason(error)}`);
    }
    server?.end();
  }

  private fail(problem: Problem): void {
    this.log.error(problem.message);
    this.watcher.fail(problem.message);
    void tell(problem);
  }
}
