/** Where a comment may end a line of Python, and what it says there. */

export interface LineEnd {
  /** Whether a comment may stand at the end of this line. */
  readonly fit: boolean;
  /** Where one begins already. */
  readonly comment: number | undefined;
}

/** How a line ends; all lines before it are needed to know which strings are open. */
export function lineEnd(lines: readonly string[], at: number): LineEnd {
  let open: string | undefined;
  let comment: number | undefined;
  for (const line of lines.slice(0, at + 1)) {
    ({ open, comment } = walk(line, open));
  }
  const continued = comment === undefined && (lines[at] ?? "").endsWith("\\");
  return { fit: open === undefined && !continued, comment };
}

/** Along one line that may begin inside of a string; what is open at its end. */
function walk(line: string, begun: string | undefined): { open: string | undefined; comment: number | undefined } {
  let [open, at] = [begun, 0];
  for (;;) {
    if (open !== undefined) {
      at = closing(line, at, open);
      if (at < 0) return { open: goesOn(open, line) ? open : undefined, comment: undefined };
      open = undefined;
      continue;
    }
    const found = matchFrom(/"""|'''|["'#]/g, line, at);
    if (found === null) return { open: undefined, comment: undefined };
    if (found[0] === "#") return { open: undefined, comment: found.index };
    open = found[0];
    at = found.index + open.length;
  }
}

/** Where a string that is open ends, or -1. A backslash takes the next character's meaning. */
function closing(line: string, from: number, quotes: string): number {
  let at = from;
  for (;;) {
    const found = matchFrom(new RegExp(`\\\\.|${quotes}`, "g"), line, at);
    if (found === null) return -1;
    at = found.index + found[0].length;
    if (found[0] === quotes) return at;
  }
}

function matchFrom(pattern: RegExp, line: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(line);
}

/** A string of one line goes on only after a backslash that is not itself escaped. */
function goesOn(quotes: string, line: string): boolean {
  const backslashes = /\\*$/.exec(line)?.[0].length ?? 0;
  return quotes.length === 3 || backslashes % 2 === 1;
}

/** A replacement within one line, in UTF-16 code units. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Whether a comment has an effect on a finding: the server says so in its data. One that the change adds lifts no floor. */
export function canBeIgnored(data: unknown): boolean {
  return typeof data === "object" && data !== null && "ignorable" in data && data.ignorable === true;
}

/** What to write so that `code` is ignored on a line; the code joins a suppression that is there. */
export function suppression(line: string, comment: number | undefined, code: string, reason: string): LineEdit {
  const joined = comment === undefined ? undefined : join(line, comment, code);
  if (joined !== undefined) return joined;
  const end = line.length;
  return { start: line.trimEnd().length, end, text: `  # gateline: ignore[${code}] ${reason.trim()}` };
}

function join(line: string, comment: number, code: string): LineEdit | undefined {
  const found = matchFrom(/#\s*gateline:\s*ignore\[([^\]]*)\]/g, line, comment);
  if (found === null) return undefined;
  const codes = found[1] ?? "";
  const at = found.index + found[0].length - 1;
  return { start: at - codes.length, end: at, text: codes.trim() === "" ? code : `${codes.trimEnd()}, ${code}` };
}

/** The lines on which a comment reaches a finding: where it begins, else where it ends. */
export function lineFor(lines: readonly string[], first: number, last: number): { at: number; end: LineEnd } | undefined {
  for (const at of new Set([first, last])) {
    const end = lineEnd(lines, at);
    if (lines[at] !== undefined && end.fit) return { at, end };
  }
  return undefined;
}
