/** The view "Refinement": loops, their rounds, and what they do now. */

import * as vscode from "vscode";
import type { LoopResult, RoundResult } from "../protocol";
import { Tree } from "../tree";
import { loopRow, roundRow, stepRow, withLoop, type Row } from "./rows";

export const VIEW = "gateline.refinement";

export type Node =
  | { readonly kind: "loop"; readonly loop: LoopResult }
  | { readonly kind: "round"; readonly loop: LoopResult; readonly round: RoundResult }
  | { readonly kind: "step"; readonly loop: LoopResult; readonly row: Row };

export class RefinementView extends Tree<Node> {
  private loops: readonly LoopResult[] = [];

  constructor(ask: () => void) {
    super(VIEW, ask);
  }

  /** All loops that are known, newest first; `troubles` say why others cannot be read. */
  put(loops: readonly LoopResult[], troubles: readonly string[] = []): void {
    this.loops = loops;
    this.redraw(troubles.join("\n"));
  }

  /** One loop stands otherwise than before. */
  take(loop: LoopResult): void {
    this.loops = withLoop(this.loops, loop);
    this.redraw();
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
    const id = [node.loop.loop, node.kind, node.kind === "round" ? node.round.number : ""].join("/");
    const item = this.item(row, id, row.kind, node.kind === "loop" ? open(node.loop) : undefined);
    if (row.kind === "round-changed") item.command = { command: "gateline.refinementDiff", title: "Show Changes", arguments: [node] };
    return item;
  }
}

function open(loop: LoopResult): vscode.TreeItemCollapsibleState {
  return loop.phase === "ended" ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.Expanded;
}
