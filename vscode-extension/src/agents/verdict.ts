/** What the gate says, for a language model: short, and what was found as data. */

import type { CheckResult } from "../protocol";

const SHOWN = 20;

/** Markdown; its texts come from the workspace. */
export function verdict(result: Pick<CheckResult, "evaluation" | "fresh" | "running" | "contentHash">): string {
  const { evaluation } = result;
  if (evaluation === null) return `Not judged yet: ${result.running.join(", ")}. Ask again.\n`;
  const { decision, findings } = evaluation;
  const brought = findings.filter(({ novelty }) => novelty === "new");
  const score = evaluation.score.value === null ? "no score" : `score ${evaluation.score.value}`;
  const old = result.fresh ? "" : " Something was written meanwhile: ask again.";
  const rows = brought
    .slice(0, SHOWN)
    .map((one) => `- ${one.code} ${one.path}:${one.span.start.line + 1} ${one.message.replace(/\s+/g, " ")}`);
  const more = brought.length > SHOWN ? [`- and ${brought.length - SHOWN} more`] : [];
  const todo = decision.requiredActions.map((action) => `- ${action.text.replace(/\s+/g, " ")}`);
  return [
    `${decision.status}: ${decision.outcome} (${evaluation.level}, ${score}), content ${result.contentHash}.${old}`,
    ...(todo.length > 0 ? ["", "To do:", ...todo] : []),
    ...(rows.length > 0 ? ["", "New findings:", ...rows, ...more] : ["", "No new findings."]),
    "",
  ].join("\n");
}
