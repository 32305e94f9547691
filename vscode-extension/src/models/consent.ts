/** A person chooses a model of the editor, and agrees to what is sent to it. */

import * as vscode from "vscode";
import { isCancelled } from "../errors";
import { nameOf, why, type Makers, type Model } from "./answering";

export const MAKERS: Makers = {
  user: (content) => vscode.LanguageModelChatMessage.User(content),
  assistant: (content) => vscode.LanguageModelChatMessage.Assistant(content),
};

/** The model; undefined where there is none, which is told, or the person wants none. `what` is sent to it. */
export async function agreedModel(access: vscode.LanguageModelAccessInformation, what: string): Promise<Model | undefined> {
  const model = await chosen();
  if (model === undefined || !(await agreed(model, what))) return undefined;
  return access.canSendRequest(model) === true || (await admitted(model)) ? model : undefined;
}

async function chosen(): Promise<vscode.LanguageModelChat | undefined> {
  const models = await vscode.lm.selectChatModels();
  if (models.length === 0) {
    void vscode.window.showWarningMessage("No language model is there: an extension has to bring one. An endpoint can be named instead, as GATELINE_MODELS__ENDPOINT for the command `gateline compare --assess`.");
    return undefined;
  }
  const rows = models.map((model) => ({ label: model.name, description: model.vendor, detail: `up to ${model.maxInputTokens} tokens in a request`, model }));
  return (await vscode.window.showQuickPick(rows, { title: "Assess: by which model?" }))?.model;
}

async function agreed(model: Model, what: string): Promise<boolean> {
  const detail = `${what} Secrets are taken out first. What it says are opinions: they make nobody the winner, and decide no gate. It uses your quota.`;
  return (await vscode.window.showInformationMessage(`Send this to ${nameOf(model)}?`, { modal: true, detail }, "Send")) === "Send";
}

/** The editor asks a person itself when a model is first used: now, and not when they have gone elsewhere. */
async function admitted(model: vscode.LanguageModelChat): Promise<boolean> {
  const cancelling = new vscode.CancellationTokenSource();
  try {
    await model.sendRequest([MAKERS.user("Answer with the word yes.")], { justification: "gateline asks whether it may use this model." }, cancelling.token);
    return true;
  } catch (error) {
    if (!isCancelled(error)) void vscode.window.showWarningMessage(`gateline: ${why(model, error)}.`);
    return false;
  } finally {
    cancelling.cancel();
    cancelling.dispose();
  }
}
