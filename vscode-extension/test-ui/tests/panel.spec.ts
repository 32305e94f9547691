/** The score in the status bar, and the panel behind it. */

import type { Frame, Locator, Page } from "@playwright/test";
import { PATIENCE } from "../rig/places.ts";
import { Project } from "../rig/project.ts";
import { expect, test } from "../rig/fixtures.ts";

/** What is wider than its place in the page, and cannot be read or reached. */
function cutOff(panel: Frame): Promise<string[]> {
  return panel.evaluate(() => {
    // The stripe that runs while something is worked on begins and ends out of sight.
    const all = [...document.querySelectorAll<HTMLElement>("html, body, body :not([aria-hidden])")];
    const seen = all.filter((one) => one.getClientRects().length > 0 && one.clientWidth > 1);
    const wide = seen.filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1);
    const hidden = seen.filter((one) => getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1);
    return [...wide, ...hidden].map((one) => one.outerHTML.slice(0, 200));
  });
}

/** Tab goes from this to another stop of the page. An answered question gives the focus back when it likes, hence again. */
async function tabFrom(stop: Locator, page: Page): Promise<void> {
  await expect(async () => {
    await stop.focus();
    await expect(stop).toBeFocused({ timeout: 1000 });
    await page.keyboard.press("Tab");
    await expect(stop).not.toBeFocused({ timeout: 1000 });
    const next = await stop.evaluate(({ ownerDocument }) => ownerDocument.activeElement?.matches("main *"));
    expect(next, "the next stop is in the page").toBe(true);
  }).toPass({ timeout: PATIENCE });
}

test("the panel comes back when the window is loaded again", async ({ vscode, workbench, project }) => {
  project.write("cart.py", `${project.read("cart.py")}\nwrong: int = "text"\n`);
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.status(/GL \d+/).click();
  await expect((await workbench.panel()).locator("body")).toContainText("cart.py:8");
  await workbench.reload();
  await workbench.status(/GL \d+/).waitFor();
  await expect((await workbench.panel()).locator("body")).toContainText("cart.py:8");
});

for (const colorScheme of ["dark", "light"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, viewport: { width: 1024, height: 768 } });

    test("a click on the score opens the panel, which fits and can be used by keyboard", async ({ vscode, workbench }) => {
      const project = Project.demo();
      project.change("2-broken");
      await workbench.visit(vscode.url(project.folder));
      await workbench.openFile("pyproject.toml");
      await workbench.openFile("src", "stockroom", "carrier.py");
      await workbench.status(/GL \d+/).waitFor();
      await workbench.tooltip();
      await workbench.picture(`tooltip-${colorScheme}`);
      await workbench.status(/GL \d+/).click();
      const panel = await workbench.panel();
      await expect(panel.locator("body")).toContainText("subprocess call with shell=True");
      expect(await cutOff(panel)).toEqual([]);
      await panel.locator('[data-command="gateline.runFinalCheck"]').focus();
      await workbench.page.keyboard.press("Enter");
      await workbench.answer(/^Not now$/); // whether tests may be run
      await expect(panel.locator(".verdict")).toContainText(/another iteration/i);
      await workbench.picture(`panel-${colorScheme}`);
      await tabFrom(panel.locator('[data-command="gateline.runFinalCheck"]'), workbench.page);
      expect(await cutOff(panel)).toEqual([]);
      project.remove();
    });
  });
}
