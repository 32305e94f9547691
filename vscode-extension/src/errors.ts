/** Errors, for people. */

/** What an error says, ready for the middle of a sentence. */
export function reason(error: unknown): string {
  return sentence(error instanceof Error ? error.message : String(error));
}

/** A sentence without its full stop. */
export function sentence(text: string): string {
  return text.trim().replace(/\.$/, "");
}

/** Codes of the protocol: the person, or an edit, took the question back. */
const CANCELLED = new Set([-32800, -32801, -32802]);

export function isCancelled(error: unknown): boolean {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return CANCELLED.has(code as number) || name === "Canceled";
}
