/** Looks for why the test under the cursor fails, and repairs it when that was verified. */

import * as vscode from "vscode";
import { folderLookedAt } from "../lookedAt";
import { ask } from "./ask";
import { withProgress } from "./progress";
import type { Parts } from ".";

/** The server tells itself what came of it; here is only said where to look. */
export async function debugTest(parts: Parts): Promise<void> {
  await ask(parts.life, (client) => {
    const line = vscode.window.activeTextEditor?.selection.active.line ?? null;
    const params = { command: "gateline.debugTest", arguments: [{ uri: folderLookedAt(client), line }] };
    return withProgress(client, "gateline: debugging a test", "workspace/executeCommand", params);
  });
}
