/** Findings and the score follow the typing. */

import { expect, test } from "../rig/fixtures.ts";

test("nothing starts before a Python file is opened", async ({ vscode, workbench, project }) => {
  const before = vscode.log.activations().length;
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("notes.txt");
  await expect(workbench.status("GL")).toHaveCount(0);
  expect(vscode.log.activations().slice(before)).toEqual([]);
  await workbench.openFile("cart.py");
  await workbench.status("GL –").waitFor();
  expect(vscode.log.activations().slice(before)).toEqual(["onLanguage:python"]);
});

test("a squiggle appears while typing, and goes when it is fixed", async ({ vscode, workbench, project }) => {
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.status("GL –").waitFor();
  await expect(workbench.squiggles).toHaveCount(0);
  await workbench.typeAtEnd("def (");
  await workbench.squiggles.first().waitFor();
  for (let i = 0; i < "def (".length; i++) await workbench.page.keyboard.press("Backspace");
  await expect(workbench.squiggles).toHaveCount(0);
  await workbench.typeAtEnd("wrong: int = 'text'");
  await workbench.squiggles.first().waitFor();
  await workbench.status(/GL \d+/).waitFor();
  await workbench.picture("typing");
  expect(project.read("cart.py")).not.toContain("wrong");
});
