/** Refinement loops as rows of a tree: what is told of each, and what can be done with it. */

import type { LoopResult, RoundResult } from "../protocol";

export interface Row {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  /** Lines of plain text. */
  readonly tooltip: readonly string[];
  /** What the menus ask for. */
  readonly kind: string;
}

const PHASES: Readonly<Record<string, string>> = { running: "sync~spin", pausing: "debug-pause", paused: "debug-pause" };

export function loopRow(loop: LoopResult): Row {
  const icon = loop.phase === "ended" ? (loop.accepted ? "pass" : "circle-slash") : (PHASES[loop.phase] ?? "circle-outline");
  const last = loop.rounds.at(-1);
  const state = loop.phase === "ended" ? (loop.accepted ? "accepted" : loop.end) : loop.phase;
  const troubles = loop.troubles.length > 0 ? [counted(loop.troubles.length, "trouble")] : [];
  const parts = [state, ...(last === undefined ? [] : [quality(last)]), `${loop.rounds.length} of ${counted(loop.most, "round")}`, ...troubles];
  const facts = [parts.join(" · "), loop.reason, loop.trouble, ...loop.troubles, loop.failing === null ? "" : `${tests(loop.failing)} when it began`];
  return { label: loop.goal, description: parts.join(" · "), icon, tooltip: [loop.goal, ...facts.filter(Boolean)], kind: `loop-${loop.phase}` };
}

export function roundRow(round: RoundResult, loop: LoopResult): Row {
  const merged = round.mergedWith.length > 0 ? `merged with step ${round.mergedWith.join(", ")}` : "";
  const who = merged || [round.agent, round.strategy].filter(Boolean).join(" ");
  const judged = round.checkpoint && `${round.checkpoint}: ${round.decision}`;
  const best = loop.best === round.number ? "best" : "";
  const parts = [quality(round), tests(round.failing.length), round.restored ? "taken back" : best, who, judged].filter(Boolean);
  return {
    label: round.step === "" ? `Round ${round.number}` : `Round ${round.number}, step ${round.step}`,
    description: parts.join(" · "),
    icon: roundIcon(round),
    tooltip: [`quality ${parts.join(" · ")}`, ...reasons(round)],
    kind: round.changed.length > 0 ? "round-changed" : "round",
  };
}

/** What a loop does now, as a row below its rounds; undefined where nobody runs it. */
export function stepRow(loop: LoopResult): Row | undefined {
  if (loop.step === "" || loop.phase === "ended" || loop.phase === "paused") return undefined;
  const waiting = loop.phase === "pausing" ? "pauses after this round" : "";
  return { label: loop.step, description: waiting, icon: "loading~spin", tooltip: [loop.step], kind: "step" };
}

function roundIcon(round: RoundResult): string {
  if (round.trouble !== "") return "error";
  if (round.integrity.length > 0 || round.floors.length > 0) return "shield";
  if (round.restored) return "discard";
  if (round.insufficient.length > 0) return "warning";
  return round.failing.length > 0 ? "warning" : "pass";
}

function reasons(round: RoundResult): string[] {
  const failing = round.failing.slice(0, 5).map(({ test, error }) => `fails: ${test}: ${error}`);
  const rest = round.failing.length > 5 ? [`and ${round.failing.length - 5} more`] : [];
  const changed = round.changed.length > 0 ? [`changed ${round.changed.join(", ")}`] : ["changed nothing"];
  const trouble = round.trouble === "" ? [] : [`trouble: ${round.trouble}`];
  const insufficient = round.insufficient.map((one) => `not sufficient: ${one}`);
  return [...changed, ...insufficient, ...round.integrity.map((one) => `not accepted: ${one}`), ...round.floors.map((one) => `floor: ${one}`), ...failing, ...rest, ...trouble];
}

function quality(round: RoundResult): string {
  return round.quality.toFixed(2);
}

function tests(count: number): string {
  return count === 0 ? "tests pass" : `${counted(count, "test")} fail${count === 1 ? "s" : ""}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Loops with a newer standing of one of them: the newest loop stays first. */
export function withLoop(loops: readonly LoopResult[], loop: LoopResult): LoopResult[] {
  const known = loops.some((one) => one.loop === loop.loop);
  return known ? loops.map((one) => (one.loop === loop.loop ? loop : one)) : [loop, ...loops];
}
