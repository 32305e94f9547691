/** The view "Refinement": loops, their rounds, and what they do now. */

import * as vscode from "vscode";
import type { LoopResult, RoundResult } from "../protocol";
import { loopRow, roundRow, stepRow, withLoop, type Row } from "./rows";

export const VIEW = "gateline.refinement";

export type Node =
  | { readonly kind: "loop"; readonly loop: LoopResult }
  | { readonly kind: "round"; readonly loop: LoopResult; readonly round: RoundResult }
  | { readonly kind: "step"; readonly loop: LoopResult; readonly row: Row };

export class RefinementView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private loops: readonly LoopResult[] = [];
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view = vscode.window.createTreeView<Node>(VIEW, { treeDataProvider: this });
  private readonly watching = this.view.onDidChangeVisibility(({ visible }) => visible && this.ask());

  /** `ask` looks for the loops of the server: nobody is asked before a person looks. */
  constructor(private readonly ask: () => void) {}

  get isVisible(): boolean {
    return this.view.visible;
  }

  /** All loops that are known, newest first; `troubles` say why others cannot be read. */
  put(loops: readonly LoopResult[], troubles: readonly string[] = []): void {
    this.loops = loops;
    this.view.message = troubles.join("\n");
    this.changed.fire();
  }

  /** One loop stands otherwise than before. */
  take(loop: LoopResult): void {
    this.loops = withLoop(this.loops, loop);
    this.changed.fire();
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) return this.loops.map((loop) => ({ kind: "loop", loop }));
    if (node.kind !== "loop") return [];
    const { loop } = node;
    const rounds: Node[] = loop.rounds.map((round) => ({ kind: "round", loop, round }));
    const row = stepRow(loop);
    return row === undefined ? rounds : [...rounds, { kind: "step", loop, row }];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const row = node.kind === "loop" ? loopRow(node.loop) : node.kind === "round" ? roundRow(node.round, node.loop) : node.row;
    const item = new vscode.TreeItem(row.label, node.kind === "loop" ? open(node.loop) : vscode.TreeItemCollapsibleState.None);
    item.id = [node.loop.loop, node.kind, node.kind === "round" ? node.round.number : ""].join("/");
    item.description = row.description;
    item.iconPath = new vscode.ThemeIcon(row.icon);
    item.tooltip = row.tooltip.join("\n");
    item.contextValue = row.kind;
    if (row.kind === "round-changed") item.command = { command: "gateline.refinementDiff", title: "Show Changes", arguments: [node] };
    return item;
  }

  dispose(): void {
    this.watching.dispose();
    this.view.dispose();
    this.changed.dispose();
  }
}

function open(loop: LoopResult): vscode.TreeItemCollapsibleState {
  return loop.phase === "ended" ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.Expanded;
}
