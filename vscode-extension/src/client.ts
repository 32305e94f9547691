/** The language client: what it is told, and what becomes of its end. */

import * as vscode from "vscode";
import type { ErrorHandler, LanguageClient, LanguageClientOptions, Middleware } from "vscode-languageclient/node";
import { Ends } from "./ends";
import type { StatusParams } from "./protocol";
import { Teller } from "./project/told";
import type { Interpreters } from "./project/interpreter";
import { SELECTOR } from "./selector";
import type { Launch } from "./server/launch";

/** Takes up to 300 ms on a slow machine: loaded after activation, and once. */
export const library = () => import("vscode-languageclient/node");
type Library = Awaited<ReturnType<typeof library>>;

export interface Listener {
  /** It begins again by itself, after it ended. */
  onBegin(): void;
  onStatus(status: StatusParams): void;
  /** It ended too often, and does not begin again by itself. */
  onFailure(message: string): void;
}

/** A client that is not started yet. */
export async function createClient(
  launch: Launch,
  log: vscode.LogOutputChannel,
  interpreters: Interpreters,
  listener: Listener,
): Promise<LanguageClient> {
  const loaded = await library();
  const teller = new Teller(interpreters, launch.command);
  // Without `transport` nothing is added to the arguments; standard input and output are the default.
  const run = { command: launch.command, args: [...launch.args], options: { cwd: launch.cwd, env: launch.env } };
  const options: LanguageClientOptions = {
    documentSelector: SELECTOR,
    outputChannel: log,
    traceOutputChannel: log,
    revealOutputChannelOn: loaded.RevealOutputChannelOn.Never,
    initializationOptions: teller.atStart(),
    initializationFailedHandler: () => false,
    middleware: middleware(teller),
    errorHandler: errorHandler(loaded, listener),
  };
  const client = new loaded.LanguageClient("gateline", "gateline", { run, debug: run }, options);
  client.onNotification("gateline/status", (status: StatusParams) => listener.onStatus(status));
  client.onDidChangeState(({ newState }) => {
    if (newState === loaded.State.Starting) listener.onBegin();
  });
  return client;
}

/** The server asks for the section `gateline` of each folder; it gets what is known, not what is written. */
function middleware(teller: Teller): Middleware {
  return {
    workspace: {
      configuration: (params, token, next) => {
        if (params.items.some((item) => item.section !== "gateline")) return next(params, token);
        const folders = params.items.map((item) => folderOf(item.scopeUri));
        return Promise.all(folders.map((folder) => teller.told(folder)));
      },
    },
  };
}

function folderOf(uri: string | undefined): vscode.WorkspaceFolder | undefined {
  return uri === undefined ? undefined : vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(uri));
}

/** A server that crashes comes back, but not for ever. */
function errorHandler({ CloseAction, ErrorAction }: Library, listener: Listener): ErrorHandler {
  const ends = new Ends();
  return {
    error: () => ({ action: ErrorAction.Continue, handled: true }),
    closed: () => {
      if (ends.add(Date.now())) return { action: CloseAction.Restart, handled: true };
      listener.onFailure(`The gateline server ended ${ends.count} times within a few minutes.`);
      return { action: CloseAction.DoNotRestart, handled: true };
    },
  };
}
