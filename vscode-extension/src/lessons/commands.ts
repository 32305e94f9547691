/** What a person does with lessons: list them, ask for some, write one down, delete one. */

import * as vscode from "vscode";
import { ask } from "../commands/ask";
import type { Parts } from "../commands";
import { isCancelled, reason } from "../errors";
import { folderLookedAt } from "../lookedAt";
import type { LessonsResult, RecallResult, RememberResult } from "../protocol";
import { stored } from "./rows";
import type { Node } from "./view";

/** All lessons. A person who opens the view before a server runs is told nothing: it is listed when it runs. */
export async function listLessons(parts: Pick<Parts, "life" | "lessons">): Promise<void> {
  const client = parts.life.running;
  if (client === undefined) return;
  parts.lessons.query = "";
  const uri = folderLookedAt(client);
  try {
    const { lessons } = await client.sendRequest<LessonsResult>("gateline/memory/list", { uri });
    parts.lessons.put(uri, lessons);
  } catch (error) {
    if (!isCancelled(error)) parts.lessons.fail(reason(error));
  }
}

export async function recallLessons(parts: Parts): Promise<void> {
  const query = await vscode.window.showInputBox({ title: "Recall lessons", prompt: "A question, or words of it. Empty: all lessons." });
  if (query === undefined) return;
  if (query.trim() === "") return listLessons(parts);
  parts.lessons.query = query;
  const found = await ask(parts.life, async (client) => {
    const uri = folderLookedAt(client);
    return { uri, ...(await client.sendRequest<RecallResult>("gateline/memory/recall", { uri, query, most: 20, budget: 5000 })) };
  });
  if (found === undefined) return listLessons(parts);
  parts.lessons.put(found.uri, found.lessons, query);
  await vscode.commands.executeCommand("gateline.lessons.focus");
}

export async function rememberLesson(parts: Parts): Promise<void> {
  const text = await vscode.window.showInputBox({ title: "Remember a lesson", prompt: "A sentence or three. It is kept in your own state folder, and refused where it holds a secret." });
  if (text === undefined || text.trim() === "") return;
  const shown = parts.lessons.query;
  const done = await ask(parts.life, (client) => client.sendRequest<RememberResult>("gateline/memory/store", { uri: folderLookedAt(client), text, by: "person" }));
  if (done === undefined) return;
  void vscode.window.showInformationMessage(stored(done.outcome, done.superseded));
  // What was asked for while it was stored stays.
  if (parts.lessons.query === shown) await listLessons(parts);
}

/** Delete a lesson of the view with all of its versions; that is asked first. */
export async function forgetLesson(parts: Parts, given: unknown): Promise<void> {
  if (!isNode(given)) return;
  const { uri, lesson } = given;
  const said = await vscode.window.showWarningMessage("Forget this lesson with all of its versions?", { modal: true, detail: lesson.text }, "Forget");
  if (said === undefined) return;
  const done = await ask(parts.life, (client) => client.sendRequest<LessonsResult>("gateline/memory/forget", { uri, ids: [lesson.id] }));
  if (done !== undefined) await listLessons(parts);
}

function isNode(given: unknown): given is Node {
  return typeof given === "object" && given !== null && "lesson" in given;
}
