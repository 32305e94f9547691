/** Work that can be left and found again: savepoints on the time line, compared and restored, and the notice. */

import type { Frame } from "@playwright/test";
import { CART, TILL, type Project } from "../rig/project.ts";
import { expect, test } from "../rig/fixtures.ts";
import type { Workbench } from "../pages/workbench.ts";

/** A change of two files on a branch, so that it matters enough to be told of. */
function begun(project: Project): void {
  project.git("switch", "--quiet", "--create", "tax");
  project.write("cart.py", `${CART}\n\nTAX = 19\n`);
  project.write("till.py", TILL);
}

/** The panel, once there is a savepoint on its time line. */
async function savepoints(workbench: Workbench): Promise<Frame> {
  const panel = await workbench.panel();
  await expect(panel.locator("li.savepoint").first()).toBeVisible();
  return panel;
}

test("a savepoint stands on the time line, is compared with now, and is restored in one undo", async ({ vscode, workbench, project }) => {
  begun(project);
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.typeAtEnd("COUNT = 2\n");
  await workbench.status(/GL \d+/).click();
  const panel = await savepoints(workbench);
  const saved = panel.locator("li.savepoint").first();
  await expect(saved).toContainText("early: continue");
  await saved.scrollIntoViewIfNeeded();
  await workbench.picture("timeline");
  await workbench.tab("cart.py").click();
  await workbench.typeAtEnd("MORE = 3\n");

  await saved.locator("[data-action=compare]").click();
  await workbench.pick(/^Now/);
  await expect.poll(() => workbench.text()).toContain("+MORE = 3");
  await workbench.picture("compare");

  // What lay behind another tab is drawn anew when it comes to the front.
  await workbench.tab("gateline").click();
  const again = (await savepoints(workbench)).locator("li.savepoint", { hasText: "early: continue" }).last();
  await again.locator("[data-action=restore]").click();
  await expect(workbench.choices).toContainText([/cart\.py/]);
  await workbench.still();
  await workbench.picture("restore");
  await workbench.page.keyboard.press("Enter");
  // Where the panel has a column of its own, the comparison is still in front of the file.
  await workbench.tab("cart.py").click();
  await expect.poll(() => workbench.text()).not.toContain("MORE = 3");
  expect(await workbench.text()).toContain("COUNT = 2");
  expect(project.read("cart.py")).not.toContain("MORE");
  await workbench.page.keyboard.press("Control+Z");
  await expect.poll(() => workbench.text()).toContain("MORE = 3");
});

test("work that was left is told when its workspace is opened again, once", async ({ vscode, workbench, project }) => {
  begun(project);
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.status(/GL \d+/).waitFor();
  await workbench.typeAtEnd("COUNT = 2\n");
  await workbench.page.keyboard.press("Control+S");
  await workbench.status(/GL \d+/).click();
  await savepoints(workbench);
  project.git("switch", "--quiet", "--create", "rounding");
  await workbench.page.goto("about:blank");
  await expect.poll(() => vscode.gatelines()).toEqual([]);

  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  const told = workbench.page.locator(".notification-toast", { hasText: "Previous work detected: tax (in_progress)" });
  await told.waitFor();
  await expect(told.locator(".monaco-button")).toHaveText([/Restore…/, /Show/, /Not now/]);
  await workbench.picture("left-work");
  await workbench.answer(/^Show$/);
  const page = await workbench.webview("h1:has-text('tax')");
  await expect(page.locator("body")).toContainText("Checkpoints");

  await workbench.page.goto("about:blank");
  await expect.poll(() => vscode.gatelines()).toEqual([]);
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.status(/GL \d+/).waitFor();
  await workbench.typeAtEnd("LAST = 4\n");
  await workbench.status(/GL \d+/).waitFor();
  await expect(told).toHaveCount(0);
});

test("the notice restores what was left, and tells what it leaves alone", async ({ vscode, workbench, project }) => {
  begun(project);
  project.write("stock.dat", "x".repeat(6_000_000));
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.status(/GL \d+/).waitFor();
  await workbench.typeAtEnd("COUNT = 2\n");
  await workbench.page.keyboard.press("Control+S");
  await workbench.status(/GL \d+/).click();
  await savepoints(workbench);
  project.git("switch", "--quiet", "--create", "rounding");
  await workbench.page.goto("about:blank");
  await expect.poll(() => vscode.gatelines()).toEqual([]);
  project.write("cart.py", `${CART}\n\nTAX = 7\n`);
  project.write("stock.dat", "stub\n");
  project.remove("till.py");

  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.answer(/^Restore…$/);
  await expect(workbench.choices).toContainText([/cart\.py/, /till\.py/]);
  await workbench.still();
  await workbench.picture("restore-left-work");
  await expect(workbench.input).toHaveAttribute("placeholder", /Left alone: stock\.dat/);
  await workbench.page.keyboard.press("Enter");
  await expect.poll(() => workbench.text()).toContain("COUNT = 2");
  await expect.poll(() => project.has("till.py")).toBe(true);
  expect(project.read("stock.dat")).toBe("stub\n");
  // The field of the question cuts off why.
  const told = workbench.page.locator(".notification-toast", { hasText: "2 files are as they were" });
  await expect(told).toContainText("Left alone: stock.dat (the savepoint does not cover it");
  await workbench.picture("restored-left-work");
});
