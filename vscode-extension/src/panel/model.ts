/** What is known of each folder, and which of them is shown. */

import type { EvaluationResult, HistoryEntry, SavepointResult, ScoreEntry, StatusParams } from "../protocol";
import { EMPTY, type Server, type State } from "./state";

interface Known {
  readonly name: string;
  /** The folder's URI as the server spells it. */
  readonly address: string;
  status: StatusParams | null;
  working: boolean;
  evaluation: EvaluationResult | null;
  history: readonly HistoryEntry[];
  remembered: readonly ScoreEntry[];
  savepoints: readonly SavepointResult[];
}

/** Of a folder that has not said anything yet. */
const NOTHING: Omit<Known, "name" | "address"> = {
  status: null,
  working: false,
  evaluation: null,
  history: [],
  remembered: [],
  savepoints: [],
};

export class Model {
  private server: Server = EMPTY.server;
  private readonly folders = new Map<string, Known>();
  private wanted: string | undefined;

  begin(): void {
    this.server = { state: "starting" };
    this.folders.clear();
  }

  /** Folders go by their URIs as the editor spells them. */
  take(folder: string, name: string, status: StatusParams): void {
    this.server = { state: "running" };
    const before = this.folders.get(folder) ?? NOTHING;
    const known = { ...before, name, address: status.folder, working: status.working };
    this.folders.set(folder, status.working ? known : { ...known, status });
  }

  fail(message: string): void {
    this.server = { state: "stopped", message };
    for (const known of this.folders.values()) known.working = false;
  }

  /** Show this folder, as soon as something is known of it. */
  choose(folder: string): void {
    this.wanted = folder;
  }

  /** What the server answered about a folder. */
  learn(folder: string, evaluation: EvaluationResult | null, history: readonly HistoryEntry[]): void {
    const known = this.folders.get(folder);
    if (known !== undefined) Object.assign(known, { evaluation, history });
  }

  /** What is remembered of a folder's task, also of other days. */
  remember(folder: string, remembered: readonly ScoreEntry[], savepoints: readonly SavepointResult[]): void {
    const known = this.folders.get(folder);
    if (known !== undefined) Object.assign(known, { remembered, savepoints });
  }

  /** The folder that is shown: the wanted one, else the first. */
  get folder(): string | undefined {
    return this.wanted !== undefined && this.folders.has(this.wanted) ? this.wanted : this.folders.keys().next().value;
  }

  /** The shown folder's URI as the server spells it. */
  get address(): string | undefined {
    return this.folder === undefined ? undefined : this.folders.get(this.folder)?.address;
  }

  get state(): State {
    const known = this.folder === undefined ? undefined : this.folders.get(this.folder);
    const { status, working, evaluation, history, remembered, savepoints } = known ?? NOTHING;
    return {
      server: this.server,
      folders: [...this.folders].map(([uri, { name }]) => ({ uri, name })),
      folder: this.folder ?? null,
      status,
      working,
      evaluation,
      history,
      remembered,
      savepoints,
    };
  }
}
