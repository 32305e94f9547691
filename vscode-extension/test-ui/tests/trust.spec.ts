/** A folder that nobody trusts is read, and nothing of it is run. */

import { existsSync } from "node:fs";
import path from "node:path";
import { test as base } from "@playwright/test";
import { Workbench } from "../pages/workbench.ts";
import { CodeServer } from "../rig/code-server.ts";
import { expect } from "../rig/fixtures.ts";
import { Project } from "../rig/project.ts";

/** Programs and modules that leave a file behind when anything runs them. */
function hostile(): { project: Project; canary: string } {
  const project = Project.small("hostile");
  const canary = path.join(project.folder, "canary");
  const python = `open(${JSON.stringify(canary)}, "a").write(__name__)\n`;
  const shell = `#!/bin/sh\necho run >> ${canary}\nexec python3 "$@"\n`;
  for (const name of ["conftest.py", "sitecustomize.py", "usercustomize.py", "plugin.py", "mypy.py", "pytest.py", "gateline.py"]) {
    project.write(name, python);
  }
  for (const name of [".venv/bin/python", ".venv/bin/gateline", "bin/gateline"]) project.write(name, shell, 0o755);
  project.write(".venv/pyvenv.cfg", "home = /usr/bin\n");
  project.write("mypy.ini", "[mypy]\nplugins = plugin.py\n");
  const settings = {
    "gateline.path": [path.join(project.folder, "bin/gateline")],
    "gateline.interpreter": [path.join(project.folder, ".venv/bin/python")],
    "gateline.importStrategy": "fromEnvironment",
    "python.defaultInterpreterPath": path.join(project.folder, ".venv/bin/python"),
  };
  project.write(".vscode/settings.json", JSON.stringify(settings));
  return { project, canary };
}

base("in Restricted Mode findings are shown, and nothing executes", async ({ page }) => {
  const vscode = await CodeServer.start({ trust: false, settings: { "security.workspace.trust.startupPrompt": "never" } });
  const { project, canary } = hostile();
  try {
    const workbench = new Workbench(page);
    await workbench.visit(vscode.url(project.folder));
    await page.locator(".statusbar-item", { hasText: "Restricted Mode" }).first().waitFor();
    await workbench.openFile("cart.py");
    await workbench.status("GL").waitFor();
    // Types are no data here: the plug-in that mypy's settings name may not run.
    await workbench.typeAtEnd("eval(input())");
    await workbench.squiggles.first().waitFor();
    await page.keyboard.press("Control+S");
    await workbench.status(/GL \d+/).waitFor();
    await workbench.picture("restricted");
    expect(existsSync(canary), "something of the workspace was executed").toBe(false);
    expect(vscode.log.newErrors()).toEqual([]);
  } finally {
    await vscode.stop();
    project.remove();
  }
});
