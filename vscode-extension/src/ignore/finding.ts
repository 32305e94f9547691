/** gateline's findings among the diagnostics of the editor. */

import * as vscode from "vscode";
import { canBeIgnored } from "./comment";

/** The code of a finding of ours; undefined for another's diagnostic. */
export function codeOf({ source, code }: vscode.Diagnostic): string | undefined {
  if (source !== "gateline") return undefined;
  return String(typeof code === "object" ? code.value : code);
}

/** A finding that can be ignored, and where. */
export interface Place {
  readonly uri: vscode.Uri;
  readonly code: string;
  readonly first: number;
  readonly last: number;
}

export function placeOf(uri: vscode.Uri, finding: vscode.Diagnostic): Place | undefined {
  const code = codeOf(finding);
  if (code === undefined || !canBeIgnored("data" in finding ? finding.data : undefined)) return undefined;
  return { uri, code, first: finding.range.start.line, last: finding.range.end.line };
}

/** The findings that touch a position's line, the nearest to it first. */
export function findingsAt(uri: vscode.Uri, position: vscode.Position): vscode.Diagnostic[] {
  const near = vscode.languages
    .getDiagnostics(uri)
    .filter((finding) => codeOf(finding) !== undefined)
    .filter(({ range }) => range.start.line <= position.line && position.line <= range.end.line);
  return near.sort((one, other) => distance(one.range, position) - distance(other.range, position));
}

function distance(range: vscode.Range, position: vscode.Position): number {
  if (range.contains(position)) return 0;
  const edge = position.isBefore(range.start) ? range.start : range.end;
  return 1 + Math.abs(edge.character - position.character);
}
