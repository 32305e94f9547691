/**
 * The bundled server's own virtual environment: a link to an interpreter and the folders of the bundle.
 *
 * With it the server is what it would be after `pipx install gateline`: its child processes find its
 * packages, and no other. Nothing is copied, so making it takes milliseconds.
 */

import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import type { Python } from "./python";

/** One file of the environment, by its path in it. */
export type Layout = Readonly<Record<string, string>>;

/** The text files of an environment that sees these folders, the first of them first. */
export function layout(python: Python, folders: readonly string[]): Layout {
  const [major, minor] = python.version;
  const settings = [
    `home = ${path.dirname(python.executable)}`,
    "include-system-site-packages = false",
    `version = ${python.version.join(".")}`,
  ];
  return {
    "pyvenv.cfg": `${settings.join("\n")}\n`,
    [`lib/python${major}.${minor}/site-packages/gateline.pth`]: `${folders.join("\n")}\n`,
  };
}

/** A name that changes whenever the environment would. */
export function layoutName(python: Python, files: Layout): string {
  const told = JSON.stringify([python.executable, files]);
  return `server-${createHash("sha256").update(told).digest("hex").slice(0, 12)}`;
}

/** The environment's interpreter; the environment is made when it is not there yet. */
export async function makeEnvironment(storage: string, python: Python, folders: readonly string[]): Promise<string> {
  const files = layout(python, folders);
  const place = path.join(storage, layoutName(python, files));
  const interpreter = path.join(place, "bin", "python");
  if (!(await exists(interpreter))) {
    await write(place, files, python.executable);
  }
  return interpreter;
}

/** Beside, then renamed: two windows may start at the same time, and one may be killed half-way. */
async function write(place: string, files: Layout, executable: string): Promise<void> {
  await fs.mkdir(path.dirname(place), { recursive: true });
  const beside = await fs.mkdtemp(`${place}-`);
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(beside, name);
    await fs.mkdir(path.dirname(file), { recursive: true });
    await fs.writeFile(file, text);
  }
  await fs.mkdir(path.join(beside, "bin"));
  await fs.symlink(executable, path.join(beside, "bin", "python"));
  await fs.rm(place, { recursive: true, force: true });
  try {
    await fs.rename(beside, place);
  } catch (error) {
    await fs.rm(beside, { recursive: true, force: true });
    if (!(await exists(path.join(place, "bin", "python")))) throw error;
  }
}

/** Follows links: an interpreter that was removed is not there. */
async function exists(file: string): Promise<boolean> {
  return fs.access(file).then(
    () => true,
    () => false,
  );
}
