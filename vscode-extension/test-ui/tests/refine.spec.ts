/** A refinement loop from the palette: its rounds in the view, what they changed, and taking it over as one edit. */

import { expect, test } from "../rig/fixtures.ts";
import { testPython } from "../rig/places.ts";
import { Project } from "../rig/project.ts";

const LONG = 180_000; // all tests and types run, several times

test.skip(testPython === undefined, "GATELINE_TEST_PYTHON names no Python with pytest");

test("a loop is begun, followed, looked at, taken over and undone", async ({ vscode, workbench }) => {
  test.slow();
  const project = Project.failing();
  project.write(".vscode/settings.json", JSON.stringify({ "gateline.interpreter": testPython }));
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("label.py");
  await workbench.status(/GL \d+/).waitFor();
  await workbench.command("gateline: Refine…");
  await workbench.page.getByText("Refine: what is to be reached?").waitFor();
  await workbench.input.press("Enter"); // what is proposed
  await workbench.answer(/^Run tests$/);
  const rows = workbench.page.locator(".pane", { hasText: "Refinement" }).locator(".monaco-list-row");
  const loop = rows.filter({ hasText: "make the tests pass" }).first();
  await loop.waitFor({ timeout: LONG });
  await expect(loop).toContainText(/accepted · [01]\.\d\d · 1 of 20 rounds/, { timeout: LONG });
  if ((await loop.getAttribute("aria-expanded")) !== "true") await loop.locator(".monaco-tl-twistie").click();
  const round = rows.filter({ hasText: "Round 1" }).first();
  await expect(round).toContainText("tests pass");
  await workbench.picture("refinement");
  await round.click();
  await expect.poll(() => workbench.text()).toMatch(/\+\s*return "items: " \+ str\(count\)/);
  expect(project.read("label.py"), "nothing was written").not.toContain("str(count)");

  await workbench.tab("label.py").click();
  await round.hover();
  await round.getByRole("button", { name: "Take Over…" }).click();
  await expect.poll(() => workbench.text()).toContain("str(count)");
  await workbench.tab("label.py").click();
  await workbench.page.keyboard.press("Control+Z");
  await expect.poll(() => workbench.text()).not.toContain("str(count)");
  project.remove();
});

test("where a plan is, a loop is offered to follow it, and asks who works", async ({ vscode, workbench, project }) => {
  project.write("plan.md", "# Plan\n\n1. Round up in `cart.py`.\n   - agent: careful\n");
  project.commit();
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.status("GL –").waitFor();
  await workbench.command("gateline: Refine…");
  await workbench.page.getByText("Refine: towards what?").waitFor();
  await workbench.pick(/plan\.md/);
  await workbench.page.getByText('who is "careful" in the plan?').waitFor();
  await workbench.page.keyboard.press("Escape");
  await expect(workbench.page.locator(".pane", { hasText: "Refinement" })).toHaveCount(0);
});
