/** From a key to its squiggle, and how much of that is not the server. */

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test as base, type Page } from "@playwright/test";
import { Workbench } from "../pages/workbench.ts";
import { CodeServer } from "../rig/code-server.ts";
import { expect, measured, median } from "../rig/fixtures.ts";
import { Project } from "../rig/project.ts";
import { Recorder, type Note } from "../rig/recorder.ts";
import { Witness, type Heard } from "../rig/witness.ts";

const [KEYS, WARMING] = [40, 8];
/** Milliseconds that the extension may add to half of the keys. */
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

interface Watched {
  readonly marks: readonly Seen[];
  readonly notes: readonly Note[];
  readonly heard: readonly Heard[];
}

interface Way {
  readonly all: number;
  readonly server: number;
  /** What the extension adds: from hearing of the edit to the server, and from its answer to the editor. */
  readonly there: number;
  readonly back: number;
}

/** Where the time of one key went; undefined when the squiggle did not wait for it. */
function way(key: Seen, { marks, notes, heard }: Watched): Way | undefined {
  const mark = marks.find(({ what, at }) => what !== "key" && at > key.at);
  const sent = notes.find(({ method, at }) => method.endsWith("didChange") && at > key.at);
  const host = heard.find(({ version }) => version === sent?.version);
  const answer = notes.find(
    ({ method, version, at, codes }) =>
      sent !== undefined &&
      method.endsWith("publishDiagnostics") &&
      at > sent.at &&
      version === sent.version &&
      // The mark stays as long as anything is found there: the gate's word goes with the next verdict.
      codes.length > 0 === (mark?.what === "shown"),
  );
  if (mark === undefined || sent === undefined || host === undefined || answer === undefined) return undefined;
  return {
    all: mark.at - key.at,
    server: answer.at - sent.at,
    there: sent.at - host.edited,
    back: host.marked - answer.at,
  };
}

/** Breaks and fixes a line by single keys, each when the one before was seen; the colon is behind the cursor. */
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

base("the extension adds little to the server's own time", async ({ page }) => {
  const project = Project.small();
  const folder = mkdtempSync(path.join(os.tmpdir(), "gateline-recorder-"));
  const recorder = new Recorder(folder);
  const witness = new Witness(folder);
  const settings = { "gateline.path": [recorder.program] };
  const vscode = await CodeServer.start({ trust: true, settings, also: witness.vsix });
  try {
    const workbench = new Workbench(page);
    await workbench.visit(vscode.url(project.folder));
    await workbench.openFile("cart.py");
    await workbench.status("GL –").waitFor();
    await workbench.goTo(4, 37); // behind the colon of `def`
    await watch(page);
    await press(workbench);
    const watched = { marks: await seen(page), notes: recorder.notes(), heard: witness.heard() };
    const keys = keysOf(watched.marks);
    const ways = keys.map((key) => way(key, watched)).filter((found) => found !== undefined);
    expect(ways.length).toBeGreaterThan(keys.length * 0.8);
    const half = (part: (way: Way) => number) => median(ways.map(part));
    const added = half(({ there, back }) => there + back);
    measured(`key to squiggle, p50 of ${ways.length}`, half(({ all }) => all));
    measured("the server alone", half(({ server }) => server));
    measured("edit heard of to server", half(({ there }) => there));
    measured("server to editor", half(({ back }) => back));
    measured("the editor itself", half(({ all, server, there, back }) => all - server - there - back));
    measured(`added by the extension, wanted ${TARGET}`, added);
    expect(added).toBeLessThanOrEqual(BUSY * TARGET);
  } finally {
    await vscode.stop();
    project.remove();
    rmSync(folder, { recursive: true, force: true });
  }
});
