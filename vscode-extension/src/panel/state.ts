/** What the panel shows: all of it is data, so that showing it is a pure function. */

import type { EvaluationResult, HistoryEntry, SavepointResult, ScoreEntry, StatusParams } from "../protocol";

export interface Folder {
  readonly uri: string;
  readonly name: string;
}

export type Server = { readonly state: "starting" | "running" } | { readonly state: "stopped"; readonly message: string };

/** What the extension knows; sent to the page as it is. */
export interface State {
  readonly server: Server;
  readonly folders: readonly Folder[];
  /** The URI of the folder that is shown. */
  readonly folder: string | null;
  /** The newest that is not merely "working". */
  readonly status: StatusParams | null;
  readonly working: boolean;
  readonly evaluation: EvaluationResult | null;
  readonly history: readonly HistoryEntry[];
  /** Scores of the task from before this session, oldest first. */
  readonly remembered: readonly ScoreEntry[];
  /** Newest first. */
  readonly savepoints: readonly SavepointResult[];
}

export const EMPTY: State = {
  server: { state: "starting" },
  folders: [],
  folder: null,
  status: null,
  working: false,
  evaluation: null,
  history: [],
  remembered: [],
  savepoints: [],
};

/** What only the page knows. */
export interface View {
  /** CSS pixels that the plot may take. */
  readonly width: number;
  /** The timestamp of the evaluation that is pointed at. */
  readonly chosen: string | null;
  /** A time of day for people. */
  readonly time: (timestamp: string) => string;
}
