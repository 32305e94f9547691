/** What came with the extension. */

import fs from "node:fs/promises";
import path from "node:path";
import type { Python, Versions } from "./python";

/** `bundled/manifest.json`, written when the extension is packed. */
export interface Bundle {
  /** `MAJOR.MINOR` of each Python it was made for, oldest first. */
  readonly versions: Versions;
  /** The version of the server in it. */
  readonly gateline: string;
}

/** Undefined in a checkout where nothing was bundled yet. */
export async function readBundle(folder: string): Promise<Bundle | undefined> {
  try {
    return JSON.parse(await fs.readFile(path.join(folder, "manifest.json"), "utf8")) as Bundle;
  } catch {
    return undefined;
  }
}

/** The folders with the packages for one Python: its own, then those that all share. */
export function bundleFolders(folder: string, python: Python): string[] {
  const [major, minor] = python.version;
  return [path.join(folder, `cp${major}${minor}`), path.join(folder, "common")];
}
