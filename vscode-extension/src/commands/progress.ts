/** A request that takes a while: its progress is shown, and can be cancelled. */

import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

/** The answer to a request whose params take a `workDoneToken`. */
export async function withProgress<T>(client: LanguageClient, title: string, method: string, params: object): Promise<T> {
  const { WorkDoneProgress } = await import("vscode-languageclient/node");
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const workDoneToken = randomUUID();
    const listening = client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
      if (value.kind === "report" && value.message !== undefined) progress.report({ message: value.message });
    });
    try {
      return await client.sendRequest<T>(method, { ...params, workDoneToken }, token);
    } finally {
      listening.dispose();
    }
  });
}
