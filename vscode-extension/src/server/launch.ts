/** From wishes to a command line that can be started. */

import { accessSync, constants } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import { bundleFolders, readBundle } from "./bundle";
import { chooseServer, type Problem, type Surroundings, type Wishes } from "./choice";
import { bundledCommand, bundledEnvironment, programCommand, type Command } from "./command";
import { makeEnvironment } from "./environment";
import { findPython } from "./find";

export interface Request extends Wishes {
  /** `gateline.serverInterpreter`; empty for none. */
  readonly serverInterpreter: string;
  /** `gateline.interpreter`; empty for none. */
  readonly projectInterpreter: string;
  /** The workspace's folders, unless it is trusted. */
  readonly untrustedFolders: readonly string[];
  /** Where the extension keeps its own files. */
  readonly storage: string;
  /** `bundled/` in the extension. */
  readonly bundle: string;
}

export interface Launch extends Command {
  readonly kind: "launch";
  /** Outside of the workspace. */
  readonly cwd: string;
  readonly env: Record<string, string>;
  /** Why this one, for the log. */
  readonly origin: string;
}

const AROUND: Surroundings = {
  isExecutable(program) {
    try {
      accessSync(program, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  },
  beside: (interpreter) => path.join(path.dirname(interpreter), "gateline"),
};

/** How the server is started, or what to tell. */
export async function prepareLaunch(request: Request): Promise<Launch | Problem> {
  const choice = chooseServer(request, AROUND);
  if (choice.kind === "problem") return choice;
  await fs.mkdir(request.storage, { recursive: true });
  const common = { kind: "launch", cwd: request.storage, origin: choice.origin } as const;
  if (choice.kind === "program") {
    return { ...common, ...programCommand(choice.program), env: present(process.env) };
  }
  const interpreter = await bundledInterpreter(request);
  if (typeof interpreter !== "string") return interpreter;
  return { ...common, ...bundledCommand(interpreter), env: bundledEnvironment(process.env, request.untrustedFolders) };
}

async function bundledInterpreter(request: Request): Promise<string | Problem> {
  if (process.platform === "win32") {
    const message = "The gateline server runs on Linux and macOS; on Windows, open the folder in WSL.";
    return { kind: "problem", message, next: "use wsl" };
  }
  const bundle = await readBundle(request.bundle);
  if (bundle === undefined) {
    const message = "This build of the extension comes without a server. Name one in the setting gateline.path.";
    return { kind: "problem", message, next: "settings" };
  }
  const python = await findPython({
    setting: request.serverInterpreter,
    project: request.projectInterpreter,
    path: process.env["PATH"] ?? "",
    untrustedFolders: request.untrustedFolders,
    cwd: request.storage,
    versions: bundle.versions,
  });
  if ("kind" in python) return python;
  return makeEnvironment(request.storage, python, bundleFolders(request.bundle, python));
}

function present(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
