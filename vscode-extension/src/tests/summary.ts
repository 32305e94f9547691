/** What became of tests, in a sentence. */

import type { RunTestsResult } from "../protocol";

export function summary(result: RunTestsResult): string {
  const ran = result.tests.length;
  const head = `gateline: ${ran === 0 ? "no" : ran} of ${result.total} tests ran`;
  const failing = result.failing > 0 ? `, ${result.failing} failing` : "";
  const ended = result.cancelled ? "; ended early" : "";
  const notes = [...result.why.slice(0, 2), ...(result.note === "" ? [] : [result.note])];
  return `${head}${failing}${ended}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}.`;
}
