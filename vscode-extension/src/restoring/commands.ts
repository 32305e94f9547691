/** Restoring and comparing savepoints: each step is shown before anything changes. */

import * as vscode from "vscode";
import { ask } from "../commands/ask";
import { folderLookedAt } from "../lookedAt";
import type { Parts } from "../commands";
import type { CompareResult, SavepointResult, SavepointsResult } from "../protocol";
import { RESTORE, unsaved } from "./dirty";
import { choices, leftAlone, outcome, type Restored } from "./steps";

/** Choose a savepoint, then files, then restore them as one edit. */
export async function restoreSavepoint(parts: Parts, id?: string, folder?: string): Promise<void> {
  const savepoint = id ?? (await chosen(parts, "Restore which savepoint?", folder))?.id;
  if (savepoint === undefined) return;
  const shown = await restored(parts, { savepoint, preview: true }, folder);
  if (shown === undefined) return;
  const files = choices(shown);
  const left = leftAlone(shown);
  if (files.length === 0) {
    void vscode.window.showInformationMessage(left || "Nothing differs from this savepoint.");
    return;
  }
  const picked = await vscode.window.showQuickPick(files, {
    canPickMany: true,
    title: "Restore these files",
    placeHolder: left || "One edit, which can be undone",
  });
  if (picked === undefined || picked.length === 0) return;
  const done = await restored(parts, { savepoint, paths: picked.map(({ path }) => path) }, folder);
  if (done !== undefined) void vscode.window.showInformationMessage([outcome(done), left].filter(Boolean).join(" "));
}

/** What differs between a savepoint and now, or another one. */
export async function compareSavepoint(parts: Parts, id?: string, folder?: string): Promise<void> {
  const before = id ?? (await chosen(parts, "Compare which savepoint?", folder))?.id;
  if (before === undefined) return;
  const other = await chosen(parts, "With what?", folder, before);
  if (other === undefined) return;
  const after = other.id === NOW ? null : other.id;
  const result = await ask(parts.life, (client) =>
    client.sendRequest<CompareResult>("gateline/savepoint/compare", { uri: folder ?? folderLookedAt(client), before, after }),
  );
  if (result === undefined) return;
  if (result.files.length === 0) void vscode.window.showInformationMessage("Nothing differs.");
  else await parts.explanation.showDifference(result.diff);
}

const NOW = "now";

interface Item extends vscode.QuickPickItem {
  readonly id: string;
}

/** A savepoint; where one is compared with, also the content of now. */
async function chosen(parts: Parts, title: string, folder?: string, besides?: string): Promise<Item | undefined> {
  const known = await ask(parts.life, (client) =>
    client.sendRequest<SavepointsResult>("gateline/savepoint/list", { uri: folder ?? folderLookedAt(client) }),
  );
  if (known === undefined) return undefined;
  const items = known.savepoints.filter(({ id }) => id !== besides).map(item);
  if (besides !== undefined) items.unshift({ id: NOW, label: "Now", description: "with what was not saved" });
  if (items.length > 0) return vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  void vscode.window.showInformationMessage("There are no savepoints yet: they are taken at each checkpoint of a task.");
  return undefined;
}

function item({ id, timestamp, label }: SavepointResult): Item {
  return { id, label: new Date(timestamp).toLocaleString(), description: label };
}

function restored(parts: Parts, params: object, folder?: string): Promise<Restored | undefined> {
  return ask(parts.life, (client) => {
    const where = { uri: folder ?? folderLookedAt(client), ...params, dirty: unsaved() };
    return client.sendRequest<Restored>("workspace/executeCommand", { command: RESTORE, arguments: [where] });
  });
}
