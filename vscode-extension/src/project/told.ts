/** What the server is told of a folder: the section `gateline` as the protocol knows it. */

import * as vscode from "vscode";
import type { ClientSettings } from "../protocol";
import { readSettings } from "../settings";
import { drawnElsewhere } from "./drawn";
import type { Interpreters } from "./interpreter";

/** Settings of others that what is told depends on. */
export const LOOKED_AT = ["python", "basedpyright", "ty", "ruff"];

export class Teller {
  /** `server` is the interpreter that runs the server. */
  constructor(
    private readonly interpreters: Interpreters,
    private readonly server: string,
  ) {}

  async told(folder: vscode.WorkspaceFolder | undefined): Promise<ClientSettings> {
    const known = this.atStart(folder);
    return vscode.workspace.isTrusted ? { ...known, interpreter: (await this.interpreters.of(folder)) ?? null } : known;
  }

  /** What is known without waiting for anyone. */
  atStart(folder?: vscode.WorkspaceFolder): ClientSettings {
    const { diagnostics, drawnElsewhere: given } = readSettings(folder);
    const drawn = given ?? drawnElsewhere(editor(folder));
    // The server, left alone, asks the `.venv` of the folder where its packages are, and that is to run it.
    const interpreter = vscode.workspace.isTrusted ? null : this.server;
    return { trusted: vscode.workspace.isTrusted, diagnostics, drawnElsewhere: [...drawn], interpreter, asksForReasons: true };
  }
}

function editor(folder: vscode.WorkspaceFolder | undefined) {
  const settings = vscode.workspace.getConfiguration(undefined, folder?.uri ?? null);
  return {
    isInstalled: (extension: string) => vscode.extensions.getExtension(extension) !== undefined,
    setting: (name: string) => settings.get<unknown>(name),
  };
}
