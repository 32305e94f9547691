/** What a person does about a finding, and about the server. */

import { expect, test } from "../rig/fixtures.ts";

test("a finding is ignored by keyboard, with a reason, in one undo step", async ({ vscode, workbench, project }) => {
  project.write("cart.py", `${project.read("cart.py")}\n\ndef run(command: str) -> None:\n    """Runs."""\n    eval(command)\n`);
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.squiggles.first().waitFor();
  await workbench.goTo(11, 6);
  await workbench.status(/GL \d+/).waitFor();
  await workbench.choose(/Ignore GTL301/, "ignore");
  await workbench.input.waitFor();
  await workbench.page.keyboard.type("commands are ours");
  await workbench.page.keyboard.press("Enter");
  await expect.poll(() => workbench.text()).toContain("gateline: ignore[GTL301] commands are ours");
  await workbench.page.keyboard.press("Control+Z");
  await expect.poll(() => workbench.text()).not.toContain("gateline: ignore");
});

test("a server that is killed comes back, and restarts when it is asked to", async ({ vscode, workbench, project }) => {
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.status("GL –").waitFor();
  const [first] = vscode.gatelines().slice(-1);
  process.kill(first!, "SIGKILL");
  await expect.poll(() => vscode.gatelines().filter((pid) => pid !== first).length).toBeGreaterThan(0);
  await workbench.status("GL –").waitFor();
  await workbench.typeAtEnd("def (");
  await workbench.squiggles.first().waitFor();
  await workbench.command("gateline: Restart Server");
  await workbench.squiggles.first().waitFor();
});

test("the score is explained in words", async ({ vscode, workbench, project }) => {
  project.write("cart.py", `${project.read("cart.py")}\nwrong: int = "text"\n`);
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.status(/GL \d+/).waitFor();
  await workbench.command("gateline: Explain This Score");
  const page = await workbench.webview("h1:has-text('Score')");
  await expect(page.locator("body")).toContainText("What it is made of");
});
