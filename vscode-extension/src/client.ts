/** The language client: what it is told, and what becomes of its end. */

import * as vscode from "vscode";
import type { ErrorHandler, LanguageClient, LanguageClientOptions, Middleware, StaticFeature } from "vscode-languageclient/node";
import { sender } from "./gone";
import { isCancelled, reason } from "./errors";
import type { AskModelParams, AskModelResult, DetectedParams, LoopResult, StatusParams } from "./protocol";
import type { Teller } from "./project/told";
import { RESTORE, unsaved } from "./restoring/dirty";
import { SELECTOR } from "./selector";
import type { ServerProcess } from "./server/process";

/** Takes up to 300 ms on a slow machine: loaded after activation, and once. */
const library = () => import("vscode-languageclient/node");
type Library = Awaited<ReturnType<typeof library>>;

export interface Listener {
  onStatus(status: StatusParams): void;
  /** Work was left. */
  onDetected(detected: DetectedParams): void;
  /** A refinement loop stands otherwise than before. */
  onLoop(loop: LoopResult): void;
  /** The editor's model is asked. Throws what is told as the reason why it does not answer. */
  onAsk(params: AskModelParams, token: vscode.CancellationToken): Promise<AskModelResult>;
  /** It ended by itself. It does not begin again by itself. */
  onEnd(): void;
}

/** A client that is not started yet. */
export async function createClient(
  server: ServerProcess,
  log: vscode.LogOutputChannel,
  teller: Teller,
  listener: Listener,
): Promise<LanguageClient> {
  const loaded = await library();
  const options: LanguageClientOptions = {
    documentSelector: SELECTOR,
    outputChannel: log,
    traceOutputChannel: log,
    revealOutputChannelOn: loaded.RevealOutputChannelOn.Never,
    // Heard from the beginning, not only from now on.
    stdioOptions: { stdout: () => undefined, stderr: () => undefined },
    initializationOptions: teller.atStart(),
    initializationFailedHandler: () => false,
    middleware: { ...middleware(teller), sendRequest: sender(loaded, () => client.isRunning()) },
    errorHandler: errorHandler(loaded, listener),
  };
  const client: LanguageClient = new (quiet(loaded))("gateline", "gateline", () => server.running(), options);
  client.onNotification("gateline/status", (status: StatusParams) => listener.onStatus(status));
  client.onNotification("gateline/checkpoint/detected", (detected: DetectedParams) => listener.onDetected(detected));
  client.onNotification("gateline/refine/progress", (loop: LoopResult) => listener.onLoop(loop));
  client.registerFeature(MODEL);
  client.onRequest("gateline/model/ask", answering(loaded, listener));
  return client;
}

/** Says that the editor's model can be asked; it is asked only for what a person agreed to. */
const MODEL: StaticFeature = {
  fillClientCapabilities: (capabilities) => (capabilities.experimental = { ...(capabilities.experimental as object | undefined), gateline: { model: true } }),
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};

function answering({ ResponseError, LSPErrorCodes }: Library, listener: Listener) {
  return async (params: AskModelParams, token: vscode.CancellationToken) => {
    try {
      return await listener.onAsk(params, token);
    } catch (error) {
      const isOver = isCancelled(error) || token.isCancellationRequested;
      return new ResponseError(isOver ? LSPErrorCodes.RequestCancelled : LSPErrorCodes.RequestFailed, isOver ? "cancelled" : reason(error));
    }
  };
}

/** The library's own pop-ups have no next step; each is in the log, and we tell what matters ourselves. */
function quiet({ LanguageClient }: Library) {
  return class extends LanguageClient {
    override error(message: string, data?: unknown): void {
      super.error(message, data, false);
    }
  };
}

/** The server asks for the section `gateline` of each folder; it gets what is known, not what is written. */
function middleware(teller: Teller): Middleware {
  return {
    // Only the editor knows what was not saved, of documents that the server does not see.
    executeCommand: async (command, args: unknown[], next): Promise<unknown> =>
      (await next(command, command === RESTORE ? [{ ...(args[0] ?? {}), dirty: unsaved() }, ...args.slice(1)] : args)) as unknown,
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

/** What becomes of a server that ended is not the library's matter. */
function errorHandler({ CloseAction, ErrorAction }: Library, listener: Listener): ErrorHandler {
  return {
    error: () => ({ action: ErrorAction.Continue, handled: true }),
    closed: () => {
      listener.onEnd();
      return { action: CloseAction.DoNotRestart, handled: true, message: "The server ended." };
    },
  };
}
