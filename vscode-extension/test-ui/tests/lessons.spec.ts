/** Lessons in their view: written down, asked for, and forgotten once that was confirmed. */

import { expect, test } from "../rig/fixtures.ts";
import type { Workbench } from "../pages/workbench.ts";

const ABOUT_TAX = "Tax is rounded up to whole cents.";

/** Answer the question that is asked in the middle of the top. */
async function type(workbench: Workbench, title: string, text: string): Promise<void> {
  await workbench.page.getByText(title).first().waitFor();
  await workbench.input.fill(text);
  await workbench.input.press("Enter");
}

test("a lesson is remembered, listed, recalled and forgotten", async ({ vscode, workbench, project }) => {
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.status("GL –").waitFor();
  await workbench.command("gateline: Remember a Lesson…");
  await type(workbench, "Remember a lesson", ABOUT_TAX);
  await workbench.page.getByText("Remembered").first().waitFor();
  await workbench.command("gateline: Recall Lessons…");
  await type(workbench, "Recall lessons", "how is tax rounded");
  const pane = workbench.page.locator(".pane", { hasText: "Lessons" });
  const lesson = pane.locator(".monaco-list-row").filter({ hasText: ABOUT_TAX });
  await lesson.waitFor();
  await expect(pane).toContainText("1 for “how is tax rounded”");
  await workbench.picture("lessons");
  await lesson.hover();
  await lesson.getByRole("button", { name: /Forget/ }).click();
  await workbench.page.getByRole("dialog").getByRole("button", { name: "Forget" }).click();
  await expect(lesson).toHaveCount(0);
  await expect(pane).toContainText("Nothing has been remembered yet.");
});
