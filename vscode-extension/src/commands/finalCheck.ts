/** Judges the change at the final checkpoint, with progress that can be cancelled. */

import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { verdictLine } from "../explain/verdict";
import type { EvaluateParams, EvaluationResult } from "../protocol";
import { ask, folderLookedAt } from "./ask";
import type { Parts } from ".";

/** Of the folder at a URI, else of the one that a person looks at. */
export async function runFinalCheck(parts: Parts, folder?: string): Promise<EvaluationResult | undefined> {
  const result = await ask(parts.life, (client) => check(client, folder ?? folderLookedAt(client)));
  // Where the panel is seen, it says the same and more.
  if (result !== undefined && !parts.panel.visible) void say(result);
  return result;
}

async function check(client: LanguageClient, uri: string | null): Promise<EvaluationResult> {
  const { WorkDoneProgress } = await import("vscode-languageclient/node");
  const options = { location: vscode.ProgressLocation.Notification, title: "gateline: final check", cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const workDoneToken = randomUUID();
    const listening = client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
      if (value.kind === "report" && value.message !== undefined) progress.report({ message: value.message });
    });
    try {
      const params: EvaluateParams = { scope: "change", level: "final", workDoneToken, uri };
      return await client.sendRequest<EvaluationResult>("gateline/checkpoint/evaluate", params, token);
    } finally {
      listening.dispose();
    }
  });
}

function howToSay(status: string) {
  if (status === "PASS") return vscode.window.showInformationMessage;
  return status === "FAIL" ? vscode.window.showErrorMessage : vscode.window.showWarningMessage;
}

async function say(result: EvaluationResult): Promise<void> {
  const show = howToSay(result.decision.status);
  if ((await show(verdictLine(result), "Show Panel")) !== undefined) {
    await vscode.commands.executeCommand("gateline.showPanel");
  }
}
