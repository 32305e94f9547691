/** Which Python a folder belongs to: asked of the extensions that know, when they are there. */

import { PythonExtension } from "@vscode/python-extension";
import fs from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { readSettings } from "../settings";

/** The part of the Python Environments extension that is used. */
interface EnvironmentsApi {
  getEnvironment(scope: vscode.Uri | undefined): Promise<{ execInfo?: { run?: { executable?: string } } } | undefined>;
  onDidChangeEnvironment: vscode.Event<unknown>;
}

const ENVIRONMENTS = "ms-python.vscode-python-envs";
const PYTHON = "ms-python.python";

/** Milliseconds within which an extension must know; later it is told as a change. */
const PATIENCE = 1500;

/** Something that knows interpreters. */
interface Source {
  interpreter(folder: vscode.Uri | undefined): Promise<string | undefined>;
}

export class Interpreters implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** An interpreter was chosen, or an extension that knows one has come up. */
  readonly onDidChange = this.changed.event;
  private readonly listening: { dispose(): unknown }[] = [this.changed];
  private source: Source | undefined;
  private looking: Promise<void> | undefined;

  constructor(private readonly log: vscode.LogOutputChannel) {
    this.listening.push(vscode.extensions.onDidChange(() => this.forget()));
  }

  /** An extension came or went: who knows interpreters is looked up again. */
  private forget(): void {
    if (this.source === undefined) this.looking = undefined;
  }

  /** The Python of a folder of a trusted workspace; undefined leaves the choice to the server. */
  async of(folder: vscode.WorkspaceFolder | undefined): Promise<string | undefined> {
    const given = readSettings(folder).interpreter;
    if (given !== "") return given;
    this.looking ??= this.look();
    await Promise.race([this.looking, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
    return (await this.source?.interpreter(folder?.uri)) ?? (await written(folder));
  }

  private async look(): Promise<void> {
    try {
      this.source = (await this.environments()) ?? (await this.python());
    } catch (error) {
      this.log.warn(`the Python extension does not tell its interpreter: ${String(error)}`);
    }
    if (this.source !== undefined) this.changed.fire();
  }

  private async environments(): Promise<Source | undefined> {
    const extension = vscode.extensions.getExtension<EnvironmentsApi>(ENVIRONMENTS);
    if (extension === undefined) return undefined;
    const api = await extension.activate();
    this.listening.push(api.onDidChangeEnvironment(() => this.changed.fire()));
    return { interpreter: async (folder) => (await api.getEnvironment(folder))?.execInfo?.run?.executable };
  }

  private async python(): Promise<Source | undefined> {
    if (vscode.extensions.getExtension(PYTHON) === undefined) return undefined;
    const { environments } = await PythonExtension.api();
    this.listening.push(environments.onDidChangeActiveEnvironmentPath(() => this.changed.fire()));
    return {
      async interpreter(folder) {
        const chosen = environments.getActiveEnvironmentPath(folder);
        return (await environments.resolveEnvironment(chosen))?.executable.uri?.fsPath;
      },
    };
  }

  dispose(): void {
    for (const one of this.listening) one.dispose();
  }
}

/** `python.defaultInterpreterPath`, where the folder has no environment that the server finds itself. */
async function written(folder: vscode.WorkspaceFolder | undefined): Promise<string | undefined> {
  const value = vscode.workspace.getConfiguration("python", folder?.uri ?? null).get<string>("defaultInterpreterPath");
  if (!value || value === "python" || (folder && (await hasEnvironment(folder.uri.fsPath)))) return undefined;
  return value;
}

async function hasEnvironment(folder: string): Promise<boolean> {
  const found = await Promise.all([".venv", "venv"].map((name) => isFile(path.join(folder, name, "pyvenv.cfg"))));
  return found.includes(true);
}

async function isFile(file: string): Promise<boolean> {
  return fs.stat(file).then(
    (entry) => entry.isFile(),
    () => false,
  );
}
