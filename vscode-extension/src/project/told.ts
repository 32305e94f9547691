/** What the server is told of a folder: the section `gateline` as the protocol knows it. */

import * as vscode from "vscode";
import type { ClientSettings } from "../protocol";
import { readSettings } from "../settings";
import { drawnElsewhere } from "./drawn";
import type { Interpreters } from "./interpreter";

export async function told(interpreters: Interpreters, folder?: vscode.WorkspaceFolder): Promise<ClientSettings> {
  return { ...toldAtStart(folder), interpreter: (await interpreters.of(folder)) ?? null };
}

/** What is known without waiting for anyone. */
export function toldAtStart(folder?: vscode.WorkspaceFolder): ClientSettings {
  const { diagnostics, drawnElsewhere: given } = readSettings(folder);
  const drawn = given ?? drawnElsewhere(editor(folder));
  return { trusted: vscode.workspace.isTrusted, diagnostics, drawnElsewhere: [...drawn] };
}

function editor(folder: vscode.WorkspaceFolder | undefined) {
  const settings = vscode.workspace.getConfiguration(undefined, folder?.uri ?? null);
  return {
    isInstalled: (extension: string) => vscode.extensions.getExtension(extension) !== undefined,
    setting: (name: string) => settings.get<unknown>(name),
  };
}
