import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { CancellationToken, LanguageModelChatMessage } from "vscode";
import { answer, LONGEST, Permits, Refusal, type Makers, type Model } from "../../src/models/answering";
import type { AskModelParams } from "../../src/protocol";

const OPEN = { isCancellationRequested: false } as CancellationToken;
const CLOSED = { isCancellationRequested: true } as CancellationToken;
const MAKERS: Makers = {
  user: (content) => ({ role: "user", content }) as unknown as LanguageModelChatMessage,
  assistant: (content) => ({ role: "assistant", content }) as unknown as LanguageModelChatMessage,
};
const PARAMS: AskModelParams = {
  token: "", folder: "file:///shop", prompt: { name: "assess-candidate", version: 1, digest: "d" }, temperature: 0.1, seconds: 60, tokens: 1000,
  messages: [{ role: "user", content: "Assess." }, { role: "assistant", content: "No." }, { role: "user", content: "Again." }],
};

interface Sent {
  messages: unknown[];
  options: unknown;
}

async function* parts(texts: readonly string[]): AsyncIterable<string> {
  for (const text of texts) {
    await Promise.resolve();
    yield text;
  }
}

/** A model that says this, or fails so; each text is ten tokens. */
function fake(said: readonly string[] | Error, more: Partial<Model> = {}): { model: Model; sent: Sent[] } {
  const sent: Sent[] = [];
  const model = {
    name: "Small", vendor: "copilot", maxInputTokens: 500,
    countTokens: () => Promise.resolve(10),
    sendRequest: (messages: unknown[], options: unknown) => {
      sent.push({ messages, options });
      return said instanceof Error ? Promise.reject(said) : Promise.resolve({ text: parts(said) });
    },
    ...more,
  };
  return { model, sent };
}

function asked(model: Model, more: Partial<AskModelParams> = {}, token = OPEN) {
  const permits = new Permits();
  return permits.during(model, (given) => answer({ ...PARAMS, token: given, ...more }, permits, MAKERS, token));
}

const coded = (code: string, cause?: Error): Error => Object.assign(new Error("secret details"), { code, cause });

test("an answer comes whole, with the model and what it took", async () => {
  const { model, sent } = fake(["{\"judge", "ments\": []}"]);
  assert.deepEqual(await asked(model), { text: "{\"judgements\": []}", model: "copilot/Small", inputTokens: 30, outputTokens: 10 });
  assert.deepEqual(sent.at(0)?.messages, PARAMS.messages);
  assert.match(JSON.stringify(sent.at(0)?.options), /"modelOptions":\{"temperature":0.1\}/);
});

test("a model is asked only for what a person agreed to, and while that lasts", async () => {
  const { model, sent } = fake(["{}"]);
  const permits = new Permits();
  const token = await permits.during(model, (given) => Promise.resolve(given));
  for (const other of [token, "", "guessed"]) {
    await assert.rejects(answer({ ...PARAMS, token: other }, permits, MAKERS, OPEN), /nobody agreed to this, or what it was for has ended/);
  }
  await assert.rejects(permits.during(model, () => Promise.reject(new Error("it failed"))), /it failed/);
  await permits.during(model, (first) => permits.during(model, (second) => {
    assert.notEqual(first, second);
    return Promise.resolve();
  }));
  assert.equal(sent.length, 0);
});

test("why a model does not answer is told in words", async () => {
  const cases: [Error, RegExp][] = [
    [coded("NoPermissions"), /^gateline was not allowed to use copilot\/Small$/],
    [coded("Blocked"), /^copilot\/Small refuses for now: its quota may be used up$/],
    [coded("NotFound"), /^copilot\/Small is not there any more$/],
    [coded("Unknown", new Error("the network is down.")), /^copilot\/Small failed: the network is down$/],
    [new Error("off topic"), /^copilot\/Small failed: off topic$/],
  ];
  for (const [error, told] of cases) {
    await assert.rejects(asked(fake(error).model), (found) => found instanceof Refusal && told.test(found.message), String(told));
  }
});

test("what was cancelled stays cancelled", async () => {
  const over = Object.assign(new Error("Canceled"), { name: "Canceled" });
  await assert.rejects(asked(fake(over).model), (found) => found === over);
  const late = new Error("aborted");
  await assert.rejects(asked(fake(late).model, {}, CLOSED), (found) => found === late);
  const counting = { countTokens: () => Promise.reject(over) };
  await assert.rejects(asked(fake(["{}"], counting).model), (found) => found === over);
});

test("more than is left, or than the model takes, is not sent", async () => {
  const few = fake(["{}"]);
  await assert.rejects(asked(few.model, { tokens: 29 }), /^Error: 30 tokens would be sent, and 29 are left \(models.tokens\)$/);
  const small = fake(["{}"], { maxInputTokens: 29 });
  await assert.rejects(asked(small.model), /30 tokens would be sent, and copilot\/Small takes 29/);
  assert.equal(few.sent.length + small.sent.length, 0);
});

test("an endless answer is not read to its end", async () => {
  let read = 0;
  async function* endless(): AsyncIterable<string> {
    for (;;) {
      await Promise.resolve();
      read += 1;
      yield "x".repeat(LONGEST / 4);
    }
  }
  const { model } = fake([], { sendRequest: () => Promise.resolve({ text: endless() }) });
  await assert.rejects(asked(model), /its answer has more than 100000 characters/);
  assert.equal(read, 5);
});

test("an answer that breaks off is a failure", async () => {
  async function* broken(): AsyncIterable<string> {
    yield "{";
    await Promise.reject(new Error("cut"));
  }
  const { model } = fake([], { sendRequest: () => Promise.resolve({ text: broken() }) });
  await assert.rejects(asked(model), /copilot\/Small failed: cut/);
});

test("a model that cannot count is asked all the same", async () => {
  for (const countTokens of [() => Promise.reject(new Error("no")), () => Promise.resolve(Number.NaN), () => Promise.resolve(1.5)]) {
    const { text, inputTokens, outputTokens } = await asked(fake(["{}"], { countTokens }).model);
    assert.equal(text, "{}");
    assert.ok(inputTokens === null || Number.isInteger(inputTokens));
    assert.equal(outputTokens, null);
  }
});

test("the command is declared, and begins with a person", () => {
  const manifest = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  assert.ok(manifest.includes('"gateline.assessCandidates"'));
  const commands = readFileSync(new URL("../../../src/comparing/commands.ts", import.meta.url), "utf8");
  const inOrder = ["agreedModel(parts.access", "permits.during(model", "modelToken })"].map((part) => commands.indexOf(part));
  assert.deepEqual(inOrder, [...inOrder].sort((a, b) => a - b));
  assert.ok(!inOrder.includes(-1));
});
