/** The settings, in a form that the rest can use. */

import os from "node:os";
import * as vscode from "vscode";
import { expand } from "./expand";
import type { ImportStrategy } from "./server/choice";

const SECTION = "gateline";

export interface Settings {
  readonly path: readonly string[];
  readonly importStrategy: ImportStrategy;
  readonly serverInterpreter: string;
  /** The project's Python as the person names it; empty for none. */
  readonly interpreter: string;
  readonly diagnostics: "push" | "pull" | null;
  /** Null: look at the installed extensions. */
  readonly drawnElsewhere: readonly string[] | null;
}

/** What holds in a folder, or, without one, in the window. */
export function readSettings(folder?: vscode.WorkspaceFolder): Settings {
  const section = vscode.workspace.getConfiguration(SECTION, folder?.uri ?? null);
  const root = folder ?? vscode.workspace.workspaceFolders?.[0];
  const ready = (text: string): string => expand(text, os.homedir(), root?.uri.fsPath);
  const interpreter = section.get<string | string[]>("interpreter", "");
  return {
    path: section.get<string[]>("path", []).map(ready),
    importStrategy: section.get<ImportStrategy>("importStrategy", "useBundled"),
    serverInterpreter: ready(section.get("serverInterpreter", "")),
    interpreter: ready((Array.isArray(interpreter) ? interpreter[0] : interpreter) ?? ""),
    diagnostics: section.get<"push" | "pull" | null>("diagnostics", null),
    drawnElsewhere: section.get<string[] | null>("drawnElsewhere", null),
  };
}

/** Settings that decide which server runs, or how it begins. */
const STARTING = ["path", "importStrategy", "serverInterpreter", "diagnostics"];

/** Whether a change of settings asks for another server. */
export function asksForRestart(event: vscode.ConfigurationChangeEvent): boolean {
  return STARTING.some((key) => event.affectsConfiguration(`${SECTION}.${key}`));
}
