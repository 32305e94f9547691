import type { StatusParams } from "./protocol";

/** Hears how the server fares, and what it says of the change. */
export interface Watcher {
  /** A server begins: nothing that was said holds any more. */
  begin(): void;
  take(status: StatusParams): void;
  /** There is no server, and why. */
  fail(message: string): void;
}
