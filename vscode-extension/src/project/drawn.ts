/** What other installed extensions draw already, by gateline's codes. */

/** The type checker's own findings, and those that every parser draws. */
const TYPES = "GTL110";
const SYNTAX = "GTL101";

/** Looks something up in the editor. */
export interface Editor {
  isInstalled(extension: string): boolean;
  /** A setting's value as it holds in the folder. */
  setting(name: string): unknown;
}

interface Neighbour {
  readonly extension: string;
  readonly draws: (editor: Editor) => readonly string[];
}

const NEIGHBOURS: readonly Neighbour[] = [
  { extension: "ms-python.vscode-pylance", draws: pyright("python.analysis", "off") },
  { extension: "ms-pyright.pyright", draws: pyright("python.analysis", "standard") },
  { extension: "detachhead.basedpyright", draws: pyright("basedpyright.analysis", "recommended") },
  { extension: "ms-python.mypy-type-checker", draws: () => [TYPES] },
  { extension: "matangover.mypy", draws: () => [TYPES] },
  { extension: "astral-sh.ty", draws: ty },
  { extension: "meta.pyrefly", draws: () => [SYNTAX, TYPES] },
  { extension: "nwgh.bandit", draws: () => ["bandit"] },
  { extension: "charliermarsh.ruff", draws: ruff },
];

/** Codes and tools whose findings need not be drawn again. */
export function drawnElsewhere(editor: Editor): string[] {
  const found = NEIGHBOURS.filter(({ extension }) => editor.isInstalled(extension)).flatMap(({ draws }) => draws(editor));
  return [...new Set(found)].sort();
}

function pyright(section: string, usual: string): Neighbour["draws"] {
  return (editor) => {
    const mode = editor.setting(`${section}.typeCheckingMode`) ?? usual;
    return mode === "off" ? [SYNTAX] : [SYNTAX, TYPES];
  };
}

function ty(editor: Editor): readonly string[] {
  return editor.setting("ty.diagnosticMode") === "off" ? [] : [SYNTAX, TYPES];
}

/** Ruff's rules that say what gateline's codes say, as a whole group: a few of them are not enough. */
const GROUPS: Readonly<Record<string, string>> = { S: "bandit", C90: "GTL401", D1: "GTL501" };

function ruff(editor: Editor): readonly string[] {
  if (editor.setting("ruff.enable") === false || editor.setting("ruff.lint.enable") === false) return [];
  const syntax = editor.setting("ruff.showSyntaxErrors") === false ? [] : [SYNTAX];
  const selected = [...list(editor.setting("ruff.lint.select")), ...list(editor.setting("ruff.lint.extendSelect"))];
  const covered = Object.entries(GROUPS).filter(([group]) => selected.some((rule) => covers(rule, group)));
  return [...syntax, ...covered.map(([, drawn]) => drawn)];
}

function covers(rule: string, group: string): boolean {
  return rule === "ALL" || group.startsWith(rule);
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
