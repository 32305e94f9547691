/** One at a time, and what is asked meanwhile is done once afterwards. */

export class Serial {
  private running: Promise<void> | undefined;
  private queued: Promise<void> | undefined;

  constructor(private readonly work: () => Promise<void>) {}

  /** Resolves when a run that began after this call has ended. */
  run(): Promise<void> {
    if (this.running === undefined) return this.begin();
    this.queued ??= this.running.then(
      () => this.next(),
      () => this.next(),
    );
    return this.queued;
  }

  private begin(): Promise<void> {
    const run = this.work().finally(() => {
      if (this.running === run) this.running = undefined;
    });
    this.running = run;
    return run;
  }

  private next(): Promise<void> {
    this.queued = undefined;
    return this.begin();
  }
}
