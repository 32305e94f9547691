/** The folders of PATH, without those that a workspace could fill. */

import path from "node:path";

/** Whether a path lies in one of the folders, or is one. */
export function isInside(candidate: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const relative = path.relative(folder, candidate);
    return relative === "" || (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== "..");
  });
}

/** PATH without relative folders and without folders of the workspace. */
export function safePath(value: string, workspaceFolders: readonly string[]): string {
  const kept = value
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && !isInside(folder, workspaceFolders));
  return kept.join(path.delimiter);
}

/** Every place where one of these names would be found, by name first. */
export function* candidates(names: readonly string[], searched: string): Generator<string> {
  for (const name of names) {
    for (const folder of searched.split(path.delimiter)) {
      if (folder !== "") yield path.join(folder, name);
    }
  }
}
