/** Work that was left: told once, with ways to it. */

import * as vscode from "vscode";
import type { DetectedParams, LeftWork, ShowTaskResult } from "../protocol";
import { RESTORABLE, answersFor, told } from "./words";

export interface Ways {
  /** Asks the server; undefined while there is none. */
  readonly ask: <T>(method: string, params: object) => Promise<T> | undefined;
  /** Shows a page of Markdown. */
  readonly show: (page: string) => Promise<void>;
}

export async function tellOfLeftWork({ folder, left }: DetectedParams, ways: Ways): Promise<void> {
  const answer = await vscode.window.showInformationMessage(told(left), ...answersFor(left));
  if (answer === RESTORABLE) await vscode.commands.executeCommand("gateline.restoreSavepoint", left.task.savepoint, folder);
  if (answer === "Show") await show(left, folder, ways);
}

async function show({ task }: LeftWork, uri: string, ways: Ways): Promise<void> {
  const shown = await ways.ask<ShowTaskResult>("gateline/task/show", { uri, task: task.id });
  if (shown !== undefined) await ways.show(shown.page);
}
