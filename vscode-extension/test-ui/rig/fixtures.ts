/** What the tests are given: a VS Code for all of them, a window for each. */

import { test as base, expect } from "@playwright/test";
import { Workbench } from "../pages/workbench.ts";
import { CodeServer } from "./code-server.ts";
import { Project } from "./project.ts";

interface Given {
  /** A window that shows nothing yet. Afterwards no error of ours may be in the log. */
  readonly workbench: Workbench;
  readonly project: Project;
}

interface GivenOnce {
  readonly vscode: CodeServer;
}

export const test = base.extend<Given, GivenOnce>({
  vscode: [
    async ({}, use) => {
      const server = await CodeServer.start({ trust: true, settings: {} });
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 240_000 },
  ],
  workbench: async ({ page, vscode }, use) => {
    await use(new Workbench(page));
    expect(vscode.log.newErrors()).toEqual([]);
  },
  project: async ({}, use) => {
    const project = Project.small();
    await use(project);
    project.remove();
  },
});

export { expect };

/** Print a figure in one form: measurements are read by people, and judged by nobody's busy machine. */
export function measured(what: string, value: number, unit = "ms"): void {
  console.log(`measured: ${what}: ${value.toFixed(unit === "ms" ? 0 : 2)} ${unit}`);
}

/** The middle one: what half of them are at most. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
