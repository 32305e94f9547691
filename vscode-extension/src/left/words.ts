/** What is said of work that was left. */

import type { LeftWork } from "../protocol";

export const RESTORABLE = "Restore…";

/** The server's words, in one line. */
export function told({ message }: LeftWork): string {
  const [first, session] = message.split("\n");
  return [first?.replace(/^ℹ️ /u, ""), session].filter(Boolean).join(". ");
}

/** Without a savepoint there is nothing to restore. */
export function answersFor({ task }: LeftWork): string[] {
  return [...(task.savepoint === "" ? [] : [RESTORABLE]), "Show", "Not now"];
}
