/** No server outlives its editor. */

import { descendants, gone } from "../rig/processes.ts";
import { expect, measured, test } from "../rig/fixtures.ts";

test("an extension host that is killed takes the server and all below it along", async ({ vscode, workbench, project }) => {
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.status("GL –").waitFor();
  const server = vscode.gatelines().at(-1)!;
  const all = [server, ...descendants(server).map(({ pid }) => pid)];
  expect(all.length, "the server has processes of its own").toBeGreaterThan(1);
  const killed = Date.now();
  process.kill(vscode.hosts().at(-1)!, "SIGKILL");
  await gone(all, 10_000);
  measured("extension host killed to the last process of its server, at most 10000", Date.now() - killed);
  await workbench.picture("host-killed");
});
