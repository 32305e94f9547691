-- The parts without an editor: where a comment fits, and how a verdict reads.
local t = require("harness")
local comment = require("gateline.comment")

local function fits(lines)
  return comment.end_of(lines, #lines).fit
end

t.test("a comment fits behind code and strings that end", function()
  for _, lines in ipairs({
    { "" },
    { "x = 1" },
    { "x = '#'" },
    { "x = 'it\\'s'" },
    { 's = """a"""' },
    { 's = """a', 'b"""' },
    { "s = '''\"\"\"'''" },
    { 'x = f"{d["a"]}"' },
    { "x = 'unfinished" },
    { "# it's", "x = 1" },
    { '"""' .. "it's", '"""', "x = 1" },
  }) do
    t.eq({ lines, true }, { lines, fits(lines) })
  end
end)

t.test("and nowhere inside a string or before a continuation", function()
  for _, lines in ipairs({
    { 's = """a' },
    { 's = """a\\"""' },
    { "s = '''a", "# no comment" },
    { "x = 1 + \\" },
    { "x = 'a\\" },
    { "'''", "'''  + '''" },
  }) do
    t.eq({ lines, false }, { lines, fits(lines) })
  end
end)

t.test("a suppression is added once, and grows", function()
  local function suppressed(line)
    return comment.suppressed(line, comment.end_of({ line }, 1).comment, "GTL110", "because")
  end
  t.eq("x = 1  # gateline: ignore[GTL110] because", suppressed("x = 1  "))
  t.eq("x = 1  # noqa  # gateline: ignore[GTL110] because", suppressed("x = 1  # noqa"))
  t.eq("x = 1  # gateline: ignore[GTL401, GTL110] old", suppressed("x = 1  # gateline: ignore[GTL401] old"))
  t.eq("x = 1  # gateline: ignore[GTL110] old", suppressed("x = 1  # gateline: ignore[] old"))
  local quoted = 'x = "# gateline: ignore[GTL401] no"'
  t.eq(quoted .. "  # gateline: ignore[GTL110] because", suppressed(quoted))
end)

local function finding(identity, changes)
  local start = { line = 0, column = 0 }
  return vim.tbl_extend("force", {
    identity = identity,
    code = "GTL110",
    path = "a.py",
    span = { start = start, ["end"] = start },
    message = "one\ntwo",
    weight = "counts",
    novelty = "new",
    points = 0,
  }, changes or {})
end

local function evaluation(changes)
  return vim.tbl_extend("force", {
    level = "final",
    baseLabel = "HEAD",
    score = { value = 59.4, raw = 80, evidence = 0.75, floors = { "a secret" }, parts = {} },
    decision = { outcome = "accept", status = "PASS", reasons = {}, requiredActions = {} },
  }, changes or {})
end

t.test("findings are listed by what they win, then by weight and place", function()
  local report = require("gateline.report").of(evaluation({
    findings = {
      finding("a", { weight = "advice" }),
      finding("b", { novelty = "old", points = 7 }),
      finding("c", { points = 2.5 }),
      finding("d", { weight = "floor", path = "z.py" }),
      finding("e", { novelty = "old" }),
    },
  }))
  local order = {}
  for row = 1, #report.lines do
    local target = report.targets[row]
    if target then
      table.insert(order, vim.trim(report.lines[row]))
    end
  end
  t.eq({
    "+7.0   GTL110 a.py:1 one two",
    "+2.5   GTL110 a.py:1 one two",
    "GTL110 z.py:1 one two",
    "GTL110 a.py:1 one two",
  }, order)
  t.has(table.concat(report.lines, "\n"), "1 of the base are not listed")
end)

t.test("what has no number says why, and null is no number", function()
  local parts = {
    {
      dimension = "errors",
      state = "measured",
      value = 90,
      before = 100,
      points = 50,
      weight = 0.5,
      detail = "1 new",
      reason = "",
    },
    {
      dimension = "coverage",
      state = "no data",
      value = vim.NIL,
      before = vim.NIL,
      points = 0,
      weight = 0,
      detail = "",
      reason = "no tests",
    },
  }
  local score = { value = vim.NIL, raw = vim.NIL, evidence = 0, parts = parts }
  local text = table.concat(require("gateline.report").of(evaluation({ score = score })).lines, "\n")
  t.has(text, "GL –")
  t.has(text, "100 → 90")
  t.has(text, "no data: no tests")
end)

t.run()
