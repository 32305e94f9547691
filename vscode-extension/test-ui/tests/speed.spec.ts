/** From a key to its squiggle, and how much of that is not the server. */

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test as base, type Page } from "@playwright/test";
import { Workbench } from "../pages/workbench.ts";
import { CodeServer } from "../rig/code-server.ts";
import { expect, measured, median } from "../rig/fixtures.ts";
import { Project } from "../rig/project.ts";
import { packEcho } from "../rig/echo.ts";
import { Recorder, type Note } from "../rig/recorder.ts";

const [KEYS, WARMING] = [40, 8];
/** Milliseconds that the editor and the extension may add to half of the keys. */
const TARGET = 30;
/** A machine that does other things at the same time may take so many times as long. */
const BUSY = 10;

interface Seen {
  readonly what: "key" | "shown" | "hidden";
  readonly at: number;
}

/** Has the page write down when keys are pressed, and when squiggles come and go. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: Seen[] = ((window as unknown as { seen: Seen[] }).seen = []);
    let shown = false;
    const note = (what: Seen["what"]) => seen.push({ what, at: performance.timeOrigin + performance.now() });
    const look = () => {
      const now = document.querySelector(".monaco-editor .squiggly-error, .monaco-editor .squiggly-warning") !== null;
      if (now !== shown) note(now ? "shown" : "hidden");
      shown = now;
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    addEventListener("keydown", () => note("key"), { capture: true });
  });
}

async function seen(page: Page): Promise<Seen[]> {
  return page.evaluate(() => (window as unknown as { seen: Seen[] }).seen);
}

interface Way {
  readonly all: number;
  readonly server: number;
  readonly there: number;
  readonly back: number;
}

/** Where the time of one key went; undefined when the squiggle did not wait for it. */
function way(key: Seen, marks: readonly Seen[], notes: readonly Note[]): Way | undefined {
  const mark = marks.find(({ what, at }) => what !== "key" && at > key.at);
  const sent = notes.find(({ method, at }) => method.endsWith("didChange") && at > key.at);
  const answer = notes.find(
    ({ method, version, at, codes }) =>
      sent !== undefined &&
      method.endsWith("publishDiagnostics") &&
      at > sent.at &&
      version === sent.version &&
      codes.includes("GTL101") === (mark?.what === "shown"),
  );
  if (mark === undefined || sent === undefined || answer === undefined) return undefined;
  return { all: mark.at - key.at, server: answer.at - sent.at, there: sent.at - key.at, back: mark.at - answer.at };
}

/** Breaks and mends a line by single keys, each when the one before was seen; the colon is behind the cursor. */
async function press(workbench: Workbench): Promise<void> {
  const { keyboard } = workbench.page;
  for (let pressed = 0; pressed < KEYS; pressed += 2) {
    await keyboard.press("Backspace");
    await workbench.squiggles.first().waitFor();
    await workbench.page.waitForTimeout(300);
    await keyboard.type(":");
    await expect(workbench.squiggles).toHaveCount(0);
    await workbench.page.waitForTimeout(300);
  }
}

/** The newest marks, without the keys of warming up. */
function keysOf(marks: readonly Seen[]): Seen[] {
  return marks.filter(({ what }) => what === "key").slice(-KEYS + WARMING);
}

/** What a squiggle takes without us. */
async function echoed(workbench: Workbench): Promise<number> {
  await workbench.openFile("echo.txt");
  await workbench.goTo(1, 11); // behind the colon
  await press(workbench);
  const marks = await seen(workbench.page);
  const times = keysOf(marks).map((key) => marks.find(({ what, at }) => what !== "key" && at > key.at)!.at - key.at);
  return median(times);
}

base("the extension adds little to the server's own time", async ({ page }) => {
  const project = Project.small();
  project.write("echo.txt", "some text:\n");
  project.commit();
  const folder = mkdtempSync(path.join(os.tmpdir(), "gateline-recorder-"));
  const recorder = new Recorder(folder);
  const settings = { "gateline.path": [recorder.program] };
  const vscode = await CodeServer.start({ trust: true, settings, also: packEcho(folder) });
  try {
    const workbench = new Workbench(page);
    await workbench.visit(vscode.url(project.folder));
    await workbench.openFile("cart.py");
    await workbench.status("GL –").waitFor();
    await workbench.goTo(4, 37); // behind the colon of `def`
    await watch(page);
    await press(workbench);
    const [marks, notes] = [await seen(page), recorder.notes()];
    const keys = keysOf(marks);
    const ways = keys.map((key) => way(key, marks, notes)).filter((found) => found !== undefined);
    expect(ways.length).toBeGreaterThan(keys.length * 0.8);
    const half = (part: (way: Way) => number) => median(ways.map(part));
    const beside = half(({ all, server }) => all - server);
    const echo = await echoed(workbench);
    measured(`key to squiggle, p50 of ${ways.length}`, half(({ all }) => all));
    measured("the server alone", half(({ server }) => server));
    measured("key to server", half(({ there }) => there));
    measured("server to squiggle", half(({ back }) => back));
    measured("beside the server", beside);
    measured("a squiggle without us, in the same window", echo);
    measured(`added by the extension, wanted ${TARGET}`, beside - echo);
    expect(beside - echo).toBeLessThanOrEqual(BUSY * TARGET);
  } finally {
    await vscode.stop();
    project.remove();
    rmSync(folder, { recursive: true, force: true });
  }
});
