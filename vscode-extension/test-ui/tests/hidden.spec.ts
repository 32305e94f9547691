/** What is counted is drawn where a person sees it, once, and goes when it is fixed. */

import { CART, SHELL, TILL } from "../rig/project.ts";
import { expect, test } from "../rig/fixtures.ts";

const WRONG = `${CART}\nwrong: int = "text"\n`;

test("a half-typed line has one squiggle, nothing red, and leaves the score of before", async ({ vscode, workbench, project }) => {
  project.write("cart.py", WRONG);
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.status(/^GL 90$/).waitFor();
  await expect(workbench.squiggles).toHaveCount(1);
  const labels = await workbench.labels();
  await workbench.typeAtEnd("\n\ndef half(");
  await expect(workbench.squiggles).toHaveCount(2);
  await workbench.status(/^GL \d+ ▼\d+$/).waitFor();
  await expect(workbench.squiggles).toHaveCount(2);
  await expect(workbench.red).toHaveCount(0);
  await expect(workbench.status("GL")).not.toHaveClass(/error-kind/);
  await workbench.tooltip();
  await workbench.picture("half-typed");
  expect((await labels()).filter((label) => !/^GL \d+/.test(label))).toEqual([]);
});

test("a finding in a changed file that is not open is among the problems, until it is fixed", async ({ vscode, workbench, project }) => {
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.status("GL –").waitFor();
  project.write("till.py", `${TILL}${SHELL}`);
  await workbench.status(/GL \d+/).waitFor();
  await workbench.command("Problems: Focus on Problems View");
  await expect(workbench.problems).toContainText([/till\.py/, /GTL301/]);
  await expect(workbench.problems).toHaveCount(2);
  await workbench.picture("closed-file");
  project.write("till.py", TILL);
  await expect(workbench.problems).toHaveCount(0);
  await workbench.picture("closed-file-fixed");
});

test("what stops a change is an error after the final check, and the next edit takes that back", async ({ vscode, workbench, project }) => {
  project.write("cart.py", `${CART}${SHELL}`);
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.status(/GL \d+/).waitFor();
  await expect(workbench.squiggles).toHaveCount(1);
  await expect(workbench.red).toHaveCount(0);
  await workbench.command("gateline: Run Final Check");
  await expect(workbench.red.first()).toBeVisible();
  await expect(workbench.status("GL")).toHaveClass(/error-kind/);
  await workbench.command("Problems: Focus on Problems View");
  await expect(workbench.problems).toContainText([/cart\.py/, /GTL301/, /1 broken floor; first, fix GTL301/]);
  await expect(workbench.problems).toHaveCount(3);
  await workbench.tooltip();
  await workbench.picture("final-floor");
  await workbench.typeAtEnd("\n\nCOUNT = 1\n");
  await expect(workbench.red).toHaveCount(0);
  await expect(workbench.squiggles).toHaveCount(1);
});

for (const order of [["shop.py", "cart.py"], ["cart.py", "shop.py"]] as const) {
  test(`documents that are opened ${order.join(" before ")}, closed and opened again have the same problems`, async ({ vscode, workbench, project }) => {
    project.write("shop.py", `"""A shop."""\n\nfrom cart import total\n\nSUM: int = total([1])\n`);
    project.commit();
    project.write("cart.py", CART.replace("list[int]) -> int", "list[int]) -> str"));
    await workbench.visit(vscode.url(project.folder));
    await workbench.command("Problems: Focus on Problems View");
    for (const name of order) await workbench.openFile(name);
    await workbench.status(/GL \d+/).waitFor();
    const all = [/cart\.py/, /expected "str"/, /shop\.py/, /variable has type "int"/];
    await expect(workbench.problems).toContainText(all);
    for (const name of order) {
      await workbench.close(name);
      await workbench.status("GL 80").waitFor();
      await expect(workbench.problems).toContainText(all);
    }
    await workbench.picture(`importer-${order[0].replace(".py", "")}-first`);
    await workbench.openFile("shop.py");
    await expect(workbench.squiggles).toHaveCount(1);
    await expect(workbench.problems).toContainText(all);
    await expect(workbench.problems).toHaveCount(4);
  });
}

test("a document that never was a file has findings, which go with it", async ({ vscode, workbench, project }) => {
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.status("GL –").waitFor();
  await workbench.command("Problems: Focus on Problems View");
  await workbench.command("File: New Untitled Text File");
  await workbench.language("Python");
  await workbench.typeAtEnd("eval(input())\n");
  await expect(workbench.problems).toContainText([/eval/, /GTL301/, /GTL501/]);
  await workbench.picture("untitled");
  await workbench.close("Untitled-1");
  await workbench.page.locator(".monaco-dialog-box .monaco-button", { hasText: "Don't Save" }).click();
  await expect(workbench.problems).toHaveCount(0);
});

test("problems move with a file that is renamed, and go with one that is deleted", async ({ vscode, workbench, project }) => {
  project.write("cart.py", `${CART}${SHELL}`);
  await workbench.visit(vscode.url(project.folder));
  await workbench.openFile("cart.py");
  await workbench.status(/GL \d+/).waitFor();
  await workbench.command("Problems: Focus on Problems View");
  await expect(workbench.problems).toContainText([/cart\.py/, /GTL301/]);
  await workbench.rename("cart.py", "basket.py");
  await expect(workbench.problems).toContainText([/basket\.py/, /GTL301/]);
  await expect(workbench.problems.filter({ hasText: "cart.py" })).toHaveCount(0);
  await workbench.picture("renamed");
  await workbench.delete("basket.py");
  await expect(workbench.problems).toHaveCount(0);
  await expect(workbench.tab("basket.py")).toHaveCount(0);
});
