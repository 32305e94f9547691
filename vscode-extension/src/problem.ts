/** One message with one next step. */

import * as vscode from "vscode";
import type { NextStep, Problem } from "./server/choice";

const web = (address: string) => vscode.env.openExternal(vscode.Uri.parse(address));

const STEPS: Readonly<Record<NextStep, { readonly title: string; readonly run: () => Thenable<unknown> }>> = {
  settings: { title: "Open Settings", run: () => vscode.commands.executeCommand("gateline.showSettings") },
  log: { title: "Show Log", run: () => vscode.commands.executeCommand("gateline.showLog") },
  "install python": { title: "Get Python", run: () => web("https://www.python.org/downloads/") },
  "use wsl": { title: "How to Use WSL", run: () => web("https://code.visualstudio.com/docs/remote/wsl") },
};

export async function tell(problem: Problem): Promise<void> {
  const step = STEPS[problem.next];
  if ((await vscode.window.showErrorMessage(problem.message, step.title)) === step.title) await step.run();
}
