import * as vscode from "vscode";
import { registerCommands } from "./commands";
import { Explanation } from "./commands/explainScore";
import { registerCheckTool } from "./agents/checkTool";
import { offerMcpServer } from "./agents/provider";
import { ComparisonPanel } from "./comparing/panel";
import { registerTool } from "./context/tool";
import { CoverageGutter } from "./gutter/gutter";
import { IgnoreActions } from "./ignore/actions";
import { LanguageStatus } from "./languageStatus";
import { tellOfLeftWork } from "./left/notice";
import { listLessons } from "./lessons/commands";
import { LessonsView } from "./lessons/view";
import { Life } from "./life";
import { ScorePanel } from "./panel/panel";
import { answer, Permits } from "./models/answering";
import { MAKERS } from "./models/consent";
import { Interpreters } from "./project/interpreter";
import { follow } from "./lookedAt";
import { LOOKED_AT } from "./project/told";
import type { AskModelParams, DetectedParams, LoopResult } from "./protocol";
import { listLoops } from "./refining/commands";
import { RefinementView } from "./refining/view";
import { SELECTOR } from "./selector";
import { asksForRestart } from "./settings";
import { Calm } from "./status/calm";
import { StatusBar } from "./statusBar";

let life: Life | undefined;

export interface Api {
  /** The server answers, or a message said why it does not. */
  readonly ready: Promise<void>;
}

export function activate(context: vscode.ExtensionContext): Api {
  const log = vscode.window.createOutputChannel("gateline", { log: true });
  const interpreters = new Interpreters(log);
  const following = follow();
  const bar = new StatusBar();
  const language = new LanguageStatus();
  const panel = new ScorePanel(context.extensionUri, log, (method, params) => life?.running?.sendRequest(method, params));
  const gutter = new CoverageGutter(context.extensionUri, (method, params) => life?.running?.sendRequest(method, params));
  const calm = new Calm([bar, language, panel, gutter]);
  const explanation = new Explanation();
  const ways = { ask: <T>(method: string, params: object) => life?.running?.sendRequest<T>(method, params), show: (page: string) => explanation.show(page) };
  const list = (): void => void listLoops({ life: started, refinement });
  const refinement: RefinementView = new RefinementView(list);
  const comparison = new ComparisonPanel(context.extensionUri);
  const listed = (): void => void listLessons({ life: started, lessons });
  const lessons: LessonsView = new LessonsView(listed);
  const permits = new Permits();
  const access = context.languageModelAccessInformation;
  const heard = {
    onDetected: (detected: DetectedParams) => void tellOfLeftWork(detected, ways),
    onLoop: (loop: LoopResult) => refinement.take(loop),
    onAsk: (params: AskModelParams, token: vscode.CancellationToken) => answer(params, permits, MAKERS, token),
    onRunning: () => {
      if (refinement.isVisible) list();
      if (lessons.isVisible) listed();
    },
  };
  const started = (life = new Life(context, log, interpreters, calm, heard));
  context.subscriptions.push(log, interpreters, following, bar, language, panel, gutter, calm, explanation, refinement, comparison, lessons);
  context.subscriptions.push(...registerCommands({ life: started, log, explanation, panel, refinement, comparison, lessons, permits, access }), ...registerTool(started), ...registerCheckTool(started), ...offerMcpServer(started));
  context.subscriptions.push(
    vscode.languages.registerCodeActionsProvider(SELECTOR, new IgnoreActions(), IgnoreActions.metadata),
    vscode.workspace.onDidGrantWorkspaceTrust(() => started.restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (asksForRestart(event)) void started.restart();
      else if (LOOKED_AT.some((section) => event.affectsConfiguration(section))) tellAgain(started);
    }),
    vscode.extensions.onDidChange(() => tellAgain(started)),
    interpreters.onDidChange(() => tellAgain(started)),
  );
  // Not awaited: an editor does not wait for a server.
  return { ready: started.restart() };
}

/** The server asks again for what it was told of each folder. */
function tellAgain(running: Life): void {
  void running.running?.sendNotification("workspace/didChangeConfiguration", { settings: null });
}

export function deactivate(): Promise<void> | undefined {
  return life?.stop();
}
