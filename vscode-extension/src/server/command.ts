/** How a server is started. */

import { safePath } from "./search";

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** The bundled server: isolated (-I), so that neither the current folder nor PYTHONPATH changes what is imported. */
export function bundledCommand(interpreter: string): Command {
  return { command: interpreter, args: ["-I", "-m", "gateline", "server"] };
}

/** An installed `gateline`. */
export function programCommand(program: string): Command {
  return { command: program, args: ["server"] };
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The bundled server's variables: none that points Python elsewhere, because its children are started
 * with them, and no place of an untrusted workspace on PATH, because git is started from there.
 */
export function bundledEnvironment(given: Environment, untrustedFolders: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !/^PYTHON/i.test(name)) kept[name] = value;
  }
  if (kept["PATH"] !== undefined && untrustedFolders.length > 0) {
    kept["PATH"] = safePath(kept["PATH"], untrustedFolders);
  }
  return kept;
}
