/** Text that Markdown leaves as it is: what the user's code says must not become links or pictures. */

export function plain(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[!-/:-@[-`{-~]/g, "\\$&");
}

export function table(head: readonly string[], align: string, rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), align, ...rows.map(line)].join("\n");
}
