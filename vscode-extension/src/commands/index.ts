/** The commands of the palette. */

import * as vscode from "vscode";
import type { Life } from "../life";
import type { StatusBar } from "../statusBar";
import { runFinalCheck } from "./finalCheck";

export interface Parts {
  readonly life: Life;
  readonly bar: StatusBar;
  readonly log: vscode.LogOutputChannel;
}

export function registerCommands(parts: Parts): vscode.Disposable[] {
  const commands: Record<string, (...args: unknown[]) => unknown> = {
    "gateline.restartServer": () => parts.life.restart(),
    "gateline.showLog": () => parts.log.show(),
    "gateline.showSettings": () => vscode.commands.executeCommand("workbench.action.openSettings", "@ext:gateline.gateline"),
    "gateline.runFinalCheck": () => runFinalCheck(parts),
  };
  return Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run));
}
