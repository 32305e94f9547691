/** The bundled server behind a program that writes down when each message passed. */

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { extension, repository } from "./places.ts";

export interface Note {
  readonly method: string;
  readonly version: number;
  /** Milliseconds of the clock that a browser has, too. */
  readonly at: number;
  readonly codes: readonly string[];
}

export class Recorder {
  /** What `gateline.path` names. */
  readonly program: string;
  private readonly file: string;

  /** @param folder One that lives as long as the server. */
  constructor(folder: string) {
    this.program = path.join(folder, "gateline-recorded");
    this.file = path.join(folder, "notes.jsonl");
    const own = execFileSync("python3", ["-c", "import sys; print('cp%d%d' % sys.version_info[:2])"], { encoding: "utf8" });
    const packages = [own.trim(), "common"].map((name) => path.join(extension, "bundled", name)).join(":");
    const stamps = path.join(repository, "tests/editors/stamps.py");
    const command = `exec python3 ${stamps} ${this.file} python3 -m gateline "$@"`;
    writeFileSync(this.program, `#!/bin/sh\nexport PYTHONPATH=${packages}\n${command}\n`, { mode: 0o755 });
  }

  /** All that passed so far, oldest first: messages are passed on before they are written down. */
  notes(): Note[] {
    const lines = readFileSync(this.file, "utf8").split("\n").filter(Boolean);
    const notes = lines.map((line) => {
      const { method, version, wall, codes } = JSON.parse(line) as Note & { wall: number };
      return { method, version, at: wall / 1e6, codes };
    });
    return notes.sort((a, b) => a.at - b.at);
  }
}
