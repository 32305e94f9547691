/** Lets language models search the workspace, in editors that know tools. */

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { folderLookedAt } from "../lookedAt";
import type { Life } from "../life";
import type { ContextForPositionParams, ContextResult, ContextSearchParams } from "../protocol";
import { markdown } from "./markdown";

export const TOOL = "gateline_context";

export interface ToolInput {
  readonly query: string;
  readonly kind?: "implementation" | "tests" | "docs" | "any";
  /** From the folder; with a line, what belongs to that line is answered, and the query is its title. */
  readonly file?: string;
  /** Counted from one. */
  readonly line?: number;
}

interface Options {
  readonly input: ToolInput;
  readonly tokenizationOptions?: { readonly tokenBudget: number };
}

/** What newer editors have, of which the types that we compile with know nothing. */
interface Tools {
  readonly lm?: { registerTool?(name: string, tool: object): vscode.Disposable };
  readonly LanguageModelToolResult?: new (parts: readonly unknown[]) => unknown;
  readonly LanguageModelTextPart?: new (text: string) => unknown;
}

/** Nothing where the editor has no tools. */
export function registerTool(life: Life, editor: Tools = vscode as unknown as Tools): vscode.Disposable[] {
  const { lm, LanguageModelToolResult: Result, LanguageModelTextPart: Text } = editor;
  if (lm?.registerTool === undefined || Result === undefined || Text === undefined) return [];
  const invoke = async (options: Options, token: vscode.CancellationToken) => new Result([new Text(await found(life, options, token))]);
  return [lm.registerTool(TOOL, { invoke })];
}

async function found(life: Life, { input, tokenizationOptions }: Options, token: vscode.CancellationToken): Promise<string> {
  const client = life.running;
  if (client === undefined) throw new Error("The gateline server does not run: run the command gateline: Restart Server.");
  const budget = Math.min(Math.max(tokenizationOptions?.tokenBudget ?? 4000, 50), 200000);
  const result = await asked(client, input, budget, token);
  const warning = result.warning === "" ? "" : `\n${result.warning}\n`;
  return markdown(input.query, result) + warning;
}

function asked(client: LanguageClient, input: ToolInput, budget: number, token: vscode.CancellationToken): Promise<ContextResult> {
  const folder = folderLookedAt(client);
  const shared = { budget, deadline: 500, counted: true };
  if (input.file !== undefined && input.line !== undefined && folder !== null) {
    const uri = client.code2ProtocolConverter.asUri(vscode.Uri.joinPath(vscode.Uri.parse(folder), input.file));
    const params: ContextForPositionParams = { ...shared, uri, position: { line: Math.max(0, input.line - 1) } };
    return client.sendRequest<ContextResult>("gateline/context/forPosition", params, token);
  }
  const params: ContextSearchParams = { ...shared, query: input.query, kind: input.kind ?? "implementation", uri: folder };
  return client.sendRequest<ContextResult>("gateline/context/search", params, token);
}
