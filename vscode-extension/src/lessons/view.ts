/** The view "Lessons": what was learned of the folder that a person looks at. */

import type * as vscode from "vscode";
import type { LessonResult } from "../protocol";
import { Tree } from "../tree";
import { heading, lessonRow } from "./rows";

export const VIEW = "gateline.lessons";

/** A lesson, and the folder that it was learned of. */
export interface Node {
  readonly uri: string | null;
  readonly lesson: LessonResult;
}

export class LessonsView extends Tree<Node> {
  private nodes: readonly Node[] = [];
  /** What the rows answer; empty: they are all lessons. */
  query = "";

  /** `ask` has all lessons listed. An answer stays when its view is opened to show it. */
  constructor(ask: () => void) {
    super(VIEW, () => {
      if (this.query === "") ask();
    });
  }

  /** The lessons that are shown: all, or those that answer a `query`. */
  put(uri: string | null, lessons: readonly LessonResult[], query = ""): void {
    if (query !== this.query) return; // something else was asked for meanwhile
    this.nodes = lessons.map((lesson) => ({ uri, lesson }));
    this.redraw(heading(query, lessons.length));
  }

  /** Nothing can be listed, and why. */
  fail(why: string): void {
    this.nodes = [];
    this.redraw(`Lessons cannot be listed: ${why}`);
  }

  getChildren(node?: Node): Node[] {
    return node === undefined ? [...this.nodes] : [];
  }

  getTreeItem({ lesson }: Node): vscode.TreeItem {
    return this.item(lessonRow(lesson), lesson.id, "lesson");
  }
}
