/** Asks interpreters what they are, one after the other, until one will do. */

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import fs from "node:fs/promises";
import type { Problem } from "./choice";
import { bundledEnvironment } from "./command";
import {
  commandNames,
  noPython,
  PROBE_ARGUMENTS,
  readProbe,
  unfitness,
  type Python,
  type Refused,
  type Versions,
} from "./python";
import { candidates, isInside, safePath } from "./search";

/** Milliseconds; a shim on a loaded machine needs a second. */
const PATIENCE = 10_000;

export interface Search {
  /** `gateline.serverInterpreter`; empty for none. */
  readonly setting: string;
  /** Tried before PATH: `gateline.interpreter`. */
  readonly project: string;
  /** The value of PATH. */
  readonly path: string;
  /** Nothing in these is run. */
  readonly untrustedFolders: readonly string[];
  /** A folder that nobody else writes to. */
  readonly cwd: string;
  readonly versions: Versions;
}

/** An interpreter for the bundle, or what to tell. */
export async function findPython(search: Search): Promise<Python | Problem> {
  const refused: Refused[] = [];
  for await (const command of commands(search)) {
    const tried = await attempt(command, search);
    if (typeof tried !== "string") return tried;
    refused.push({ command, why: tried });
  }
  return noPython(refused, search.versions, search.setting);
}

/** The interpreter, or why it is not taken. */
async function attempt(command: string, search: Search): Promise<Python | string> {
  if (isInside(command, search.untrustedFolders)) return "lies in a workspace that is not trusted";
  const python = await probe(command, search.cwd);
  return python === undefined ? "cannot be run" : unfitness(python, search.versions) || python;
}

async function* commands(search: Search): AsyncGenerator<string> {
  if (search.setting !== "") {
    yield search.setting;
    return;
  }
  if (search.project !== "") yield search.project;
  const searched = safePath(search.path, search.untrustedFolders);
  for (const candidate of candidates(commandNames(search.versions), searched)) {
    if (await isExecutable(candidate)) yield candidate;
  }
}

async function isExecutable(file: string): Promise<boolean> {
  return fs.access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function probe(command: string, cwd: string): Promise<Python | undefined> {
  const options = { cwd, env: bundledEnvironment(process.env, []), timeout: PATIENCE };
  return new Promise((resolve) => {
    execFile(command, PROBE_ARGUMENTS, options, (error, stdout) => {
      resolve(error === null ? readProbe(stdout) : undefined);
    });
  });
}
