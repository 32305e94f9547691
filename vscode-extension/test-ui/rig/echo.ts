/** An extension that marks a line at once, without a server: what a squiggle takes in this VS Code anyway. */

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { extension } from "./places.ts";

const MANIFEST = {
  name: "echo",
  publisher: "test",
  version: "0.0.1",
  engines: { vscode: "^1.91.0" },
  main: "./main.js",
  activationEvents: ["onLanguage:plaintext"],
};

/** Text that lacks a colon at the end of its first line is wrong. */
const MAIN = `const vscode = require("vscode");
exports.activate = (context) => {
  const marks = vscode.languages.createDiagnosticCollection("echo");
  const mark = (document) => {
    if (document.languageId !== "plaintext") return;
    const { text, range } = document.lineAt(0);
    marks.set(document.uri, text.endsWith(":") ? [] : [new vscode.Diagnostic(range, "no colon")]);
  };
  vscode.workspace.textDocuments.forEach(mark);
  context.subscriptions.push(marks, vscode.workspace.onDidChangeTextDocument(({ document }) => mark(document)));
};
`;

/** Packs it into a folder, and gives back the file. */
export function packEcho(folder: string): string {
  const source = path.join(folder, "echo");
  mkdirSync(source);
  writeFileSync(path.join(source, "package.json"), JSON.stringify(MANIFEST));
  writeFileSync(path.join(source, "main.js"), MAIN);
  writeFileSync(path.join(source, "README.md"), "For tests.\n");
  const vsix = path.join(folder, "echo.vsix");
  const vsce = path.join(extension, "node_modules/.bin/vsce");
  const options = ["--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", vsix];
  execFileSync(vsce, ["package", ...options], { cwd: source, stdio: "pipe" });
  return vsix;
}
