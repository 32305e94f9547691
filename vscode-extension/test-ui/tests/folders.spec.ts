/** Several folders in one window, each judged by itself. */

import path from "node:path";
import { Project } from "../rig/project.ts";
import { expect, test } from "../rig/fixtures.ts";

test("the score is that of the folder in which one works, and so is the panel", async ({ vscode, workbench, project }) => {
  const other = Project.small("depot");
  other.write("depot.py", 'COUNT: int = "two"\n');
  const folders = [project.folder, other.folder].map((folder) => ({ path: folder }));
  const file = project.write("../both.code-workspace", JSON.stringify({ folders }));
  await workbench.visit(vscode.url(path.resolve(file)));
  await workbench.openFile("shop", "cart.py");
  await workbench.status("GL –").waitFor();
  await workbench.openFile("depot", "depot.py");
  await workbench.squiggles.first().waitFor();
  await workbench.status(/GL \d+/).waitFor();
  await workbench.status(/GL \d+/).click();
  const panel = await workbench.panel();
  await expect(panel.locator("body")).toContainText("depot.py:1");
  await panel.locator(".verdict").click();
  await expect(workbench.status("GL")).toHaveText("GL 90"); // the panel is no file of another folder
  await workbench.picture("folders");
  await workbench.tab("cart.py").click();
  await workbench.status("GL –").waitFor();
  await expect(panel.locator("body")).not.toContainText("depot.py:1");
  other.remove();
});
