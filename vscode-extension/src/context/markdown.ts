/** Passages as Markdown, for a person or a model to read. */

import type { ContextResult, PassageResult } from "../protocol";

const LANGUAGES: Readonly<Record<string, string>> = { py: "python", pyi: "python", md: "markdown", toml: "toml", cfg: "ini", ini: "ini", yaml: "yaml", yml: "yaml", json: "json" };

/** A heading, then each passage with its place and its reasons. */
export function markdown(title: string, { passages, degraded }: Pick<ContextResult, "passages" | "degraded">): string {
  const parts = [`# ${title}`, ...passages.map(part)];
  const missing = Object.entries(degraded).map(([tier, reason]) => `${tier}: ${reason}`);
  if (missing.length > 0) parts.push(`Without ${missing.join("; ")}.`);
  return `${parts.join("\n\n")}\n`;
}

function part(passage: PassageResult): string {
  const fence = fenceFor(passage.text);
  const why = passage.why.length > 0 ? `${passage.why.join(", ")}\n\n` : "";
  return `## ${heading(passage)}\n\n${why}${fence}${language(passage.path)}\n${passage.text}\n${fence}`;
}

/** `shop/prices.py:4-6 rounded`, lines as people count them. */
export function heading({ path, name, lines }: PassageResult): string {
  return `${path}:${lines.first + 1}-${lines.last + 1} ${name}`.trim();
}

function language(path: string): string {
  return LANGUAGES[path.slice(path.lastIndexOf(".") + 1)] ?? "";
}

/** Longer than any run of backticks in the text: it may hold fences itself. */
function fenceFor(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return "`".repeat(longest + 1);
}
