/** The commands of the palette. */

import * as vscode from "vscode";
import { acceptCandidate, assessCandidates, compareCandidates, rejectCandidates, reviewCandidates, showCandidate } from "../comparing/commands";
import type { ComparisonPanel } from "../comparing/panel";
import { copyForChange, copyForProblem, copyForSymbol } from "../context/copy";
import { searchContext } from "../context/search";
import { ignoreFinding } from "../ignore/command";
import { forgetLesson, recallLessons, rememberLesson } from "../lessons/commands";
import type { LessonsView } from "../lessons/view";
import type { Life } from "../life";
import type { Permits } from "../models/answering";
import type { ScorePanel } from "../panel/panel";
import { showRefinementDiff, startRefinement, steer, takeOver } from "../refining/commands";
import type { RefinementView } from "../refining/view";
import { compareSavepoint, restoreSavepoint } from "../restoring/commands";
import { debugTest } from "./debugTest";
import { explainScore, type Explanation } from "./explainScore";
import { runFinalCheck } from "./finalCheck";
import { runTests } from "./runTests";

export interface Parts {
  readonly life: Life;
  readonly log: vscode.LogOutputChannel;
  readonly explanation: Explanation;
  readonly panel: ScorePanel;
  readonly refinement: RefinementView;
  readonly lessons: LessonsView;
  readonly comparison: ComparisonPanel;
  /** The models of the editor that may be asked now. */
  readonly permits: Permits;
  readonly access: vscode.LanguageModelAccessInformation;
}

export function registerCommands(parts: Parts): vscode.Disposable[] {
  const commands: Record<string, (...args: unknown[]) => unknown> = {
    "gateline.restartServer": () => parts.life.restart(),
    "gateline.showLog": () => parts.log.show(),
    "gateline.showSettings": () => vscode.commands.executeCommand("workbench.action.openSettings", "@ext:gateline.gateline"),
    "gateline.runFinalCheck": (folder) => runFinalCheck(parts, typeof folder === "string" ? folder : undefined),
    "gateline.runAffectedTests": () => runTests(parts, "affected"),
    "gateline.runAllTests": () => runTests(parts, "all"),
    "gateline.debugFailingTest": () => debugTest(parts),
    "gateline.explainScore": () => explainScore(parts),
    "gateline.searchContext": () => searchContext(parts.life),
    "gateline.copyContextForSymbol": () => copyForSymbol(parts.life),
    "gateline.copyContextForProblem": () => copyForProblem(parts.life),
    "gateline.copyContextForChange": () => copyForChange(parts.life),
    "gateline.restoreSavepoint": (id, folder) => restoreSavepoint(parts, text(id), text(folder)),
    "gateline.compareSavepoint": (id, folder) => compareSavepoint(parts, text(id), text(folder)),
    "gateline.ignoreFinding": (place) => ignoreFinding(place),
    "gateline.startRefinement": () => startRefinement(parts),
    "gateline.pauseRefinement": (node) => steer(parts, "pause", node),
    "gateline.resumeRefinement": (node) => steer(parts, "resume", node),
    "gateline.cancelRefinement": (node) => steer(parts, "cancel", node),
    "gateline.refinementDiff": (node) => showRefinementDiff(parts, node),
    "gateline.takeOverRefinement": (node) => takeOver(parts, node),
    "gateline.compareCandidates": () => compareCandidates(parts),
    "gateline.assessCandidates": (which) => assessCandidates(parts, which),
    "gateline.candidateDiff": (candidate) => showCandidate(parts, candidate),
    "gateline.acceptCandidate": (candidate) => acceptCandidate(parts, candidate),
    "gateline.reviewCandidates": () => reviewCandidates(parts),
    "gateline.rejectCandidates": () => rejectCandidates(parts),
    "gateline.rememberLesson": () => rememberLesson(parts),
    "gateline.recallLessons": () => recallLessons(parts),
    "gateline.forgetLesson": (node) => forgetLesson(parts, node),
    "gateline.showPanel": () => parts.panel.show(),
  };
  return Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run));
}

/** Menus and keys give arguments of their own. */
function text(given: unknown): string | undefined {
  return typeof given === "string" ? given : undefined;
}
