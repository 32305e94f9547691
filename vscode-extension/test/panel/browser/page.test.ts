/** The page's script in a simulated browser: what stays while everything else changes. */

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { Window } from "happy-dom";
import type { State } from "../../../src/panel/state";
import { EVALUATION, FAILED, finding, withFindings } from "../example";

const sent: unknown[] = [];
let kept: unknown;
let window: Window;

before(async () => {
  window = new Window({ url: "https://panel.example/" });
  window.document.body.innerHTML = '<main id="panel" tabindex="-1"></main>';
  const host = {
    postMessage: (message: unknown) => sent.push(message),
    getState: () => kept,
    setState: (state: unknown) => (kept = state),
  };
  const names = ["document", "Element", "HTMLElement", "HTMLDetailsElement", "ResizeObserver", "Node"] as const;
  for (const name of names) Object.assign(globalThis, { [name]: window[name] });
  Object.assign(globalThis, { window, acquireVsCodeApi: () => host });
  await import("../../../src/panel/browser/main");
});

beforeEach(() => {
  sent.length = 0;
});

function show(state: State): void {
  window.dispatchEvent(new window.MessageEvent("message", { data: { kind: "state", state } }));
}

function rows(list: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`[data-roving="${list}"] button.head`)];
}

function press(key: string): void {
  const event = new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  (document.activeElement as unknown as HTMLElement).dispatchEvent(event as unknown as Event);
}

/** The finding whose row has the focus. */
function focused(): string | undefined {
  return (document.activeElement as HTMLElement | null)?.dataset["finding"];
}

const three = ["one", "two", "three"].map((identity) => finding({ identity, message: identity }));

test("a click on a finding asks for its place", () => {
  show(withFindings(...three));
  rows("new")[1]?.click();
  const { start, end } = three[1]?.span ?? assert.fail();
  assert.deepEqual(sent, [{ kind: "open", place: { path: "cart.py", finding: "two", start, end } }]);
});

test("a button asks for its command", () => {
  show(FAILED);
  document.querySelector<HTMLElement>('[data-command="gateline.runFinalCheck"]')?.click();
  assert.deepEqual(sent, [{ kind: "command", command: "gateline.runFinalCheck" }]);
});

test("arrows, Home and End move within a list, and one row is in the tab order", () => {
  show(withFindings(...three));
  rows("new")[0]?.focus();
  const reached = () => rows("new").map((row) => row.tabIndex);
  for (const [key, at] of [["ArrowDown", 1], ["End", 2], ["ArrowDown", 2], ["ArrowUp", 1], ["Home", 0]] as const) {
    press(key);
    assert.equal(focused(), three[at]?.identity);
    assert.deepEqual(reached(), [0, 1, 2].map((row) => (row === at ? 0 : -1)));
  }
});

test("the focus stays on its finding when others come and go", () => {
  show(withFindings(...three));
  rows("new")[1]?.focus();
  show(withFindings(finding({ identity: "zero", points: 99 }), ...three.slice(1)));
  assert.equal(focused(), "two");
});

test("when the focused finding is gone, the one in its place has the focus", () => {
  show(withFindings(...three));
  rows("new")[1]?.focus();
  show(withFindings(...three.filter(({ identity }) => identity !== "two")));
  assert.equal(focused(), "three");
});

test("when all findings are gone, the page has the focus, and not nothing", () => {
  show(withFindings(...three));
  rows("new")[1]?.focus();
  show(withFindings());
  assert.equal(document.activeElement?.id, "panel");
});

test("the link of a row can be reached where its row can", () => {
  show(withFindings(...three));
  rows("new")[0]?.focus();
  press("ArrowDown");
  const links = [...document.querySelectorAll<HTMLElement>('[data-roving="new"] a')];
  assert.deepEqual(links.map((link) => link.tabIndex), [-1, 0, -1]);
});

test("what differs not is not touched", () => {
  show(withFindings(...three));
  const [row] = rows("new");
  const section = document.querySelector(".breakdown");
  show({ ...withFindings(...three), working: true });
  assert.ok(rows("new")[0] === row, "the same row");
  assert.ok(document.querySelector(".breakdown") === section, "the same section");
  assert.ok(document.querySelector(".work.on"));
});

test("what was unfolded stays so, also when the page is made anew", () => {
  show(FAILED);
  const old = () => document.querySelector<HTMLDetailsElement>('details[data-key="old"]');
  const details = old() ?? assert.fail("old findings are folded up");
  details.open = true;
  details.dispatchEvent(new window.Event("toggle") as unknown as Event);
  show({ ...FAILED, evaluation: { ...EVALUATION, limits: [...EVALUATION.limits, "one more"] } });
  assert.equal(old()?.open, true);
  assert.deepEqual(kept, { open: ["old"], scroll: 0 });
  show({ ...FAILED, evaluation: null, status: null });
  assert.ok(old() === null);
  show(FAILED);
  assert.equal(old()?.open, true);
});

test("pointing at an evaluation shows it in the plot, in words, and on the time line", () => {
  show(FAILED);
  const { timestamp } = FAILED.history[1] ?? assert.fail();
  const target = document.querySelector(`rect[data-entry="${timestamp}"]`);
  target?.dispatchEvent(new window.PointerEvent("pointerover", { bubbles: true }) as unknown as Event);
  assert.match(document.querySelector("figcaption")?.textContent ?? "", /early · 100 ▲20 · Continue/);
  assert.equal(document.querySelectorAll(".mark.chosen").length, 1);
  assert.equal(document.querySelectorAll(".moments .chosen").length, 1);
  document.querySelector("main")?.dispatchEvent(new window.PointerEvent("pointerleave") as unknown as Event);
  assert.equal(document.querySelectorAll(".chosen").length, 0);
});

test("another folder is asked for", () => {
  show({ ...FAILED, folders: [...FAILED.folders, { uri: "file:///other", name: "other" }] });
  const select = document.querySelector<HTMLSelectElement>("select") ?? assert.fail();
  select.value = "file:///other";
  select.dispatchEvent(new window.Event("change", { bubbles: true }) as unknown as Event);
  assert.deepEqual(sent, [{ kind: "choose", folder: "file:///other" }]);
});

test("messages of others are ignored", () => {
  show(FAILED);
  const before = document.body.innerHTML;
  for (const data of [{ kind: "other" }, { kind: "state" }, {}]) window.dispatchEvent(new window.MessageEvent("message", { data }));
  assert.equal(document.body.innerHTML, before);
});
