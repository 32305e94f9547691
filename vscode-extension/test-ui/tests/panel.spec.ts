/** The score in the status bar, and the panel behind it. */

import { Project } from "../rig/project.ts";
import { expect, test } from "../rig/fixtures.ts";

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
      await workbench.picture(`status-${colorScheme}`);
      await workbench.status(/GL \d+/).click();
      const panel = await workbench.panel();
      await expect(panel.locator("body")).toContainText("subprocess call with shell=True");
      const overflow = await panel.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      await panel.locator('[data-command="gateline.runFinalCheck"]').focus();
      await workbench.page.keyboard.press("Enter");
      await expect(panel.locator(".verdict")).toContainText(/another iteration/i);
      await workbench.picture(`panel-${colorScheme}`);
      await workbench.page.keyboard.press("Tab");
      const focused = await panel.evaluate(() => document.activeElement?.tagName);
      expect(focused).not.toBe("BODY");
      project.remove();
    });
  });
}
