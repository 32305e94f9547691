/** An error is typed, its repair is chosen by keyboard, the finding goes; one undo brings both back. */

import { Project } from "../rig/project.ts";
import { testPython } from "../rig/places.ts";
import { expect, test } from "../rig/fixtures.ts";

test("a wrong name is repaired by keyboard, in one undo step", async ({ vscode, workbench, project }) => {
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.status("GL –").waitFor();
  await workbench.goTo(6, 12);
  await workbench.page.keyboard.press("Control+Shift+ArrowRight");
  await workbench.page.keyboard.type("smu");
  await expect.poll(() => workbench.text()).toContain("return smu(prices)");
  await workbench.squiggles.first().waitFor();
  await workbench.status(/GL \d+/).waitFor();
  await workbench.choose(/Change smu to sum \(verified\)/, "repair");
  await expect.poll(() => workbench.text()).toContain("return sum(prices)");
  await expect(workbench.squiggles).toHaveCount(0);
  await workbench.status("GL –").waitFor();
  await workbench.page.keyboard.press("Control+Z");
  await expect.poll(() => workbench.text()).toContain("return smu(prices)");
  await workbench.squiggles.first().waitFor();
  expect(project.read("cart.py"), "nothing was saved").toContain("return sum(prices)");
});

test("a failing test is debugged from the palette, once tests may run", async ({ vscode, workbench }) => {
  test.skip(testPython === undefined, "GATELINE_TEST_PYTHON names no Python with pytest");
  const project = Project.failing();
  project.write(".vscode/settings.json", JSON.stringify({ "gateline.interpreter": testPython }));
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("label.py");
  await workbench.status(/GL \d+/).waitFor();
  await workbench.command("gateline: Run All Tests");
  await workbench.answer(/run/i);
  const raised = workbench.page.locator(".monaco-editor .squiggly-info"); // the failure itself is at the test
  await raised.first().waitFor();
  await workbench.command("gateline: Debug This Failing Test");
  await expect.poll(() => workbench.text()).toContain("str(count)");
  await expect(raised).toHaveCount(0);
  await workbench.page.keyboard.press("Control+Z");
  await expect.poll(() => workbench.text()).not.toContain("str(count)");
  project.remove();
});
