/** Answers what the server asks the editor's model, for what a person agreed to, and for nothing else. */

import { randomUUID } from "node:crypto";
import type { CancellationToken, LanguageModelChat, LanguageModelChatMessage } from "vscode";
import { isCancelled, reason } from "../errors";
import type { AskModelParams, AskModelResult } from "../protocol";

/** What a request uses of a model. */
export type Model = Pick<LanguageModelChat, "name" | "vendor" | "maxInputTokens" | "sendRequest" | "countTokens">;

/** How messages are made: the editor has classes for them. */
export interface Makers {
  user(content: string): LanguageModelChatMessage;
  assistant(content: string): LanguageModelChatMessage;
}

/** Characters of an answer; the server takes no more. */
export const LONGEST = 100_000;
const JUSTIFICATION = "gateline asks for opinions about candidates that you chose to have assessed.";

/** Why a model is not asked, for people. */
export class Refusal extends Error {}

/** The models that a person agreed to, each for one request and as long as that lasts. */
export class Permits {
  private readonly given = new Map<string, Model>();

  /** What some work gives with its request as `modelToken`; the permit ends with the work. */
  async during<T>(model: Model, work: (token: string) => Promise<T>): Promise<T> {
    const token = randomUUID();
    this.given.set(token, model);
    try {
      return await work(token);
    } finally {
      this.given.delete(token);
    }
  }

  /** Throws a Refusal for a token that was not given, or is over. */
  model(token: string): Model {
    const found = this.given.get(token);
    if (found === undefined) throw new Refusal("nobody agreed to this, or what it was for has ended");
    return found;
  }
}

export function nameOf(model: Model): string {
  return `${model.vendor}/${model.name}`;
}

/** The answer of the model. Throws a Refusal that says why there is none, and what was cancelled as it came. */
export async function answer(params: AskModelParams, permits: Permits, makers: Makers, token: CancellationToken): Promise<AskModelResult> {
  const model = permits.model(params.token);
  const messages = params.messages.map(({ role, content }) => (role === "user" ? makers.user(content) : makers.assistant(content)));
  try {
    const inputTokens = await counted(model, messages, token);
    refuseTooLong(model, inputTokens, params.tokens);
    const options = { justification: JUSTIFICATION, modelOptions: { temperature: params.temperature } };
    const text = await read((await model.sendRequest(messages, options, token)).text);
    return { text, model: nameOf(model).slice(0, 200), inputTokens, outputTokens: await counted(model, [text], token) };
  } catch (error) {
    if (error instanceof Refusal || isCancelled(error) || token.isCancellationRequested) throw error;
    throw new Refusal(why(model, error));
  }
}

function refuseTooLong(model: Model, sent: number | null, left: number): void {
  if (sent === null) return;
  if (sent > left) throw new Refusal(`${sent} tokens would be sent, and ${left} are left (models.tokens)`);
  if (sent > model.maxInputTokens) throw new Refusal(`${sent} tokens would be sent, and ${nameOf(model)} takes ${model.maxInputTokens}`);
}

/** Null where the model cannot count: the server then estimates. */
async function counted(model: Model, parts: readonly (string | LanguageModelChatMessage)[], token: CancellationToken): Promise<number | null> {
  try {
    const counts = await Promise.all(parts.map((part) => model.countTokens(part, token)));
    const sum = counts.reduce((total, count) => total + count, 0);
    return Number.isInteger(sum) && sum >= 0 ? sum : null;
  } catch (error) {
    if (isCancelled(error)) throw error;
    return null;
  }
}

async function read(parts: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const part of parts) {
    text += part;
    if (text.length > LONGEST) throw new Refusal(`its answer has more than ${LONGEST} characters`);
  }
  return text;
}

/** The codes of `LanguageModelError`. */
const WHY: Readonly<Record<string, (name: string) => string>> = {
  NoPermissions: (name) => `gateline was not allowed to use ${name}`,
  Blocked: (name) => `${name} refuses for now: its quota may be used up`,
  NotFound: (name) => `${name} is not there any more`,
};

/** Why a model does not answer. */
export function why(model: Model, error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const known = typeof code === "string" ? WHY[code] : undefined;
  if (known !== undefined) return known(nameOf(model));
  return `${nameOf(model)} failed: ${reason(cause ?? error)}`;
}
