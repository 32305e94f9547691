/** What a person sees and does in VS Code's window. */

import { mkdirSync } from "node:fs";
import path from "node:path";
import { expect, type Frame, type Locator, type Page } from "@playwright/test";
import { PATIENCE, pictures } from "../rig/places.ts";

/** A frame that is being replaced does not answer, and is not waited for. */
async function has(frame: Frame, selector: string): Promise<boolean> {
  const later = new Promise<number>((resolve) => setTimeout(resolve, 1000, 0));
  const count = frame.locator(selector).count();
  return (await Promise.race([count.catch(() => 0), later])) > 0;
}

export class Workbench {
  constructor(readonly page: Page) {}

  /** Open a folder or a `.code-workspace` file in this window. */
  async visit(url: string): Promise<void> {
    await expect(async () => {
      await this.page.goto(url, { waitUntil: "domcontentloaded" });
      await this.page.locator(".monaco-workbench").waitFor();
      // A window that reaches its server late may show no folder at all, and goes on doing so.
      await this.page.locator(".explorer-folders-view .monaco-list-row").first().waitFor({ timeout: PATIENCE / 2 });
    }).toPass({ timeout: 2 * PATIENCE });
  }

  /** Load the window again, once VS Code wrote down what is open: it does so every five seconds. */
  async reload(): Promise<void> {
    await this.page.waitForTimeout(10_000);
    await this.page.reload({ waitUntil: "domcontentloaded" });
    await this.page.locator(".monaco-workbench").waitFor();
  }

  /** When extensions run: the one for git shows the branch. */
  async otherExtensions(): Promise<void> {
    await this.page.locator('.statusbar-item[id="status.scm.0"]').waitFor();
  }

  /** A file or folder in the Explorer. */
  row(name: string): Locator {
    const label = this.page.getByText(name, { exact: true });
    return this.page.locator(".explorer-folders-view .monaco-list-row").filter({ has: label }).first();
  }

  /** From the Explorer: Quick Open hangs when it is typed into before the extension host is up. */
  async openFile(...names: string[]): Promise<void> {
    for (const folder of names.slice(0, -1)) await this.expand(folder);
    await this.row(names.at(-1)!).dblclick();
    await this.page.mouse.move(700, 600); // where nothing explains itself
    await this.page.locator(".monaco-editor .view-line").first().waitFor();
  }

  private async expand(folder: string): Promise<void> {
    const row = this.row(folder);
    await row.click();
    await expect(async () => {
      if ((await row.getAttribute("aria-expanded")) !== "true") await this.page.keyboard.press("ArrowRight");
      await expect(row).toHaveAttribute("aria-expanded", "true", { timeout: 1000 });
    }).toPass({ timeout: PATIENCE });
  }

  /** gateline's entry in the status bar that says this. */
  status(label: string | RegExp): Locator {
    return this.page.locator(".statusbar-item", { hasText: label }).filter({ hasText: "GL" }).first();
  }

  get squiggles(): Locator {
    return this.page.locator(".monaco-editor .squiggly-warning, .monaco-editor .squiggly-error");
  }

  /** What is drawn as an error, and stops something. */
  get red(): Locator {
    return this.page.locator(".monaco-editor .squiggly-error");
  }

  /** The rows of the Problems view: files, and below each its problems. */
  get problems(): Locator {
    return this.page.locator(".markers-panel .monaco-list-row");
  }

  /** Writes down what the status bar says from now on; the answer gives what it said so far. */
  async labels(): Promise<() => Promise<string[]>> {
    await this.page.evaluate(() => {
      const said: string[] = ((window as unknown as { said: string[] }).said = []);
      const look = () => {
        const items = [...document.querySelectorAll<HTMLElement>(".statusbar-item")];
        const label = items.map((item) => item.innerText.trim()).find((text) => text.startsWith("GL"));
        if (label !== undefined && label !== said.at(-1)) said.push(label);
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    return () => this.page.evaluate(() => (window as unknown as { said: string[] }).said);
  }

  /** Say what language the open document is in. */
  async language(name: string): Promise<void> {
    await this.command("Change Language Mode");
    await this.input.fill(name);
    await this.pick(new RegExp(`^${name}`));
  }

  /** Give a file in the Explorer another name. */
  async rename(name: string, other: string): Promise<void> {
    await this.row(name).click();
    await this.page.keyboard.press("F2");
    const field = this.page.locator(".explorer-folders-view .monaco-inputbox input");
    await field.fill(other);
    await field.press("Enter");
    await this.row(other).waitFor();
  }

  /** Delete a file in the Explorer, for ever where there is no bin. */
  async delete(name: string): Promise<void> {
    await this.row(name).click();
    await this.page.keyboard.press("Delete");
    await this.page.locator(".monaco-dialog-box .monaco-button", { hasText: /Delete|Move to Trash/ }).first().click();
    await expect(this.row(name)).toHaveCount(0);
  }

  /** Put the cursor there, counted from 1. */
  async goTo(line: number, column = 1): Promise<void> {
    await this.page.keyboard.press("Control+G");
    await this.input.fill(`:${line}:${column}`);
    await this.page.keyboard.press("Enter");
    await expect(this.input).toBeHidden();
  }

  /** Type at the end of the document. */
  async typeAtEnd(text: string): Promise<void> {
    await this.page.locator(".monaco-editor .view-line").first().click();
    await this.page.keyboard.press("Control+End");
    await this.page.keyboard.type(text);
  }

  /** Run a command by its exact title, not by the first fuzzy hit. */
  async command(title: string): Promise<void> {
    await this.page.keyboard.press("F1");
    await this.input.fill(`>${title}`);
    const exact = new RegExp(`^${title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
    const label = this.page.locator(".label-name", { hasText: exact });
    await this.page.locator(".quick-input-list .monaco-list-row").filter({ has: label }).first().click();
  }

  /** The field of the command palette, or of a question. */
  get input(): Locator {
    return this.page.locator(".quick-input-widget input[type=text]").first();
  }

  /** What is offered to choose from. */
  get choices(): Locator {
    return this.page.locator(".quick-input-list .monaco-list-row");
  }

  /** Choose an entry of the list that is shown. */
  async pick(wanted: RegExp): Promise<void> {
    await this.choices.filter({ hasText: wanted }).first().click();
  }

  /** The entries of the list of code actions, opened by keyboard. */
  async codeActions(): Promise<Locator> {
    await this.page.keyboard.press("Control+.");
    const rows = this.page.locator(".action-widget .monaco-list-row.action");
    // News of the findings closes the list: who waits for it too long does not ask again.
    await rows.first().waitFor({ timeout: PATIENCE / 12 });
    return rows;
  }

  /** Choose a code action by keyboard: down to it, then Enter. What is still looked for is asked for again. */
  async choose(wanted: RegExp, picture?: string): Promise<void> {
    let at = -1;
    await expect(async () => {
      const titles = await (await this.codeActions()).allInnerTexts();
      at = titles.findIndex((title) => wanted.test(title));
      if (at < 0) await this.page.keyboard.press("Escape");
      expect(at, titles.join("; ")).toBeGreaterThanOrEqual(0);
    }).toPass({ timeout: PATIENCE, intervals: [1000] });
    if (picture !== undefined) await this.picture(picture);
    for (let i = 0; i < at; i++) await this.page.keyboard.press("ArrowDown");
    await this.page.keyboard.press("Enter");
  }

  /** Answer a question of the server by its button. */
  async answer(button: RegExp): Promise<void> {
    await this.page.locator(".notification-toast .monaco-button", { hasText: button }).first().click();
  }

  /** The tab of an open file. */
  tab(name: string): Locator {
    return this.page.locator(".tabs-container .tab", { hasText: name }).first();
  }

  /** Close an open file by its tab. */
  async close(name: string): Promise<void> {
    await this.tab(name).click({ button: "middle" });
  }

  /** Milliseconds that the activation of the extension took, as VS Code tells it. */
  async activation(): Promise<number> {
    await this.command("Developer: Show Running Extensions");
    const row = this.page.locator(".runtime-extensions-editor .monaco-list-row", { hasText: "gateline" }).first();
    const told = await row.locator(".activation-time").innerText();
    return Number(/([\d.]+)\s*ms/.exec(told)?.[1] ?? Number.NaN);
  }

  /** The text of the open document, as far as it is in view. */
  async text(): Promise<string> {
    const lines = await this.page.locator(".monaco-editor .view-line").allInnerTexts();
    return lines.join("\n").replaceAll("\u00a0", " ");
  }

  /** The page inside a webview that has this, within VS Code's two frames around it. */
  async webview(selector: string): Promise<Frame> {
    let found: Frame | undefined;
    await expect(async () => {
      for (const frame of this.page.frames()) {
        if (await has(frame, selector)) found = frame;
      }
      expect(found).toBeDefined();
    }).toPass({ timeout: PATIENCE });
    return found!;
  }

  /** What gateline's entry in the status bar says when one rests on it. */
  async tooltip(): Promise<Locator> {
    await this.status("GL").hover();
    const tooltip = this.page.locator(".monaco-hover:visible", { hasText: "Show panel" }).first();
    await tooltip.waitFor();
    return tooltip;
  }

  /** gateline's panel. */
  panel(): Promise<Frame> {
    return this.webview(".verdict");
  }

  /** Wait until what is asked stands where it stays: it fades in. */
  async still(): Promise<void> {
    await this.page.locator(".quick-input-widget").evaluate((widget) => Promise.all(widget.getAnimations().map(({ finished }) => finished)));
  }

  /** Keep a picture of the window, outside the repository. */
  async picture(name: string): Promise<void> {
    mkdirSync(pictures, { recursive: true });
    await this.page.screenshot({ path: path.join(pictures, `${name}.png`) });
  }
}
