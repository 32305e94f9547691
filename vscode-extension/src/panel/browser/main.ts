/** The script of the page: draws what the extension sends, and tells it what the person does. */

import { render } from "../render";
import { EMPTY, type State, type View } from "../state";
import { keepFocus, moveWithin } from "./keys";
import { morph } from "./morph";
import { Memory } from "./memory";

interface Host {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
const memory = new Memory(host);
const root = document.querySelector("main") ?? document.body;
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

let state: State = EMPTY;
let view: View = { width: 0, chosen: null, time: (timestamp) => clock.format(new Date(timestamp)) };

function draw(): void {
  keepFocus(root, () => morph(root, render(state, view), memory));
  measure();
}

/** The plot is drawn as wide as its place, so that its text keeps its size. */
function measure(): void {
  const width = Math.floor(root.querySelector("[data-measured]")?.clientWidth ?? 0);
  if (width === 0 || width === view.width) return;
  view = { ...view, width };
  draw();
}

function choose(timestamp: string | null): void {
  if (timestamp === view.chosen) return;
  view = { ...view, chosen: timestamp };
  draw();
}

function press(target: Element): void {
  const { savepoint, action } = target.closest<HTMLElement>("[data-savepoint]")?.dataset ?? {};
  if (savepoint !== undefined) host.postMessage({ kind: "savepoint", action, id: savepoint });
  const { command, path, finding, span } = target.closest<HTMLElement>("[data-command], [data-path]")?.dataset ?? {};
  if (command !== undefined) host.postMessage({ kind: "command", command });
  if (path === undefined || span === undefined) return;
  const [startLine, startColumn, endLine, endColumn] = span.split(" ").map(Number);
  const place = { path, finding, start: { line: startLine, column: startColumn }, end: { line: endLine, column: endColumn } };
  host.postMessage({ kind: "open", place });
}

function entryAt(target: EventTarget | null): string | null {
  return target instanceof Element ? (target.closest("[data-entry]")?.getAttribute("data-entry") ?? null) : null;
}

root.addEventListener("click", (event) => press(event.target as Element));
root.addEventListener("keydown", (event) => moveWithin(event));
root.addEventListener("pointerover", (event) => choose(entryAt(event.target)));
root.addEventListener("pointerleave", () => choose(null));
root.addEventListener("change", (event) => {
  const target = event.target as HTMLSelectElement;
  if (target.dataset["choose"] === "folder") host.postMessage({ kind: "choose", folder: target.value });
});
window.addEventListener("message", ({ data }: MessageEvent<{ kind?: unknown; state?: State }>) => {
  if (data.kind !== "state" || data.state === undefined) return;
  const first = state === EMPTY;
  state = data.state;
  draw();
  if (first) memory.scrollBack();
});
new ResizeObserver(measure).observe(root);
draw();
host.postMessage({ kind: "ready" });
