/** What runs below a process, by Linux's own records. */

import { readdirSync, readFileSync } from "node:fs";

export interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly args: string;
}

function read(pid: number): Running | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name stands in parentheses and may hold anything.
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z") return undefined;
    return { pid, parent: Number(parent), args: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") };
  } catch {
    return undefined; // it has ended meanwhile
  }
}

function all(): Running[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => read(Number(pid))).filter((found) => found !== undefined);
}

/** Children of a process, and theirs, oldest first. */
export function descendants(pid: number): Running[] {
  const known = new Set([pid]);
  const found: Running[] = [];
  const running = all().sort((one, other) => one.pid - other.pid);
  for (let grew = true; grew; ) {
    const next = running.filter((each) => known.has(each.parent) && !known.has(each.pid));
    next.forEach((each) => known.add(each.pid));
    found.push(...next);
    grew = next.length > 0;
  }
  return found.sort((one, other) => one.pid - other.pid);
}

/** Wait until none of them runs. @throws Error that names the one that does not end. */
export async function gone(pids: readonly number[], milliseconds: number): Promise<void> {
  const until = Date.now() + milliseconds;
  for (;;) {
    const left = pids.map(read).filter((found) => found !== undefined);
    if (left.length === 0) return;
    if (Date.now() > until) throw new Error(`still runs after ${milliseconds} ms: ${left.map(({ args }) => args)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
