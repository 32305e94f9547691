/** Folders that a person may open. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { repository } from "./places.ts";

export const CART = `"""A cart."""


def total(prices: list[int]) -> int:
    """The sum."""
    return sum(prices)
`;

export const TILL = `"""A till."""\n\nOPEN = 1\n`;

/** A function that is a floor: it hands a text to a shell. */
export const SHELL = `

def run(name: str) -> str:
    """Run it."""
    import subprocess

    subprocess.call(name, shell=True)
    return name
`;

const LABEL = `"""Labels."""


def label(count):
    """For people."""
    return "items: " + str(count)
`;
const TEST_OF_LABEL = `"""Tests."""

from label import label


def test_label():
    assert label(3) == "items: 3"
`;

/** The demonstration lays out its files itself: pictures show what `make demo` shows. */
function demonstrate(call: string, folder: string): void {
  const script = `import pathlib, sys; folder = pathlib.Path(sys.argv[1]); import run; run.${call}`;
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
  execFileSync("python3", ["-c", script, folder], { cwd: path.join(repository, "demo"), env });
}

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

  /** A committed project with a function that its test refuses. */
  static failing(): Project {
    const project = new Project("labels");
    project.write("label.py", LABEL);
    project.write("test_label.py", TEST_OF_LABEL);
    project.write("pyproject.toml", `[project]\nname = "labels"\nversion = "1"\n`);
    project.commit();
    project.write("label.py", LABEL.replace("str(count)", "count"));
    return project;
  }

  /** The project of the demonstration with its history, on the branch of the change. */
  static demo(): Project {
    const project = new Project("stockroom");
    rmSync(project.folder, { recursive: true });
    demonstrate("make_history(folder)", project.folder);
    return project;
  }

  /** Lay one of the demonstration's changes over the files. */
  change(name: string): void {
    demonstrate(`apply("${name}", folder)`, this.folder);
  }

  /** A committed repository of many modules that import each other; one folder holds fifty. */
  static large(files: number): Project {
    const project = new Project("warehouse");
    for (let i = 0; i < files; i++) {
      const part = `part${Math.floor(i / 50)}`;
      const before = i % 50 === 0 ? "" : `from stock.${part}.shelf${i - 1} import room${i - 1}\n\n\n`;
      const used = before ? `room${i - 1}(count)` : "count";
      const body = `"""A shelf."""\n\n${before}def room${i}(count: int) -> int:\n    """What fits."""\n    return ${used} + ${i}\n`;
      // In a folder of their own: the Explorer draws only what fits its window.
      project.write(`stock/${part}/shelf${i}.py`, body);
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

  /** Remove a file, or everything. */
  remove(name?: string): void {
    const gone = name === undefined ? path.dirname(this.folder) : path.join(this.folder, name);
    rmSync(gone, { recursive: true, force: true, maxRetries: 5 });
  }

  has(name: string): boolean {
    try {
      return Boolean(realpathSync(path.join(this.folder, name)));
    } catch {
      return false;
    }
  }
}
