/** An evaluation as a page of text: what the score is made of, and what is missing. */

import type { EvaluationResult, PartResult } from "../protocol";
import { plain, table } from "../status/markdown";
import { told } from "../tests/told";
import { checkpointIn, counted, decisionIn, isUnknown, number, percent, trajectoryIn } from "../status/words";

export function explain(evaluation: EvaluationResult): string {
  const sections = [head(evaluation), sum(evaluation), floors(evaluation), tests(evaluation), missing(evaluation), next(evaluation)];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

/** Before anything was judged. */
export const NOTHING = "# No score yet\n\ngateline has judged nothing since it started: change a Python file, or run the final check.\n";

function head({ score, decision, level, progress, base, baseLabel, trajectory }: EvaluationResult): string {
  const value = score.value === null ? "No score" : `Score ${number(score.value)}`;
  const said = decisionIn(decision.outcome);
  const against = base === "session" ? plain(baseLabel) : `${plain(baseLabel)} (\`${base.slice(0, 10)}\`)`;
  const where = `${checkpointIn(level, progress)}; measured against ${against}; evidence ${percent(score.evidence)}.`;
  return [`# ${value}: ${plain(said.title)}`, [said.meaning, where].join(" ").trim(), bullets([...decision.reasons, trajectoryIn(trajectory)].filter(Boolean))]
    .filter(Boolean)
    .join("\n\n");
}

function sum({ score }: EvaluationResult): string {
  const measured = score.parts.filter((part) => part.value !== null && part.weight > 0);
  if (measured.length === 0 || score.raw === null) return "";
  const total = ["**sum**", "", "", "", `**${score.raw.toFixed(1)}**`, ""];
  const head = ["dimension", "before", "now", "weight", "points", ""];
  return `## What it is made of\n\n${table(head, "|:--|--:|--:|--:|--:|:--|", [...measured.map(row), total])}`;
}

function row(part: PartResult): string[] {
  const before = part.before === null ? "" : number(part.before);
  const now = part.value === null ? "" : number(part.value);
  return [part.dimension, before, now, percent(part.weight), part.points.toFixed(1), part.detail].map(plain);
}

function floors({ score }: EvaluationResult): string {
  const causes = [
    ...(score.floors.length > 0 ? [counted(score.floors.length, "broken floor")] : []),
    ...(score.caps.length > 0 ? [counted(score.caps.length, "integrity finding")] : []),
  ];
  return causes.length === 0 ? "" : `## Capped by ${causes.join(" and ")}\n\n${bullets([...score.floors, ...score.caps])}`;
}

function missing({ score, limits }: EvaluationResult): string {
  const unknown = score.parts.filter((part) => isUnknown(part.state)).map(stated);
  const others = limits.filter((limit) => !score.parts.some((part) => limit.startsWith(`${part.dimension}: `)));
  const all = [...unknown, ...others];
  return all.length === 0 ? "" : `## What could not be measured\n\n${bullets(all)}`;
}

function tests({ tests }: EvaluationResult): string {
  return tests === null ? "" : `## Tests\n\n${bullets(told(tests))}`;
}

function stated({ dimension, state, reason }: PartResult): string {
  return `${dimension}: ${state}${reason === "" ? "" : ` (${reason})`}`;
}

function next({ decision }: EvaluationResult): string {
  if (decision.requiredActions.length === 0) return "";
  const steps = decision.requiredActions.map(
    ({ text, points }, at) => `${at + 1}. ${plain(text)}${points > 0 ? ` (wins ${number(points)})` : ""}`,
  );
  return `## What to do next\n\n${steps.join("\n")}`;
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${plain(line)}`).join("\n");
}
