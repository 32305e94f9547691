/** What was said of each folder. */

import type { StatusParams } from "./protocol";

export interface Known {
  readonly now: StatusParams;
  /** The newest that is a verdict, not merely work. */
  readonly last: StatusParams | undefined;
}

export class Statuses {
  private readonly folders = new Map<string, Known>();

  take(folder: string, status: StatusParams): void {
    const before = this.folders.get(folder)?.last;
    this.folders.set(folder, { now: status, last: status.working ? before : status });
  }

  /** A folder's own; without a folder, or before anything is known of it, that of any folder. */
  of(folder: string | undefined): Known | undefined {
    const own = folder === undefined ? undefined : this.folders.get(folder);
    return own ?? this.folders.values().next().value;
  }

  clear(): void {
    this.folders.clear();
  }
}
