/** What a person does with refinement loops: begin one, pause it, go on, end it, look at it, take it over. */

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { ask } from "../commands/ask";
import type { Parts } from "../commands";
import { folderLookedAt } from "../lookedAt";
import type { LoopDiffResult, LoopResult, LoopsResult, TakeOverResult } from "../protocol";
import { unsaved } from "../restoring/dirty";
import { leftAlone, outcome } from "../restoring/steps";
import { agentNames, planChoices, wantedOf, type Choice, type Wanted } from "./plans";
import type { Node } from "./view";

const MOST_FILES = 200;

export async function startRefinement(parts: Parts): Promise<void> {
  const choice = await whatToFollow();
  if (choice === undefined) return;
  const wanted = choice.plan === undefined ? await goal() : await alongPlan(choice.plan);
  if (wanted === undefined) return;
  const loop = await ask(parts.life, (client) => client.sendRequest<LoopResult>("gateline/refine/start", { uri: uriOf(client, choice.plan), ...wanted }));
  if (loop === undefined) return;
  parts.refinement.take(loop);
  await vscode.commands.executeCommand("gateline.refinement.focus");
}

/** A goal, or one of the workspace's plans; where there is no Markdown file, nobody is asked. */
async function whatToFollow(): Promise<Choice<vscode.Uri> | undefined> {
  const files = await vscode.workspace.findFiles("**/*.md", "**/{node_modules,.venv,venv}/**", MOST_FILES);
  const found = planChoices(files.map((file) => ({ path: vscode.workspace.asRelativePath(file), file })));
  if (found.length === 1) return found[0];
  return vscode.window.showQuickPick(found, { title: "Refine: towards what?", matchOnDescription: true, placeHolder: "a goal, or the plan whose steps are followed" });
}

/** The plan's folder is the loop's. */
function uriOf(client: LanguageClient, plan: vscode.Uri | undefined): string | null {
  return plan === undefined ? folderLookedAt(client) : client.code2ProtocolConverter.asUri(plan);
}

async function goal(): Promise<Wanted | undefined> {
  const said = await vscode.window.showInputBox({
    title: "Refine: what is to be reached?",
    value: "make the tests pass",
    prompt: "gateline's repairs work in rounds in a work tree of their own; each round is judged with all tests.",
  });
  return said === undefined || said.trim() === "" ? undefined : { goal: said };
}

/** Who works is asked for each name that the steps have. */
async function alongPlan(file: vscode.Uri): Promise<Wanted | undefined> {
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const agents: [string, string][] = [];
  for (const name of agentNames(text)) {
    const agent = await vscode.window.showInputBox({
      title: `Refine: who is "${name}" in the plan?`,
      value: "autodebug",
      prompt: "autodebug (gateline's repairs), a command, or acp:COMMAND. It is started with your rights. Empty: no step names it.",
    });
    if (agent === undefined) return undefined;
    if (agent.trim() !== "") agents.push([name, agent.trim()]);
  }
  return wantedOf(vscode.workspace.asRelativePath(file), file.fsPath, agents);
}

/** `pause`, `resume` or `cancel` of the loop of a row. */
export async function steer(parts: Parts, how: "pause" | "resume" | "cancel", node: unknown): Promise<void> {
  if (!isNode(node)) return;
  const { folder: uri, loop } = node.loop;
  const found = await ask(parts.life, (client) => client.sendRequest<LoopResult>(`gateline/refine/${how}`, { uri, loop }));
  if (found !== undefined) parts.refinement.take(found);
}

export async function showRefinementDiff(parts: Parts, node: unknown): Promise<void> {
  if (!isNode(node)) return;
  const { folder: uri, loop } = node.loop;
  const params = { uri, loop, round: node.kind === "round" ? node.round.number : 0 };
  const found = await ask(parts.life, (client) => client.sendRequest<LoopDiffResult>("gateline/refine/diff", params));
  if (found === undefined) return;
  if (found.files.length === 0) void vscode.window.showInformationMessage("Nothing differs.");
  else await parts.explanation.showDifference(found.diff);
}

/** Write what a loop, or one of its rounds, found. A loop that goes on is ended: that is asked first. */
export async function takeOver(parts: Parts, node: unknown): Promise<void> {
  if (!isNode(node) || !(await agreed(node.loop))) return;
  const { folder: uri, loop } = node.loop;
  const params = { uri, loop, round: node.kind === "round" ? node.round.number : 0, dirty: unsaved() };
  const done = await ask(parts.life, (client) => client.sendRequest<TakeOverResult>("gateline/refine/takeOver", params));
  if (done === undefined) return;
  parts.refinement.take(done.loop);
  const said = done.written.steps.length === 0 ? "Nothing differs: there is nothing to take over." : outcome(done.written);
  void vscode.window.showInformationMessage([said, leftAlone(done.written)].filter(Boolean).join(" "));
}

/** Ask the server for the loops that it knows. */
export async function listLoops(parts: Pick<Parts, "life" | "refinement">): Promise<void> {
  const client = parts.life.running;
  if (client === undefined) return;
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => client.code2ProtocolConverter.asUri(uri));
  const found = await Promise.all(folders.map((uri) => client.sendRequest<LoopsResult>("gateline/refine/status", { uri }).catch(() => undefined)));
  parts.refinement.put(found.flatMap((one) => one?.loops ?? []), found.flatMap((one) => one?.troubles ?? []));
}

async function agreed({ phase }: LoopResult): Promise<boolean> {
  if (phase !== "running" && phase !== "pausing") return true;
  const said = await vscode.window.showWarningMessage("This ends the loop. The round that is under way is lost.", { modal: true }, "End and Take Over");
  return said !== undefined;
}

function isNode(given: unknown): given is Node {
  return typeof given === "object" && given !== null && "loop" in given && "kind" in given;
}
