/** Branches compared from the palette: the answer side by side, what one changes, and taking it as one edit. */

import { execFileSync } from "node:child_process";
import { expect, test } from "../rig/fixtures.ts";
import { testPython } from "../rig/places.ts";
import { Project } from "../rig/project.ts";

const LONG = 240_000; // the tests of all candidates run

test.skip(testPython === undefined, "GATELINE_TEST_PYTHON names no Python with pytest");

test("branches are compared, looked at, accepted and undone", async ({ vscode, workbench }) => {
  test.slow();
  const project = Project.failing();
  project.write(".vscode/settings.json", JSON.stringify({ "gateline.interpreter": testPython }));
  const base = project.read("label.py");
  const more = ["none", "many"].map((name, at) => `\n\ndef test_${name}():\n    assert label(${at * 100}) == "items: ${at * 100}"\n`);
  project.write("test_label.py", project.read("test_label.py") + more.join(""));
  const git = (...given: string[]): string =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...given], { cwd: project.folder, encoding: "utf8" }).trim();
  git("add", "--all");
  git("commit", "--quiet", "--allow-empty", "--message", "Settings");
  const start = git("rev-parse", "--abbrev-ref", "HEAD");
  for (const [branch, said] of [["agent-1", "str(count)"], ["agent-2", "repr([count])"]] as const) {
    git("checkout", "--quiet", "-b", branch);
    project.write("label.py", base.replace("+ count", `+ ${said}`));
    git("commit", "--quiet", "--all", "--message", `Labels by ${branch}`);
    git("checkout", "--quiet", start);
  }
  const head = git("rev-parse", "HEAD");

  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("label.py");
  await workbench.status("GL –").waitFor();
  await workbench.command("gateline: Compare Candidates…");
  await workbench.page.getByText("Compare: which candidates?").waitFor();
  const offered = workbench.page.locator(".quick-input-list .monaco-list-row");
  for (const name of ["agent-1", "agent-2"]) await offered.filter({ hasText: `Labels by ${name}` }).locator(".label-name").first().click();
  await workbench.input.press("Enter");
  await workbench.answer(/^Run tests$/);
  await workbench.tab("Candidates").waitFor({ timeout: LONG });
  const page = await workbench.webview(".comparison");
  await page.getByRole("heading", { name: "Take agent-1" }).waitFor();
  await expect(page.getByRole("article", { name: "agent-1" })).toContainText("passes all");
  await expect(page.getByRole("article", { name: "agent-2" })).toContainText("fails 3 of 3");
  await workbench.picture("comparison");

  await page.getByRole("button", { name: "Assess with a Model…" }).click();
  await workbench.page.getByText("Assess: what was to be done?").first().waitFor();
  await workbench.input.fill("Labels of numbers.");
  await workbench.input.press("Enter");
  const told = workbench.page.locator(".notification-toast", { hasText: "No language model is there" });
  await told.waitFor();

  await page.getByRole("article", { name: "agent-1" }).getByRole("button", { name: "Show Changes" }).click();
  await workbench.tab("agent-1: label.py").waitFor();
  await expect(workbench.page.locator(".diff-editor, .monaco-diff-editor").first()).toContainText("str(count)");
  expect(project.read("label.py"), "nothing was written").toBe(base);

  await workbench.tab("Candidates").click();
  const again = await workbench.webview(".comparison");
  await again.getByRole("button", { name: "Accept agent-1" }).click();
  await workbench.tab("label.py").first().click();
  await expect.poll(() => workbench.text()).toContain("str(count)");
  await workbench.page.keyboard.press("Control+Z");
  await expect.poll(() => workbench.text()).not.toContain("str(count)");
  expect(git("rev-parse", "HEAD"), "nothing was committed").toBe(head);
  project.remove();
});
