/** The server's process. It begins before there is a client: what both load takes about the same time. */

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import type { Readable } from "node:stream";
import type { Launch } from "./launch";

/** Milliseconds that a server which was asked to end may take. */
const GRACE = 2_000;

export class ServerProcess {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly begun: Promise<ChildProcessWithoutNullStreams>;

  constructor({ command, args, cwd, env }: Launch) {
    const child = (this.child = spawn(command, [...args], { cwd, env, stdio: "pipe" }));
    this.begun = new Promise((resolve, reject) => {
      child.once("spawn", () => resolve(child));
      // Each, also one that comes later, as of a signal that cannot be sent: unheard it would end the host.
      child.on("error", reject);
    });
    // Told to whoever wants to talk to it.
    this.begun.catch(() => undefined);
  }

  /** What it writes there is lost when it ends before somebody listens. */
  get stderr(): Readable {
    return this.child.stderr;
  }

  /** When it runs. Rejects when the program cannot be started, or has ended already. */
  async running(): Promise<ChildProcessWithoutNullStreams> {
    const child = await this.begun;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("it ended at once");
    return child;
  }

  /** At once. */
  kill(): void {
    this.child.kill("SIGKILL");
  }

  /** After it was asked to end, and perhaps did not hear. */
  end(): void {
    setTimeout(() => this.kill(), GRACE).unref();
  }
}
