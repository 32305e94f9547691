/** The language client: what it is told, and what becomes of its end. */

import * as vscode from "vscode";
import type { LanguageClient, LanguageClientOptions, Middleware } from "vscode-languageclient/node";
import type { StatusParams } from "./protocol";
import { told, toldAtStart } from "./project/told";
import type { Interpreters } from "./project/interpreter";
import type { Launch } from "./server/launch";

export const SELECTOR = [
  { scheme: "file", language: "python" },
  { scheme: "untitled", language: "python" },
];

export interface Listener {
  onStatus(status: StatusParams): void;
  /** The server ended too often, or did not answer; it is not started again by itself. */
  onFailure(message: string): void;
}

/** A client that is not started yet. The library is loaded now, because it is the heaviest part. */
export async function createClient(
  launch: Launch,
  log: vscode.LogOutputChannel,
  interpreters: Interpreters,
  listener: Listener,
): Promise<LanguageClient> {
  const { LanguageClient, RevealOutputChannelOn } = await import("vscode-languageclient/node");
  // Without `transport` nothing is added to the arguments; standard input and output are the default.
  const run = { command: launch.command, args: [...launch.args], options: { cwd: launch.cwd, env: launch.env } };
  const options: LanguageClientOptions = {
    documentSelector: SELECTOR,
    outputChannel: log,
    traceOutputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: toldAtStart(),
    initializationFailedHandler: () => false,
    middleware: middleware(interpreters),
    errorHandler: await errorHandler(listener),
  };
  const client = new LanguageClient("gateline", "gateline", { run, debug: run }, options);
  client.onNotification("gateline/status", (status: StatusParams) => listener.onStatus(status));
  return client;
}

/** The server asks for the section `gateline` of each folder; it gets what is known, not what is written. */
function middleware(interpreters: Interpreters): Middleware {
  return {
    workspace: {
      configuration: (params, token, next) => {
        if (params.items.some((item) => item.section !== "gateline")) return next(params, token);
        const folders = params.items.map((item) => folderOf(item.scopeUri));
        return Promise.all(folders.map((folder) => told(interpreters, folder)));
      },
    },
  };
}

function folderOf(uri: string | undefined): vscode.WorkspaceFolder | undefined {
  return uri === undefined ? undefined : vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(uri));
}

const MOST = 4;
const WITHIN = 180_000; // milliseconds

/** A server that crashes comes back, but not for ever. */
async function errorHandler(listener: Listener) {
  const { CloseAction, ErrorAction } = await import("vscode-languageclient/node");
  const ends: number[] = [];
  return {
    error: () => ({ action: ErrorAction.Continue, handled: true }),
    closed: () => {
      const now = Date.now();
      ends.push(now);
      if (ends.filter((end) => now - end < WITHIN).length <= MOST) {
        return { action: CloseAction.Restart, handled: true };
      }
      listener.onFailure(`The gateline server ended ${MOST + 1} times within three minutes.`);
      return { action: CloseAction.DoNotRestart, handled: true };
    },
  };
}
