/** The view "Lessons": what was learned of the folder that a person looks at. */

import * as vscode from "vscode";
import type { LessonResult } from "../protocol";
import { heading, lessonRow } from "./rows";

export const VIEW = "gateline.lessons";

/** A lesson, and the folder that it was learned of. */
export interface Node {
  readonly uri: string | null;
  readonly lesson: LessonResult;
}

export class LessonsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private nodes: readonly Node[] = [];
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view = vscode.window.createTreeView<Node>(VIEW, { treeDataProvider: this });
  private readonly watching = this.view.onDidChangeVisibility(({ visible }) => visible && this.ask());

  /** `ask` has all lessons listed: nobody is asked before a person looks. */
  constructor(private readonly ask: () => void) {}

  get isVisible(): boolean {
    return this.view.visible;
  }

  /** The lessons that are shown: all, or those that answer a `query`. */
  put(uri: string | null, lessons: readonly LessonResult[], query = ""): void {
    this.nodes = lessons.map((lesson) => ({ uri, lesson }));
    this.view.message = heading(query, lessons.length);
    this.changed.fire();
  }

  getChildren(node?: Node): Node[] {
    return node === undefined ? [...this.nodes] : [];
  }

  getTreeItem({ lesson }: Node): vscode.TreeItem {
    const row = lessonRow(lesson);
    const item = new vscode.TreeItem(row.label, vscode.TreeItemCollapsibleState.None);
    item.id = lesson.id;
    item.description = row.description;
    item.iconPath = new vscode.ThemeIcon(row.icon);
    item.tooltip = row.tooltip.join("\n");
    item.contextValue = "lesson";
    return item;
  }

  dispose(): void {
    this.watching.dispose();
    this.view.dispose();
    this.changed.dispose();
  }
}
