/** Runs the tests of the change on the texts as they are in the editor. */

import * as vscode from "vscode";
import type { RunTestsParams, RunTestsResult } from "../protocol";
import { summary } from "../tests/summary";
import { folderLookedAt } from "../lookedAt";
import { ask } from "./ask";
import { withProgress } from "./progress";
import type { Parts } from ".";

export async function runTests(parts: Parts, which: "affected" | "all"): Promise<RunTestsResult | undefined> {
  const result = await ask(parts.life, (client) => {
    const params: RunTestsParams = { uri: folderLookedAt(client), which };
    return withProgress<RunTestsResult>(client, `gateline: ${which} tests`, "gateline/tests/run", params);
  });
  if (result !== undefined) {
    const show = result.failing > 0 ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
    void show(summary(result));
  }
  return result;
}
