/** Which Python a folder belongs to: asked of the extensions that know, when they are there. */

import { PythonExtension } from "@vscode/python-extension";
import fs from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { reason } from "../errors";
import { readSettings } from "../settings";
import { Patient } from "./patient";

/** The part of the Python Environments extension that is used. */
interface EnvironmentsApi {
  getEnvironment(scope: vscode.Uri | undefined): Promise<{ execInfo?: { run?: { executable?: string } } } | undefined>;
  onDidChangeEnvironment: vscode.Event<unknown>;
}

const ENVIRONMENTS = "ms-python.vscode-python-envs";
const PYTHON = "ms-python.python";

/** Milliseconds within which an extension must know. The server waits 3 s for all it asks. */
const PATIENCE = 1500;

/** Knows the interpreter of a folder. */
type Source = (folder: vscode.Uri | undefined) => Promise<string | undefined>;

export class Interpreters implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Another interpreter was chosen, or one became known. */
  readonly onDidChange = this.changed.event;
  private readonly listening: { dispose(): unknown }[] = [this.changed];
  private source: Promise<Source | undefined> | undefined;
  private readonly known = new Patient<string>(
    (folder) => this.ask(folder === "" ? undefined : vscode.Uri.parse(folder)),
    () => new Promise((resolve) => setTimeout(resolve, PATIENCE)),
    () => this.changed.fire(),
  );

  constructor(private readonly log: vscode.LogOutputChannel) {
    this.listening.push(vscode.extensions.onDidChange(() => this.lookAgain()));
  }

  /** The Python of a folder of a trusted workspace; undefined leaves the choice to the server. */
  async of(folder: vscode.WorkspaceFolder | undefined): Promise<string | undefined> {
    const given = readSettings(folder).interpreter;
    if (given !== "") return given;
    return (await this.known.get(folder?.uri.toString() ?? "")) ?? (await written(folder));
  }

  private async ask(folder: vscode.Uri | undefined): Promise<string | undefined> {
    this.source ??= this.look();
    const found = await (await this.source)?.(folder);
    if (found !== undefined) this.log.info(`${folder?.fsPath ?? "files without a folder"}: the project's Python is ${found}`);
    return found;
  }

  private async look(): Promise<Source | undefined> {
    try {
      return (await this.environments()) ?? (await this.python());
    } catch (error) {
      this.log.warn(`the Python extension does not tell its interpreter: ${reason(error)}`);
      return undefined;
    }
  }

  private async environments(): Promise<Source | undefined> {
    const extension = vscode.extensions.getExtension<EnvironmentsApi>(ENVIRONMENTS);
    if (extension === undefined) return undefined;
    const api = await extension.activate();
    this.listening.push(api.onDidChangeEnvironment(() => this.askAgain()));
    return async (folder) => (await api.getEnvironment(folder))?.execInfo?.run?.executable;
  }

  private async python(): Promise<Source | undefined> {
    if (vscode.extensions.getExtension(PYTHON) === undefined) return undefined;
    const { environments } = await PythonExtension.api();
    this.listening.push(environments.onDidChangeActiveEnvironmentPath(() => this.askAgain()));
    return async (folder) => {
      const chosen = environments.getActiveEnvironmentPath(folder);
      return (await environments.resolveEnvironment(chosen))?.executable.uri?.fsPath;
    };
  }

  /** An extension came or went. One that is known already says itself when it changes. */
  private lookAgain(): void {
    void this.source?.then((known) => {
      if (known !== undefined) return;
      this.source = undefined;
      this.askAgain();
    });
  }

  private askAgain(): void {
    this.known.forget();
    this.changed.fire();
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
