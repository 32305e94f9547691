/** What the status bar shows of a status: text, tooltip, background, and what a screen reader says. */

import type { ActionResult, PartResult, StatusParams } from "../protocol";
import { told } from "../tests/told";
import { plain, table } from "./markdown";
import { capital, checkpointIn, counted, decisionIn, isUnknown, number, percent, spokenStep, stated, step, toneOf, trajectoryIn } from "./words";

export interface Shown {
  readonly text: string;
  /** Markdown. Its links are commands: see `LINKS`. */
  readonly tooltip: string;
  /** Warning: a floor is broken, or an integrity finding caps the score. Error: the final gate failed, and nothing else. */
  readonly background: "none" | "warning" | "error";
  /** For screen readers. */
  readonly label: string;
}

/** The commands that a tooltip may link to. */
export const LINKS = ["gateline.showPanel", "gateline.runFinalCheck", "gateline.showLog", "gateline.restartServer"];

/** Next steps in a tooltip; the panel has them all. */
const STEPS = 3;

/** A status; while work is under way, `last` is what was known before it. */
export function shown(status: StatusParams, last?: StatusParams): Shown {
  if (status.working) {
    const known = last === undefined ? "" : `\n\n---\n\n${body(last)}`;
    const said = last?.changed === true ? `; before: ${spoken(last)}` : "";
    return {
      text: status.label,
      tooltip: `Judging the change…${known}`,
      // A change that is judged anew has not failed yet.
      background: last === undefined || background(last) === "none" ? "none" : "warning",
      label: `gateline: judging the change${said}`,
    };
  }
  return { text: status.label, tooltip: body(status), background: background(status), label: `gateline: ${spoken(status)}` };
}

/** Before the first status. */
export function starting(): Shown {
  return { text: "GL …", tooltip: "gateline is starting.", background: "none", label: "gateline: starting" };
}

/** There is no server, and why. */
export function stopped(message: string): Shown {
  const next = "[Restart](command:gateline.restartServer) · [Show log](command:gateline.showLog)";
  return {
    text: "GL ?",
    tooltip: `**gateline does not run**\n\n${plain(message)}\n\n${next}`,
    background: "none",
    label: `gateline does not run: ${message}`,
  };
}

function background(status: StatusParams): Shown["background"] {
  if (toneOf(status.decision, status.status, status.checkpoint) === "fail") return "error";
  return causes(status) === "" ? "none" : "warning";
}

function spoken(status: StatusParams): string {
  if (status.problem !== "") return `the change could not be judged: ${status.problem}`;
  if (!status.changed) return status.limits.length > 0 ? "the change is not known" : "nothing changed";
  const score = status.score === null ? "no score" : `score ${number(status.score)} of 100`;
  const decision = status.decision === null ? "" : decisionIn(status.decision).title;
  const facts = [score, spokenStep(status.delta), decision, causes(status), trajectoryIn(status.trajectory), `evidence ${percent(status.evidence)}`];
  return facts.filter(Boolean).join(", ");
}

/** What keeps the score down, whatever else is good: `2 broken floors and 1 integrity finding`. */
function causes({ floors, caps }: StatusParams): string {
  const kinds = [floors.length > 0 && counted(floors.length, "broken floor"), caps.length > 0 && counted(caps.length, "integrity finding")];
  return kinds.filter(Boolean).join(" and ");
}

function body(status: StatusParams): string {
  const parts = status.problem !== "" ? problem(status) : status.changed ? judged(status) : unchanged(status);
  const links = "[Show panel](command:gateline.showPanel) · [Run final check](command:gateline.runFinalCheck)";
  return [...parts, "---", links].filter(Boolean).join("\n\n");
}

function problem(status: StatusParams): string[] {
  return ["**The change could not be judged**", plain(status.problem), "[Show log](command:gateline.showLog)"];
}

function unchanged(status: StatusParams): string[] {
  if (status.limits.length === 0) return [`Nothing changed${against(status)}.`];
  return ["**The change is not known**", bullets(status.limits)];
}

function judged(status: StatusParams): string[] {
  return [headline(status), context(status), plain(trajectoryIn(status.trajectory)), undecided(status), breakdown(status), tests(status), capped(status), next(status.requiredActions), unmeasured(status)];
}

function headline(status: StatusParams): string {
  const score = status.score === null ? "No score" : `${number(status.score)} ${step(status.delta)}`.trim();
  return `**${score}**${status.decision === null ? "" : ` · ${plain(decisionIn(status.decision).title)}`}`;
}

function context(status: StatusParams): string {
  const checkpoint = status.checkpoint === null ? "" : checkpointIn(status.checkpoint, status.progress);
  const facts = [checkpoint, `evidence ${percent(status.evidence)}`, counted(status.newFindings, "new finding")];
  return `${facts.filter(Boolean).map(plain).join(" · ")}${against(status)}`;
}

function against(status: StatusParams): string {
  return status.baseLabel === "" ? "" : `, against ${plain(status.baseLabel)}`;
}

/** Why nothing was decided, and what to do. */
function undecided({ decision, reasons }: StatusParams): string {
  const [reason] = reasons;
  return decision === "undecided" && reason !== undefined ? plain(capital(reason)) : "";
}

function breakdown(status: StatusParams): string {
  const scored = status.states.filter((part) => part.value !== null && part.weight > 0);
  if (scored.length === 0 || status.raw === null) return "";
  const rows = [["", "before → now", "points"], ...scored.map(row), ["**sum**", "", `**${status.raw.toFixed(1)}**`]].map(spaced);
  return table(rows[0] ?? [], "|:--|--:|--:|", rows.slice(1));
}

function tests({ tests, decision, reasons }: StatusParams): string {
  if (tests === null) return "";
  const isSaid = decision === "undecided" && tests.reason !== "" && (reasons[0] ?? "").includes(tests.reason);
  return isSaid ? "" : told(tests).map(plain).join("; ");
}

/** Whether a limit only says again why tests did not run, which stands above. */
function saysWhy(limit: string, { tests }: StatusParams): boolean {
  return tests !== null && tests.reason !== "" && limit.includes(tests.reason);
}

function row(part: PartResult): string[] {
  const points = `${part.points.toFixed(1)} of ${number(part.weight * 100)}`;
  return [part.dimension, change(part), points].map(plain);
}

/** VS Code draws the cells of a table close together, and breaks their lines. */
function spaced(cells: readonly string[]): string[] {
  return cells.map((cell, at) => (at === 0 ? cell : `&nbsp;&nbsp;${cell.replaceAll(" ", "&nbsp;")}`));
}

function change(part: PartResult): string {
  const now = part.value === null ? "" : number(part.value);
  return part.before === null || number(part.before) === now ? now : `${number(part.before)} → ${now}`;
}

/** Which they are stands among the next steps. */
function capped(status: StatusParams): string {
  const why = causes(status);
  return why === "" || status.score === null ? why : `**Capped at ${number(status.score)}** by ${why}`;
}

function next(actions: readonly ActionResult[]): string {
  if (actions.length === 0) return "";
  const steps = actions.slice(0, STEPS).map((action, at) => `${at + 1}. ${plain(action.text)}${wins(action)}`);
  return `**Next**\n\n${steps.join("\n")}`;
}

function wins(action: ActionResult): string {
  return action.points > 0 ? ` (+${number(action.points)})` : "";
}

/** What had to be measured and was not, and why; a limit that only says so again is left out. */
function unmeasured(status: StatusParams): string {
  const unknown = status.states.filter((part) => isUnknown(part.state)).map(stated);
  const others = status.limits.filter((limit) => !unknown.includes(limit) && !saysWhy(limit, status));
  return unknown.length + others.length === 0 ? "" : `**Not measured**\n\n${bullets([...unknown, ...others])}`;
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${plain(line)}`).join("\n");
}
