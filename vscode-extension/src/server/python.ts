/** Which Python can run the bundled server. */

import type { Problem } from "./choice";

/** What an interpreter says of itself. */
export interface Python {
  /** The executable behind shims and virtual environments. */
  readonly executable: string;
  readonly version: readonly [major: number, minor: number, micro: number];
  readonly implementation: string;
  /** Without a global lock, compiled modules of the ordinary kind do not load. */
  readonly freeThreaded: boolean;
}

/** `MAJOR.MINOR` of the interpreters that a bundle was made for, oldest first. */
export type Versions = readonly string[];

/** Printed by the interpreter itself, isolated from the place where it runs. */
export const PROBE = [
  "import json, sys, sysconfig",
  'base = getattr(sys, "_base_executable", None) or sys.executable',
  "print(json.dumps([base, list(sys.version_info[:3]), sys.implementation.name,",
  '                  bool(sysconfig.get_config_var("Py_GIL_DISABLED"))]))',
].join("\n");

/** -I: neither the current folder, nor the environment's paths, nor the user's packages; -S: no `sitecustomize`. */
export const PROBE_ARGUMENTS: readonly string[] = ["-I", "-S", "-c", PROBE];

/** What a probed interpreter printed; undefined when that is not an answer. */
export function readProbe(printed: string): Python | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(printed);
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts)) return undefined;
  const [executable, version, implementation, freeThreaded] = parts as unknown[];
  if (typeof executable !== "string" || executable === "" || !isVersion(version)) return undefined;
  if (typeof implementation !== "string") return undefined;
  return { executable, version, implementation, freeThreaded: freeThreaded === true };
}

function isVersion(value: unknown): value is [number, number, number] {
  return Array.isArray(value) && value.length === 3 && value.every(Number.isInteger);
}

/** Why an interpreter cannot run the bundle; empty when it can. */
export function unfitness(python: Python, versions: Versions): string {
  const named = python.version.join(".");
  if (python.implementation !== "cpython") return `is ${python.implementation} ${named}, not CPython`;
  if (python.freeThreaded) return `is the free-threaded build of ${named}`;
  const [major, minor] = python.version;
  return versions.includes(`${major}.${minor}`) ? "" : `is ${named}`;
}

/** An interpreter that was tried, and why it was not taken. */
export interface Refused {
  readonly command: string;
  readonly why: string;
}

/** The message when none will do. */
export function noPython(refused: readonly Refused[], versions: Versions, setting: string): Problem {
  const wanted = `gateline needs ${range(versions)}`;
  if (setting !== "") {
    const why = refused[0]?.why ?? "cannot be run";
    const message = `${wanted}, and the setting gateline.serverInterpreter names ${setting}, which ${why}.`;
    return { kind: "problem", message, next: "settings" };
  }
  const found = refused.map(({ command, why }) => `${command} ${why}`).join("; ");
  const message = `${wanted}, and found none on PATH${found === "" ? "" : ` (${found})`}.`;
  return { kind: "problem", message, next: "install python" };
}

/** `Python 3.11 to 3.14`. */
export function range(versions: Versions): string {
  const [first, last] = [versions[0] ?? "3.11", versions.at(-1) ?? "3.11"];
  return first === last ? `Python ${first}` : `Python ${first} to ${last}`;
}

/** Names under which an interpreter may be on PATH, the plain one first. */
export function commandNames(versions: Versions): string[] {
  return ["python3", ...[...versions].reverse().map((version) => `python${version}`), "python"];
}
