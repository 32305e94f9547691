/** What the extension host wrote down: activations, and every error of an extension. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const OURS = "gateline.gateline";

export class HostLog {
  private told = 0;
  constructor(private readonly folder: string) {}

  /** The lines of all extension hosts since the server was started. */
  private lines(): string[] {
    if (!existsSync(this.folder)) return [];
    const names = readdirSync(this.folder, { recursive: true, encoding: "utf8" });
    const files = names.filter((name) => path.basename(name) === "remoteexthost.log").sort();
    return files.flatMap((file) => readFileSync(path.join(this.folder, file), "utf8").split("\n")).filter(Boolean);
  }

  /** Which events activated the extension, in order. */
  activations(): string[] {
    const wanted = new RegExp(`_doActivateExtension ${OURS},.*activationEvent: '([^']*)'`);
    return this.lines().flatMap((line) => wanted.exec(line)?.[1] ?? []);
  }

  /** Errors that were not told before. */
  newErrors(): string[] {
    const errors = this.lines().filter((line) => / \[error\] /.test(line));
    const fresh = errors.slice(this.told);
    this.told = errors.length;
    return fresh;
  }
}
