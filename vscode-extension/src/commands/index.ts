/** The commands of the palette. */

import * as vscode from "vscode";
import { ignoreFinding } from "../ignore/command";
import type { Life } from "../life";
import { explainScore, type Explanation } from "./explainScore";
import { runFinalCheck } from "./finalCheck";

export interface Parts {
  readonly life: Life;
  readonly log: vscode.LogOutputChannel;
  readonly explanation: Explanation;
}

export function registerCommands(parts: Parts): vscode.Disposable[] {
  const commands: Record<string, (...args: unknown[]) => unknown> = {
    "gateline.restartServer": () => parts.life.restart(),
    "gateline.showLog": () => parts.log.show(),
    "gateline.showSettings": () => vscode.commands.executeCommand("workbench.action.openSettings", "@ext:gateline.gateline"),
    "gateline.runFinalCheck": () => runFinalCheck(parts),
    "gateline.explainScore": () => explainScore(parts),
    "gateline.ignoreFinding": (place) => ignoreFinding(place),
    "gateline.showPanel": () => explainScore(parts),
  };
  return Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run));
}
