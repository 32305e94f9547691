import { defineConfig } from "@playwright/test";
import { chromium, PATIENCE, pictures } from "./rig/places.ts";


export default defineConfig({
  testDir: "tests",
  outputDir: `${pictures}/failures`,
  workers: 1,
  // What passes only at the second attempt is reported as flaky.
  retries: Number(process.env["GATELINE_RETRIES"] || 0),
  timeout: 4 * PATIENCE,
  expect: { timeout: PATIENCE },
  reporter: [["list"]],
  use: {
    viewport: { width: 1280, height: 800 },
    actionTimeout: PATIENCE,
    navigationTimeout: PATIENCE,
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: chromium,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
