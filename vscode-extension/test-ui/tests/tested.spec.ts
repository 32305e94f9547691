/** Tests run once a person agreed, and what they say is shown in their own words. */

import { existsSync } from "node:fs";
import path from "node:path";
import type { Workbench } from "../pages/workbench.ts";
import { expect, measured, test } from "../rig/fixtures.ts";
import { testPython } from "../rig/places.ts";
import { Project } from "../rig/project.ts";

const QUESTION = "Run the tests of labels on unsaved text";

/** A project whose tests fail, and which leaves a file behind when anything of it runs. */
function failing(): { project: Project; canary: string } {
  const project = Project.failing();
  const canary = path.join(path.dirname(project.folder), "canary");
  project.write("conftest.py", `open(${JSON.stringify(canary)}, "a").write(__name__)\n`);
  project.write(".vscode/settings.json", JSON.stringify({ "gateline.interpreter": testPython }));
  return { project, canary };
}

async function saved(workbench: Workbench, text: string): Promise<void> {
  await workbench.typeAtEnd(text);
  await workbench.page.keyboard.press("Control+S");
}

test.skip(testPython === undefined, "GATELINE_TEST_PYTHON names no Python with pytest");

test("opening runs nothing, one question is asked, and then a failing test says why", async ({ vscode, workbench }) => {
  const { project, canary } = failing();
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("label.py");
  await workbench.status(/GL \d+/).waitFor();
  expect(existsSync(canary), "opening ran something of the project").toBe(false);
  const asked = workbench.page.locator(".notification-toast", { hasText: QUESTION });
  await saved(workbench, "\n");
  await asked.waitFor();
  await workbench.page.waitForTimeout(500); // it slides in
  await workbench.picture("consent");
  expect(existsSync(canary), "the question ran something of the project").toBe(false);
  await workbench.answer(/^Run tests$/);
  await workbench.command("Problems: Focus on Problems View");
  await expect(workbench.problems.filter({ hasText: "GTL201" }).first()).toContainText('can only concatenate str (not "int") to str');
  expect(existsSync(canary)).toBe(true);
  await workbench.picture("failing-test");
  await workbench.command("gateline: Run Final Check");
  await workbench.openFile("test_label.py");
  await expect(workbench.red.first()).toBeVisible();
  await workbench.tooltip();
  await workbench.picture("final-regression");

  await workbench.page.goto("about:blank");
  await expect.poll(() => vscode.gatelines()).toEqual([]);
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("label.py");
  await workbench.status(/GL \d+/).waitFor();
  await workbench.command("Problems: Focus on Problems View");
  await saved(workbench, "\n");
  await expect(workbench.problems.filter({ hasText: "GTL201" }).first()).toBeVisible();
  await expect(asked).toHaveCount(0);
  project.remove();
});

test("a module, then a test of it that imports pytest: each edit is judged in seconds", async ({ vscode, workbench }) => {
  const project = Project.small();
  project.write("test_cart.py", `"""Tests."""\n\nimport pytest\nfrom cart import total\n\n\ndef test_total():\n    assert total([1]) == pytest.approx(1)\n`);
  project.write(".vscode/settings.json", JSON.stringify({ "gateline.interpreter": testPython }));
  project.commit();
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.status("GL –").waitFor();
  await workbench.openFile("test_cart.py");
  await workbench.typeAtEnd("\n\nCOUNT: int = 'one'\n");
  const typed = Date.now();
  await workbench.page.keyboard.press("Control+S");
  await expect(workbench.squiggles).toHaveCount(1);
  await workbench.status(/^GL \d+$/).waitFor();
  measured("a test that imports pytest, saved to its verdict, types included", Date.now() - typed);
  await workbench.picture("imports-pytest");
  project.remove();
});
