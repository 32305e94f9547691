/** One VS Code that has never been used: own home, own settings, the packed extension, nothing else. */

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { HostLog } from "./host-log.ts";
import * as places from "./places.ts";
import { descendants, gone } from "./processes.ts";

/** Values in VS Code's current form: it rewrites obsolete ones while extensions start, which then read defaults. */
const QUIET = {
  "workbench.startupEditor": "none",
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": "off",
  "extensions.ignoreRecommendations": true,
  "chat.disableAIFeatures": true,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.tips.enabled": false,
  "window.autoDetectColorScheme": true,
  "explorer.compactFolders": false,
  "files.autoSave": "off",
  "files.hotExit": "off",
  "editor.minimap.enabled": false,
  // On a slow machine its list comes up later, and takes the keys that are meant for the text.
  "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
};

export interface Options {
  /** Whether every folder is trusted without a question, which is not how a person's VS Code starts. */
  readonly trust: boolean;
  /** The person's settings. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Another packed extension. */
  readonly also?: string;
}

export class CodeServer {
  readonly log: HostLog;
  private constructor(
    private readonly folder: string,
    private readonly process: ChildProcess,
    readonly origin: string,
  ) {
    this.log = new HostLog(path.join(folder, "data", "logs"));
  }

  static async start(options: Options): Promise<CodeServer> {
    const folder = mkdtempSync(path.join(os.tmpdir(), "gateline-vscode-"));
    const port = await freePort();
    prepare(folder, port, options.settings);
    const command = commandLine(folder);
    const env = environment(folder);
    for (const vsix of [places.vsix, options.also].filter((file) => file !== undefined)) {
      execFileSync("node", [...command, "--install-extension", vsix], { env, stdio: "pipe" });
    }
    const output = openSync(path.join(folder, "output.txt"), "w");
    const child = spawn("node", [...command, ...flags(options.trust)], { env, stdio: ["ignore", output, output] });
    closeSync(output);
    const server = new CodeServer(folder, child, `http://127.0.0.1:${port}`);
    await server.ready();
    return server;
  }

  /** The page of a folder, or of a `.code-workspace` file. */
  url(opened: string): string {
    const kind = opened.endsWith(".code-workspace") ? "workspace" : "folder";
    return `${this.origin}/?${kind}=${encodeURIComponent(opened)}`;
  }

  /** The gateline servers that run under this VS Code, oldest first. */
  gatelines(): number[] {
    const servers = descendants(this.process.pid!).filter(({ args }) => /gateline.* server\b/.test(args));
    return servers.filter(({ parent }) => !servers.some(({ pid }) => pid === parent)).map(({ pid }) => pid);
  }

  /** The extension hosts, one for each window, oldest first. */
  hosts(): number[] {
    return descendants(this.process.pid!).filter(({ args }) => args.includes("--type=extensionHost")).map(({ pid }) => pid);
  }

  async stop(): Promise<void> {
    const all = [this.process.pid!, ...descendants(this.process.pid!).map(({ pid }) => pid)];
    this.process.kill();
    await gone(all, 20_000);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private async ready(): Promise<void> {
    const until = Date.now() + 60_000;
    while (Date.now() < until && this.process.exitCode === null) {
      const answer = await fetch(`${this.origin}/healthz`).catch(() => undefined);
      if (answer?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`code-server did not start; what it said is in ${this.folder}/output.txt`);
  }
}

function prepare(folder: string, port: number, settings: Readonly<Record<string, unknown>>): void {
  for (const name of ["home", "data/User", "extensions"]) mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, "data/User/settings.json"), JSON.stringify({ ...QUIET, ...settings }, null, 2));
  writeFileSync(path.join(folder, "config.yaml"), `bind-addr: 127.0.0.1:${port}\nauth: none\ncert: false\n`);
}

function commandLine(folder: string): string[] {
  const entry = path.join(places.editors, "vscode/node_modules/code-server/out/node/entry.js");
  const own = ["--user-data-dir", path.join(folder, "data"), "--extensions-dir", path.join(folder, "extensions")];
  return [entry, "--config", path.join(folder, "config.yaml"), ...own];
}

function flags(trust: boolean): string[] {
  const quiet = ["--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"];
  // Without this an extension host outlives its page by three hours.
  const short = ["--reconnection-grace-time", "1"];
  return [...quiet, ...short, ...(trust ? ["--disable-workspace-trust"] : [])];
}

/** A plain machine: nothing of the shell that runs the tests but where programs are. */
function environment(folder: string): NodeJS.ProcessEnv {
  const node = path.join(places.editors, "node/node_modules/node/bin");
  const programs = (process.env["PATH"] ?? "").split(path.delimiter).filter((entry) => !virtual(entry));
  return {
    HOME: path.join(folder, "home"),
    PATH: [node, ...programs].join(path.delimiter),
    LANG: "C.UTF-8",
    SHELL: "/bin/sh",
  };
}

function virtual(entry: string): boolean {
  return entry.startsWith(process.env["VIRTUAL_ENV"] ?? "\0") || entry.includes("node_modules");
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
