/** Asking the server for people: what goes wrong is told, with one next step. */

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { isCancelled, reason } from "../errors";
import type { Life } from "../life";

/** The answer; undefined when there was none, which was told. */
export async function ask<T>(life: Life, question: (client: LanguageClient) => Promise<T>): Promise<T | undefined> {
  const client = life.running;
  if (client === undefined) {
    void offer("The gateline server does not run.", "Restart Server", "gateline.restartServer");
    return undefined;
  }
  try {
    return await question(client);
  } catch (error) {
    if (!isCancelled(error)) void offer(`gateline: ${reason(error)}.`, "Show Log", "gateline.showLog");
    return undefined;
  }
}

async function offer(message: string, title: string, command: string): Promise<void> {
  if ((await vscode.window.showWarningMessage(message, title)) === title) await vscode.commands.executeCommand(command);
}
