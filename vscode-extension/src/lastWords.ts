/** What a server wrote to its standard error, for the log, and for the message when it was the last. */

import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** Characters of a message that is still read. */
const MOST = 200;
/** Milliseconds that a process which closed its output may take to close the other. */
const PATIENCE = 500;

export interface Log {
  warn(line: string): void;
  error(line: string): void;
}

export class LastWords {
  private line = "";
  private heard = Promise.resolve();

  /** Write each line of a stream to the log, until it ends. */
  listen(input: Readable, log: Log): void {
    this.line = "";
    const lines = createInterface({ input, crlfDelay: Infinity });
    lines.on("line", (line) => {
      if (line.trim() !== "") this.line = line.trim();
      if (line.startsWith("WARNING ")) log.warn(line);
      else log.error(line);
    });
    this.heard = new Promise((resolve) => lines.once("close", resolve));
  }

  /** The last line that says something; empty when there is none. */
  async get(): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const impatience = new Promise((resolve) => (timer = setTimeout(resolve, PATIENCE)));
    await Promise.race([this.heard, impatience]);
    clearTimeout(timer);
    return this.line.length > MOST ? `${this.line.slice(0, MOST)}…` : this.line;
  }
}
