/** Looks for passages while somebody types, and shows the one that is looked at beside the list. */

import * as vscode from "vscode";
import { folderLookedAt } from "../lookedAt";
import { reason } from "../errors";
import type { Life } from "../life";
import type { ContextResult, ContextSearchParams, PassageResult } from "../protocol";
import { rows, title, type Row } from "./rows";

/** Milliseconds without a key after which the server is asked. */
const REST = 120;

export function searchContext(life: Life): void {
  const list = vscode.window.createQuickPick<Row>();
  const before = vscode.window.activeTextEditor;
  let timer: NodeJS.Timeout | undefined;
  let newest = 0;
  let taken = false;
  list.placeholder = "Words, a name, or some code";
  list.title = "gateline";
  list.value = before?.document.getText(before.selection).slice(0, 500) ?? "";

  async function look(words: string): Promise<void> {
    const number = ++newest;
    list.busy = true;
    try {
      const found = await asked(life, words);
      if (number !== newest) return;
      list.items = rows(found);
      list.title = title(found);
    } catch (error) {
      if (number === newest) list.title = `gateline · ${reason(error)}`;
    } finally {
      if (number === newest) list.busy = false;
    }
  }

  function soon(words: string): void {
    clearTimeout(timer);
    timer = setTimeout(() => void look(words), REST);
  }

  list.onDidChangeValue(soon);
  list.onDidChangeActive(([row]) => row && void show(row.passage, true));
  list.onDidAccept(() => {
    const [row] = list.activeItems;
    taken = row !== undefined;
    if (row) void show(row.passage, false);
    list.hide();
  });
  list.onDidHide(() => {
    clearTimeout(timer);
    newest++;
    list.dispose();
    if (!taken && before) void back(before);
  });
  list.show();
  if (list.value !== "") soon(list.value);
}

function back({ document, selection, viewColumn }: vscode.TextEditor): Thenable<vscode.TextEditor> {
  return vscode.window.showTextDocument(document, { selection, ...(viewColumn === undefined ? {} : { viewColumn }) });
}

async function asked(life: Life, words: string): Promise<Pick<ContextResult, "passages" | "tiers" | "degraded">> {
  const nothing = { passages: [], tiers: [], degraded: {} };
  if (words.trim() === "") return nothing;
  const client = life.running;
  if (client === undefined) throw new Error("the server does not run");
  const params: ContextSearchParams = { query: words, uri: folderLookedAt(client), kind: "any", limit: 30, budget: 30000, deadline: 100 };
  return client.sendRequest<ContextResult>("gateline/context/search", params);
}

async function show(passage: PassageResult, preview: boolean): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(passage.uri)).then(undefined, () => undefined);
  if (document === undefined) return;
  const { first, last } = passage.lines;
  const selection = new vscode.Range(first, 0, Math.min(last, document.lineCount - 1), 0);
  const options = preview ? { preview, preserveFocus: true, selection } : { selection: new vscode.Range(first, 0, first, 0) };
  await vscode.window.showTextDocument(document, options);
}
