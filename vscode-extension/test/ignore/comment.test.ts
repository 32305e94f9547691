import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { canBeIgnored, lineEnd, lineFor, suppression } from "../../src/ignore/comment";

const Q = '"""';
/** The text, the line, and what it becomes; null where no comment fits. */
const CASES: readonly [text: string, at: number, expected: string | null][] = [
  ["x = 1", 0, "x = 1  # gateline: ignore[GTL301] why"],
  ["x = 1   ", 0, "x = 1  # gateline: ignore[GTL301] why"],
  ["x = 1  # a note", 0, "x = 1  # a note  # gateline: ignore[GTL301] why"],
  ["x = 1  # gateline: ignore[GTL110] old", 0, "x = 1  # gateline: ignore[GTL110, GTL301] old"],
  ["x = 1  # gateline: ignore[] old", 0, "x = 1  # gateline: ignore[GTL301] old"],
  ["x = '# gateline: ignore[GTL110] no'", 0, "x = '# gateline: ignore[GTL110] no'  # gateline: ignore[GTL301] why"],
  ["x = '#'", 0, "x = '#'  # gateline: ignore[GTL301] why"],
  ["x = '\\'#'", 0, "x = '\\'#'  # gateline: ignore[GTL301] why"],
  ['x = "a" "b"  # c', 0, 'x = "a" "b"  # c  # gateline: ignore[GTL301] why'],
  ['x = ""  # c', 0, 'x = ""  # c  # gateline: ignore[GTL301] why'],
  [`x = ${Q}a${Q}`, 0, `x = ${Q}a${Q}  # gateline: ignore[GTL301] why`],
  [`x = ${Q}a\n# no\n${Q}`, 0, null],
  [`x = ${Q}a\n# no\n${Q}`, 1, null],
  [`x = ${Q}a\n# no\n${Q}`, 2, `${Q}  # gateline: ignore[GTL301] why`],
  [`x = ${Q}a\\${Q}\n${Q}`, 0, null],
  [`x = ${Q}'''\n'''${Q}`, 1, `'''${Q}  # gateline: ignore[GTL301] why`],
  ["x = 1 + \\\n    2", 0, null],
  ["x = 1 + \\\n    2", 1, "    2  # gateline: ignore[GTL301] why"],
  ["x = 'a\\\nb'", 0, null],
  ["x = 'a\\\nb'", 1, "b'  # gateline: ignore[GTL301] why"],
  ["x = 1  # ends in \\", 0, "x = 1  # ends in \\  # gateline: ignore[GTL301] why"],
  ["x = f(\n    1,\n)", 1, "    1,  # gateline: ignore[GTL301] why"],
  ["x = '😀'  # 😀", 0, "x = '😀'  # 😀  # gateline: ignore[GTL301] why"],
];

function applied(text: string, at: number): string | null {
  const lines = text.split("\n");
  const line = lines[at] ?? "";
  const end = lineEnd(lines, at);
  if (!end.fit) return null;
  const edit = suppression(line, end.comment, "GTL301", " why ");
  return line.slice(0, edit.start) + edit.text + line.slice(edit.end);
}

for (const [text, at, expected] of CASES) {
  test(`line ${at} of ${JSON.stringify(text)}`, () => assert.equal(applied(text, at), expected));
}

test("Python agrees: the comment is a comment, and the code means what it meant", () => {
  const edited = CASES.filter(([, , expected]) => expected !== null).map(([text, at, expected]) => {
    const lines = text.split("\n");
    lines[at] = expected ?? "";
    return [text, lines.join("\n"), at];
  });
  const script = `
import ast, io, json, sys, tokenize
for before, after, at in json.load(sys.stdin):
    assert ast.dump(ast.parse(before)) == ast.dump(ast.parse(after)), after
    comments = [t for t in tokenize.generate_tokens(io.StringIO(after).readline) if t.type == tokenize.COMMENT]
    assert any(t.start[0] == at + 1 and "gateline: ignore[" in t.string and "GTL301" in t.string for t in comments), after
`;
  execFileSync("python3", ["-c", script], { input: JSON.stringify(edited) });
});

test("where no comment fits at the beginning of a finding, the end is tried", () => {
  const lines = [`x = ${Q}a`, `b${Q}`];
  assert.equal(lineFor(lines, 0, 1)?.at, 1);
  assert.equal(lineFor(lines, 0, 0), undefined);
  assert.equal(lineFor(lines, 7, 7), undefined);
});

test("what can be ignored", () => {
  const data = [{ ignorable: true }, { ignorable: false }, {}, null, undefined, "ignorable"];
  assert.deepEqual(data.filter(canBeIgnored), [{ ignorable: true }]);
});
