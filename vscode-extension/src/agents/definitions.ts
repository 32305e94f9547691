/** The MCP servers that are offered to the editor's agents: one for each folder, of the gateline that runs. */

/** How the language server was started. */
export interface Started {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Folder {
  readonly name: string;
  readonly path: string;
}

export interface Definition {
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The same program asked for `mcp` in place of `server`; nothing before it is known. */
export function definitions(started: Started | undefined, folders: readonly Folder[]): Definition[] {
  const at = started?.args.lastIndexOf("server") ?? -1;
  if (started === undefined || at < 0) return [];
  const before = [...started.args.slice(0, at), "mcp", "--workspace"];
  return folders.map(({ name, path }) => ({
    label: folders.length > 1 ? `gateline (${name})` : "gateline",
    command: started.command,
    args: [...before, path],
    env: started.env,
  }));
}
