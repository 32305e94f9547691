/** Judges the change at the final checkpoint, with progress that can be cancelled. */

import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { WorkDoneProgress } from "vscode-languageclient/node";
import type { EvaluateParams, EvaluationResult } from "../protocol";
import type { Parts } from ".";

export async function runFinalCheck(parts: Parts): Promise<EvaluationResult | undefined> {
  const client = parts.life.running;
  if (client === undefined) {
    void vscode.window.showWarningMessage("The gateline server does not run.", "Restart Server").then((chosen) => {
      if (chosen !== undefined) void parts.life.restart();
    });
    return undefined;
  }
  const options = { location: vscode.ProgressLocation.Notification, title: "gateline: final check", cancellable: true };
  const result = await vscode.window.withProgress(options, async (progress, token) => {
    const workDoneToken = randomUUID();
    const listening = client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
      if (value.kind === "report" && value.message !== undefined) progress.report({ message: value.message });
    });
    try {
      const uri = vscode.window.activeTextEditor?.document.uri;
      const params: EvaluateParams = {
        scope: "change",
        level: "final",
        workDoneToken,
        uri: uri === undefined ? null : client.code2ProtocolConverter.asUri(uri),
      };
      return await client.sendRequest<EvaluationResult>("gateline/checkpoint/evaluate", params, token);
    } finally {
      listening.dispose();
    }
  });
  void vscode.window.showInformationMessage(`gateline: ${result.decision.outcome}`, "Show Panel").then((chosen) => {
    if (chosen !== undefined) void vscode.commands.executeCommand("gateline.showPanel");
  });
  return result;
}
