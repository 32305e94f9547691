/** Which server runs. Nothing is looked up here: what exists is asked through `Surroundings`. */

export type ImportStrategy = "useBundled" | "fromEnvironment";

/** What the person and the workspace say. */
export interface Wishes {
  /** Whether the workspace is trusted; settings of one that is not never reach this place. */
  readonly trusted: boolean;
  /** `gateline.path`, ready to be used. */
  readonly path: readonly string[];
  readonly importStrategy: ImportStrategy;
  /** The project's Python, when one is known. */
  readonly interpreter: string | undefined;
}

export interface Surroundings {
  /** Whether a program is there and may be run. */
  isExecutable(program: string): boolean;
  /** `gateline` as installed beside an interpreter. */
  beside(interpreter: string): string;
}

/** What to do next, as a button. */
export type NextStep = "settings" | "log" | "install python" | "use wsl";

/** Why there is no server; one message, one next step. */
export interface Problem {
  readonly kind: "problem";
  readonly message: string;
  readonly next: NextStep;
}

export type Choice =
  | { readonly kind: "program"; readonly program: string; readonly origin: string }
  | { readonly kind: "bundled"; readonly origin: string }
  | Problem;

/** The first that applies: untrusted, `gateline.path`, `gateline.importStrategy`, the project's environment. */
export function chooseServer(wishes: Wishes, around: Surroundings): Choice {
  if (!wishes.trusted) {
    return { kind: "bundled", origin: "the workspace is not trusted" };
  }
  if (wishes.path.length > 0) {
    return fromPath(wishes.path, around);
  }
  if (wishes.importStrategy === "useBundled") {
    return { kind: "bundled", origin: "gateline.importStrategy" };
  }
  const program = wishes.interpreter === undefined ? undefined : around.beside(wishes.interpreter);
  if (program !== undefined && around.isExecutable(program)) {
    return { kind: "program", program, origin: "the project's environment" };
  }
  return { kind: "bundled", origin: "the project's environment has no gateline" };
}

function fromPath(path: readonly string[], around: Surroundings): Choice {
  const program = path.find((candidate) => around.isExecutable(candidate));
  if (program !== undefined) {
    return { kind: "program", program, origin: "gateline.path" };
  }
  const message = `The setting gateline.path names no program that can be run: ${path.join(", ")}.`;
  return { kind: "problem", message, next: "settings" };
}
