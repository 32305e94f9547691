/** Offers the MCP server to the editor's agents, in editors that know such providers. */

import * as vscode from "vscode";
import type { Life } from "../life";
import { definitions } from "./definitions";

export const PROVIDER = "gateline";

/** What newer editors have, of which the types that we compile with know nothing. */
interface Servers {
  readonly lm?: { registerMcpServerDefinitionProvider?(id: string, provider: object): vscode.Disposable };
  readonly McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ) => object;
}

/** Nothing where the editor has no such servers. */
export function offerMcpServer(life: Life, editor: Servers = vscode as unknown as Servers): vscode.Disposable[] {
  const { lm, McpStdioServerDefinition: Server } = editor;
  if (lm?.registerMcpServerDefinitionProvider === undefined || Server === undefined) return [];
  const provideMcpServerDefinitions = (): object[] => {
    // In a workspace that is not trusted no agent is told to start programs.
    if (!vscode.workspace.isTrusted) return [];
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({ name, path: uri.fsPath }));
    return definitions(life.started, folders).map(({ label, command, args, env }) => new Server(label, command, args, env));
  };
  const provider = { onDidChangeMcpServerDefinitions: life.onDidStart, provideMcpServerDefinitions };
  return [lm.registerMcpServerDefinitionProvider(PROVIDER, provider)];
}
