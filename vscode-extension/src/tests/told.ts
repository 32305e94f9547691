/** Which tests spoke of the change, and why these; or why none did. */

import type { TestRunResult } from "../protocol";

export function told(tests: TestRunResult): string[] {
  if (tests.state === "nothing to judge") return [tests.reason === "" ? "no tests to run" : tests.reason];
  if (tests.state !== "measured") return silent(tests);
  const { which, run, total, why, note } = tests;
  const affected = which === "affected";
  const head = affected ? `${run === 0 ? "none" : run} of ${total} tests affected` : `${run === total ? "all" : run} of ${total} tests run`;
  const line = affected && why.length > 0 ? `${head}: ${why.join(", ")}` : head;
  return note === "" ? [line] : [line, note];
}

function silent({ run, total, reason, nextStep }: TestRunResult): string[] {
  const head = total === 0 ? "no test ran" : `${run} of ${total} tests ran`;
  return [reason === "" ? head : `${head}: ${reason}`, ...(nextStep === "" ? [] : [`next step: ${nextStep}`])];
}
