/** What the extension host wrote down: activations, and every error of an extension. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const OURS = "gateline.gateline";

/**
 * Not ours: there is no gallery and no sign-in without a network, a window that closes says so, and VS Code's own
 * git is started once more in the folder of the test before, which is gone (the extension starts no git).
 */
const ELSEWHERE = /ENOTFOUND|EAI_AGAIN|marketplace|gallery|github-authentication|Canceled|Channel has been closed|spawn git ENOENT/i;

/** The connection of a window that is gone. The extension talks to its server over pipes, never over TCP. */
const OF_WINDOW = /read ECONNRESET\n\s+at TCP\./;

/** Before each time: a stack trace belongs to what is above it. */
const ENTRY = /\n(?=\d{4}-\d\d-\d\d )/;

export class HostLog {
  private readonly told = new Map<string, number>();
  constructor(private readonly folder: string) {}

  /** What each extension host said since the server was started, by file, the oldest first. */
  private entries(): [file: string, entries: string[]][] {
    if (!existsSync(this.folder)) return [];
    const names = readdirSync(this.folder, { recursive: true, encoding: "utf8" });
    const files = names.filter((name) => path.basename(name) === "remoteexthost.log");
    const inOrder = files.sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
    return inOrder.map((file) => [file, readFileSync(path.join(this.folder, file), "utf8").split(ENTRY).filter(Boolean)]);
  }

  /** Which events activated the extension, in order. */
  activations(): string[] {
    const wanted = new RegExp(`_doActivateExtension ${OURS},.*activationEvent: '([^']*)'`);
    return this.entries().flatMap(([, entries]) => entries.flatMap((entry) => wanted.exec(entry)?.[1] ?? []));
  }

  /** Errors that were not told before, and may be ours. */
  newErrors(): string[] {
    const fresh = this.entries().flatMap(([file, entries]) => {
      const errors = entries.filter((entry) => /^\S+ \S+ \[error\] /.test(entry));
      const before = this.told.get(file) ?? 0;
      this.told.set(file, errors.length);
      return errors.slice(before);
    });
    // That a provider failed is told in one entry, and why in the next.
    const isElsewhere = fresh.map((entry) => ELSEWHERE.test(entry.split("\n", 1)[0] ?? "") || OF_WINDOW.test(entry));
    return fresh.filter((entry, at) => !isElsewhere[at] && !(entry.endsWith("provider FAILED") && isElsewhere[at + 1]));
  }
}
