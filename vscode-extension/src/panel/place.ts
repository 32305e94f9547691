/** Where a finding is: from the server's paths and columns to the editor's. */

/** A document in no folder goes by its URI; anything else is a path below the root. */
export function addressOf(path: string): { readonly uri: string } | { readonly below: readonly string[] } | undefined {
  if (/^(file|untitled):/.test(path)) return { uri: path };
  const parts = path.split("/");
  const leaves = path.startsWith("/") || path.includes("\\") || /^[A-Za-z]:/.test(path) || parts.includes("..");
  return leaves ? undefined : { below: parts };
}

/** The editor counts columns in UTF-16 units, the server in code points. */
export function columnIn(line: string, codePoints: number): number {
  let column = 0;
  for (let passed = 0; passed < codePoints && column < line.length; passed += 1) {
    column += (line.codePointAt(column) ?? 0) > 0xffff ? 2 : 1;
  }
  return column;
}
