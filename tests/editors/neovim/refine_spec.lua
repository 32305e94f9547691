-- A loop is begun, followed in its buffer, looked at, and taken over as an edit that undo takes back.
local t = require("harness")

t.write("label.py", '"""Labels."""', "", "", "def label(count):", '    """For people."""', '    return "items: " + count')
t.write("test_label.py", '"""Tests."""', "", "from label import label", "", "", "def test_label():", '    assert label(3) == "items: 3"')
t.git("add", "--all")
t.git("commit", "--quiet", "--message", "Labels")

t.trusting()

local LONG = 150000 -- milliseconds: all tests and types run, several times

local function shows(part)
  return t.listed("gateline://refine", part, LONG)
end

local function at(part)
  vim.fn.search("\\V" .. part)
end

t.test("there are none before one is begun", function()
  t.open("label.py")
  t.judged()
  vim.cmd("Gateline refine")
  shows("no loops yet")
  t.type("q")
  t.eq("", t.listing("gateline://refine"))
end)

t.test("one is begun, and followed to its end", function()
  vim.cmd("Gateline refine make the tests pass")
  shows("of 20  make the tests pass")
  shows("accept  1 round of 20")
  shows("round 1  autodebug")
  t.has(t.listing("gateline://refine"), "best")
end)

t.test("what a round changed is shown", function()
  at("round 1")
  t.type("<CR>")
  t.wait("the diff", function()
    local shown = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
    return vim.bo.filetype == "diff" and shown:find("+    return", 1, true)
  end)
  vim.cmd.close()
end)

t.test("it is taken over as an edit, and undo takes it back", function()
  vim.fn.win_gotoid(vim.fn.bufwinid("gateline://refine"))
  at("round 1")
  t.type("t")
  t.message("1 file written")
  t.type("q")
  local label = vim.fn.bufnr("label.py")
  local function text()
    return table.concat(vim.api.nvim_buf_get_lines(label, 0, -1, false), "\n")
  end
  t.has(text(), "str(count)")
  vim.cmd.buffer(label)
  vim.cmd("silent undo")
  t.has(text(), '"items: " + count')
end)

t.test("what is no plan of the project is refused", function()
  vim.cmd("Gateline refine --plan")
  t.message("--plan needs a file")
  vim.cmd("Gateline refine --agent autodebug")
  t.message("give a goal, or --plan FILE")
  vim.cmd("Gateline refine --plan none.md")
  t.message("is not a file of")
  vim.cmd("Gateline refine --plan ../plan.md fix it")
  t.message("is outside of the workspace")
end)

t.test("a plan is begun with the agents that are named, and cancelled", function()
  t.write("plan.md", "1. Have `label` in `label.py` make a text. agent: code", "2. Run all tests.")
  vim.cmd("Gateline refine --plan " .. vim.fs.joinpath(vim.env.PROJECT, "plan.md") .. " --agent code=autodebug")
  shows("of 20  follow plan.md")
  at("follow plan.md")
  t.type("x")
  shows("cancelled  0 rounds of 20  follow plan.md")
end)

t.run()
