/** Where things are, and how long is waited. All can be changed by the environment. */

import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const cache = path.join(process.env["XDG_CACHE_HOME"] || path.join(os.homedir(), ".cache"), "gateline");

/** What `install.sh` installed: code-server and its Node. */
export const editors = process.env["GATELINE_EDITORS_FOLDER"] || path.join(cache, "editors");

/** Pictures, and what is kept of tests that failed; outside the repository. */
export const pictures = process.env["GATELINE_PICTURES"] || path.join(cache, "pictures");

export const extension = path.resolve(import.meta.dirname, "../..");

export const repository = path.resolve(extension, "..");

/** The packed extension. */
export const vsix = process.env["GATELINE_VSIX"] || path.join(extension, "gateline.vsix");

export const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync) ?? "chromium";

/** A Python of a project that has pytest. */
export const testPython = process.env["GATELINE_TEST_PYTHON"] || undefined;

/** Milliseconds. Generous: a busy machine is slow, and what is measured is printed. */
export const PATIENCE = Number(process.env["GATELINE_PATIENCE"] || 120_000);
