import * as vscode from "vscode";
import { registerCommands } from "./commands";
import { Interpreters } from "./project/interpreter";
import { Life } from "./life";
import { LanguageStatus } from "./languageStatus";
import { asksForRestart } from "./settings";
import { StatusBar } from "./statusBar";

let life: Life | undefined;

export function activate(context: vscode.ExtensionContext): { readonly ready: Promise<void> } {
  const log = vscode.window.createOutputChannel("gateline", { log: true });
  const interpreters = new Interpreters(log);
  const bar = new StatusBar((status) => status.label);
  const language = new LanguageStatus();
  const started = new Life(context, log, interpreters, [bar, language]);
  life = started;
  context.subscriptions.push(log, interpreters, bar, language, ...registerCommands({ life: started, bar, log }));
  context.subscriptions.push(
    vscode.workspace.onDidGrantWorkspaceTrust(() => started.restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (asksForRestart(event)) void started.restart();
    }),
    interpreters.onDidChange(() => void started.running?.sendNotification("workspace/didChangeConfiguration", { settings: null })),
  );
  // Not awaited: an editor must not wait for a server.
  return { ready: started.restart() };
}

export function deactivate(): Promise<void> | undefined {
  return life?.stop();
}
