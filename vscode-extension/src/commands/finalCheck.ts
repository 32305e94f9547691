/** Judges the change at the final checkpoint, with progress that can be cancelled. */

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { verdictLine } from "../explain/verdict";
import type { EvaluateParams, EvaluationResult } from "../protocol";
import { folderLookedAt } from "../lookedAt";
import { ask } from "./ask";
import { withProgress } from "./progress";
import type { Parts } from ".";

/** Of the folder at a URI, else of the one that a person looks at. */
export async function runFinalCheck(parts: Parts, folder?: string): Promise<EvaluationResult | undefined> {
  const result = await ask(parts.life, (client) => check(client, folder ?? folderLookedAt(client)));
  // Where the panel is seen, it says the same and more.
  if (result !== undefined && !parts.panel.visible) void say(result);
  return result;
}

function check(client: LanguageClient, uri: string | null): Promise<EvaluationResult> {
  const params: EvaluateParams = { scope: "change", level: "final", uri };
  return withProgress(client, "gateline: final check", "gateline/checkpoint/evaluate", params);
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
