/** Keeps the status bar quiet: work is shown only when it lasts. */

import type { StatusParams } from "../protocol";

export interface Listener {
  begin(): void;
  take(status: StatusParams): void;
  fail(message: string): void;
}

export type Later = (run: () => void, milliseconds: number) => () => void;

const later: Later = (run, milliseconds) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

/** Milliseconds; most evaluations of an edit are over by then. */
export const PATIENCE = 600;

/** Passes on what it hears; that work began, only when nothing came of it for a while. */
export class Calm implements Listener {
  private readonly waiting = new Map<string, () => void>();

  constructor(
    private readonly listeners: readonly Listener[],
    private readonly wait: Later = later,
  ) {}

  begin(): void {
    this.forget();
    for (const listener of this.listeners) listener.begin();
  }

  take(status: StatusParams): void {
    if (status.working) {
      if (!this.waiting.has(status.folder)) this.waiting.set(status.folder, this.wait(() => this.pass(status), PATIENCE));
    } else {
      this.pass(status);
    }
  }

  fail(message: string): void {
    this.forget();
    for (const listener of this.listeners) listener.fail(message);
  }

  dispose(): void {
    this.forget();
  }

  private pass(status: StatusParams): void {
    this.waiting.get(status.folder)?.();
    this.waiting.delete(status.folder);
    for (const listener of this.listeners) listener.take(status);
  }

  private forget(): void {
    for (const cancel of this.waiting.values()) cancel();
    this.waiting.clear();
  }
}
