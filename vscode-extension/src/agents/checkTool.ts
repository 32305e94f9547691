/** Lets language models ask the gate, in editors that know tools: the method that the MCP server asks, too. */

import * as vscode from "vscode";
import { folderLookedAt } from "../lookedAt";
import type { Life } from "../life";
import type { CheckParams, CheckResult } from "../protocol";
import { verdict } from "./verdict";

export const TOOL = "gateline_check";

export interface ToolInput {
  readonly level?: "early" | "middle" | "final";
  /** A file that is not written yet, with its whole text. */
  readonly path?: string;
  readonly text?: string;
}

interface Options {
  readonly input: ToolInput;
}

/** What newer editors have, of which the types that we compile with know nothing. */
interface Tools {
  readonly lm?: { registerTool?(name: string, tool: object): vscode.Disposable };
  readonly LanguageModelToolResult?: new (parts: readonly unknown[]) => unknown;
  readonly LanguageModelTextPart?: new (text: string) => unknown;
}

const PATIENCE = 20_000;

/** Nothing where the editor has no tools. */
export function registerCheckTool(life: Life, editor: Tools = vscode as unknown as Tools): vscode.Disposable[] {
  const { lm, LanguageModelToolResult: Result, LanguageModelTextPart: Text } = editor;
  if (lm?.registerTool === undefined || Result === undefined || Text === undefined) return [];
  const invoke = async (options: Options, token: vscode.CancellationToken) => new Result([new Text(await judged(life, options, token))]);
  return [lm.registerTool(TOOL, { invoke })];
}

async function judged(life: Life, { input }: Options, token: vscode.CancellationToken): Promise<string> {
  const client = life.running;
  if (client === undefined) throw new Error("The gateline server does not run: run the command gateline: Restart Server.");
  const texts = input.path !== undefined && input.text !== undefined ? [{ path: input.path, text: input.text }] : [];
  const params: CheckParams = { uri: folderLookedAt(client), level: input.level ?? "early", texts, patience: PATIENCE };
  return verdict(await client.sendRequest<CheckResult>("gateline/check", params, token));
}
