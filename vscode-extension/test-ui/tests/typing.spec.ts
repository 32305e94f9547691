/** Findings and the score follow the typing. */

import { Project } from "../rig/project.ts";
import { expect, measured, median, test } from "../rig/fixtures.ts";

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

test("a squiggle appears while typing, and goes when it is mended", async ({ vscode, workbench, project }) => {
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

test("a repository of 2,000 files", async ({ vscode, workbench }) => {
  const project = Project.large(2000);
  const began = Date.now();
  await workbench.visit(vscode.url(project.folder));
  await workbench.row("cart.py").waitFor();
  const shown = Date.now();
  await workbench.openFile("cart.py");
  await workbench.status("GL").waitFor();
  measured("2,000 files, Explorer shown to first status", Date.now() - shown);
  await workbench.status("GL –").waitFor();
  measured("2,000 files, page asked for to `GL –`", Date.now() - began);
  await workbench.typeAtEnd("wrong: int = 'text'");
  await workbench.squiggles.first().waitFor();
  project.remove();
});

test("from the key to the squiggle", async ({ vscode, workbench, project }) => {
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.status("GL –").waitFor();
  const times: number[] = [];
  await workbench.typeAtEnd("def ");
  for (let i = 0; i < 12; i++) {
    const began = Date.now();
    await workbench.page.keyboard.type("(");
    await workbench.squiggles.first().waitFor();
    times.push(Date.now() - began);
    await workbench.page.keyboard.press("Backspace");
    await workbench.page.keyboard.press("Control+Shift+K"); // the whole line
    await expect(workbench.squiggles).toHaveCount(0);
    await workbench.page.keyboard.type("def ");
  }
  measured("from the key to the squiggle of a syntax error, p50 of 12", median(times));
});
