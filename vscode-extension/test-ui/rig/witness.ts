/**
 * An extension beside gateline's, in the same host: it writes down when the host hears of an edit and when the
 * findings there change, which is all that lies between an extension and the rest of the editor.
 */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { extension } from "./places.ts";

export interface Heard {
  readonly version: number;
  /** Milliseconds of the clock that a browser has, too: the host hears of the edit. */
  readonly edited: number;
  /** The document has findings where it had none, or none any more. */
  readonly marked: number;
}

const MANIFEST = {
  name: "witness",
  publisher: "test",
  version: "0.0.1",
  engines: { vscode: "^1.91.0" },
  main: "./main.js",
  activationEvents: ["onLanguage:python"],
};

// The editor's own event of findings comes up to 50 ms late, so they are looked at.
const main = (file: string): string => `const vscode = require("vscode");
const now = () => performance.timeOrigin + performance.now();
const found = (uri) => vscode.languages.getDiagnostics(uri).length > 0;
exports.activate = (context) => {
  context.subscriptions.push(vscode.workspace.onDidChangeTextDocument(({ document: { uri, version, languageId } }) => {
    if (languageId !== "python") return;
    const [edited, before] = [now(), found(uri)];
    const look = () => {
      if (found(uri) === before) return now() - edited < 2000 && setTimeout(look, 0);
      const row = JSON.stringify({ version, edited, marked: now() });
      require("fs").appendFileSync(${JSON.stringify(file)}, row + "\\n");
    };
    look();
  }));
};
`;

export class Witness {
  /** The packed extension. */
  readonly vsix: string;
  private readonly file: string;

  /** @param folder One that lives as long as the editor. */
  constructor(folder: string) {
    const source = path.join(folder, "witness");
    mkdirSync(source);
    this.file = path.join(folder, "heard.jsonl");
    this.vsix = path.join(folder, "witness.vsix");
    writeFileSync(path.join(source, "package.json"), JSON.stringify(MANIFEST));
    writeFileSync(path.join(source, "main.js"), main(this.file));
    writeFileSync(path.join(source, "README.md"), "For tests.\n");
    const vsce = path.join(extension, "node_modules/.bin/vsce");
    const options = ["--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", this.vsix];
    execFileSync(vsce, ["package", ...options], { cwd: source, stdio: "pipe" });
  }

  heard(): Heard[] {
    const lines = existsSync(this.file) ? readFileSync(this.file, "utf8").split("\n").filter(Boolean) : [];
    return lines.map((line) => JSON.parse(line) as Heard);
  }
}
