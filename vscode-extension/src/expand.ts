/** Variables in settings. */

/** `~` and `${workspaceFolder}` replaced; without a folder the latter stays, and will not be found. */
export function expand(text: string, home: string, folder: string | undefined): string {
  const expanded = text.trim().replace(/^~(?=$|[\\/])/, () => home);
  return folder === undefined ? expanded : expanded.replaceAll("${workspaceFolder}", () => folder);
}
