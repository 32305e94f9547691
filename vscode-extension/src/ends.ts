/** Counts how often a server ended by itself. */

/** So many may come back within the time. */
export const MOST = 4;
export const WITHIN = 180_000; // milliseconds

export class Ends {
  private times: number[] = [];

  /** One more, at a time in milliseconds; whether it may come back. */
  add(now: number): boolean {
    this.times = [...this.times.filter((time) => now - time < WITHIN), now];
    return this.count <= MOST;
  }

  /** How many there were within the time. */
  get count(): number {
    return this.times.length;
  }
}
