/** Which tests spoke of the change, and why these. */

import type { TestRunResult } from "../protocol";

export function told({ which, run, total, why, note }: TestRunResult): string[] {
  const affected = which === "affected";
  const head = affected ? `${run === 0 ? "none" : run} of ${total} tests affected` : `${run === total ? "all" : run} of ${total} tests run`;
  const line = affected && why.length > 0 ? `${head}: ${why.join(", ")}` : head;
  return note === "" ? [line] : [line, note];
}
