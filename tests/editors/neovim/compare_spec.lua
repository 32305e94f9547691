-- Branches are compared, the answer is read in a buffer, one is looked at, and taken as an edit that undo takes back.
local t = require("harness")

local function label(last)
  t.write("label.py", '"""Labels."""', "", "", "def label(count):", '    """For people."""', last)
end

local BASE = '    return "items: " + count'
t.write("gateline.toml", "[types]", "enabled = false")
t.write("test_label.py", '"""Tests."""', "", "from label import label", "", "", "def test_label():", '    assert label(3) == "items: 3"', "", "", "def test_none():", '    assert label(0) == "items: 0"', "", "", "def test_many():", '    assert label(100) == "items: 100"')
label(BASE)
t.git("add", "--all")
t.git("commit", "--quiet", "--message", "Labels")
local start = t.git("rev-parse", "--abbrev-ref", "HEAD")
for branch, last in pairs({ good = '    return f"items: {count}"', wrong = '    return "items: " + repr([count])' }) do
  t.git("checkout", "--quiet", "-b", branch)
  label(last)
  t.git("commit", "--quiet", "--all", "--message", branch)
  t.git("checkout", "--quiet", start)
end

t.trusting()

local LONG = 200000 -- milliseconds: all tests run, several times

local function shows(part)
  return t.listed("gateline://compare", part, LONG)
end

t.test("two are needed", function()
  t.open("label.py")
  t.judged()
  vim.cmd("Gateline compare good")
  t.message("name two to sixteen candidates")
end)

t.test("what does not exist is named", function()
  vim.cmd("Gateline compare good nobody")
  shows("nobody is not a branch, commit, stash entry, folder, patch file or savepoint here")
end)

t.test("the better one wins, with the reason", function()
  vim.cmd("Gateline compare wrong good")
  shows("comparing wrong, good")
  shows("### take good (confidence ")
  t.has(t.listing("gateline://compare"), "passes all 3 tests of the task")
  t.has(t.listing("gateline://compare"), "| better | than | decided by |")
end)

t.test("what the candidate under the cursor changed is shown", function()
  vim.fn.search("\\V| wrong |")
  t.type("<CR>")
  t.wait("the diff", function()
    local shown = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
    return vim.bo.filetype == "diff" and shown:find("repr([count])", 1, true)
  end)
  vim.cmd.close()
end)

t.test("all are rejected, which is recorded, and nothing is written", function()
  vim.fn.win_gotoid(vim.fn.bufwinid("gateline://compare"))
  t.type("r")
  t.message("none of the candidates is taken; that is in the audit trail")
  t.eq("", t.git("status", "--porcelain"))
end)

t.test("one is accepted as an edit, and undo takes it back", function()
  vim.fn.win_gotoid(vim.fn.bufwinid("gateline://compare"))
  vim.fn.search("\\V**good**")
  t.type("a")
  t.message("1 file written")
  t.type("q")
  local bufnr = vim.fn.bufnr("label.py")
  local function text()
    return table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), "\n")
  end
  t.has(text(), 'f"items: {count}"')
  vim.cmd.buffer(bufnr)
  vim.cmd("silent undo")
  t.has(text(), '"items: " + count')
  t.eq(start, t.git("rev-parse", "--abbrev-ref", "HEAD"))
end)

t.run()
