/** Folders that a person may open. */

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { repository } from "./places.ts";

export const CART = `"""A cart."""


def total(prices: list[int]) -> int:
    """The sum."""
    return sum(prices)
`;

export class Project {
  readonly folder: string;
  constructor(name: string) {
    const parent = realpathSync(mkdtempSync(path.join(os.tmpdir(), "gateline-project-")));
    this.folder = path.join(parent, name);
    mkdirSync(this.folder);
  }

  /** A committed project of one module. */
  static small(name = "shop"): Project {
    const project = new Project(name);
    project.write("cart.py", CART);
    project.write("notes.txt", "Nothing of Python.\n");
    project.write("pyproject.toml", `[project]\nname = "${name}"\nversion = "1"\n`);
    project.commit();
    return project;
  }

  /** The project of the demonstration, on a branch of its own. */
  static demo(): Project {
    const project = new Project("stockroom");
    cpSync(path.join(repository, "demo/project"), project.folder, { recursive: true });
    project.commit();
    project.git("switch", "--quiet", "--create", "coupons");
    return project;
  }

  /** Lay one of the demonstration's changes over the files. */
  change(name: string): void {
    cpSync(path.join(repository, "demo/changes", name), this.folder, { recursive: true });
  }

  /** A committed repository of many modules that import each other; one folder holds fifty. */
  static large(files: number): Project {
    const project = new Project("warehouse");
    for (let i = 0; i < files; i++) {
      const before = i % 50 === 0 ? "" : `from part${Math.floor(i / 50)}.shelf${i - 1} import room${i - 1}\n\n\n`;
      const used = before ? `room${i - 1}(count)` : "count";
      const body = `"""A shelf."""\n\n${before}def room${i}(count: int) -> int:\n    """What fits."""\n    return ${used} + ${i}\n`;
      project.write(`part${Math.floor(i / 50)}/shelf${i}.py`, body);
    }
    project.write("cart.py", CART);
    project.commit();
    return project;
  }

  write(name: string, text: string, mode = 0o644): string {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
    return file;
  }

  read(name: string): string {
    return readFileSync(path.join(this.folder, name), "utf8");
  }

  commit(): void {
    if (!this.has(".git")) this.git("init", "--quiet", "--initial-branch", "main");
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message", "A state of the project");
  }

  git(...args: string[]): string {
    const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
    return execFileSync("git", [...who, ...args], { cwd: this.folder, encoding: "utf8" });
  }

  remove(): void {
    rmSync(path.dirname(this.folder), { recursive: true, force: true, maxRetries: 5 });
  }

  private has(name: string): boolean {
    try {
      return Boolean(realpathSync(path.join(this.folder, name)));
    } catch {
      return false;
    }
  }
}
