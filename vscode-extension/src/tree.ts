/** A view that is a tree of rows, filled when a person looks at it. */

import * as vscode from "vscode";

export interface TreeRow {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly tooltip: readonly string[];
}

export abstract class Tree<N> implements vscode.TreeDataProvider<N>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<N>;
  private readonly watching: vscode.Disposable;

  /** `ask` has the rows looked up: nobody is asked before a person looks. */
  constructor(id: string, ask: () => void) {
    this.view = vscode.window.createTreeView<N>(id, { treeDataProvider: this });
    this.watching = this.view.onDidChangeVisibility(({ visible }) => visible && ask());
  }

  abstract getChildren(node?: N): N[];
  abstract getTreeItem(node: N): vscode.TreeItem;

  get isVisible(): boolean {
    return this.view.visible;
  }

  /** Draw the rows anew, below a `message` if there is something to tell. */
  protected redraw(message?: string): void {
    if (message !== undefined) this.view.message = message;
    this.changed.fire();
  }

  protected item(row: TreeRow, id: string, context: string, state = vscode.TreeItemCollapsibleState.None): vscode.TreeItem {
    const item = new vscode.TreeItem(row.label, state);
    item.id = id;
    item.description = row.description;
    item.iconPath = new vscode.ThemeIcon(row.icon);
    item.tooltip = row.tooltip.join("\n");
    item.contextValue = context;
    return item;
  }

  dispose(): void {
    this.watching.dispose();
    this.view.dispose();
    this.changed.dispose();
  }
}
