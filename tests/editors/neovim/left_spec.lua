-- Work that was left on another branch is told when its workspace is opened, and not again.
local t = require("harness")

local function run(...)
  local done = vim.system({ ... }, { cwd = vim.env.PROJECT, text = true }):wait()
  assert(done.code == 0, done.stderr)
  return done.stdout
end

local function write(name, ...)
  vim.fn.writefile({ ... }, vim.fs.joinpath(vim.env.PROJECT, name))
end

run("git", "switch", "--quiet", "--create", "tax")
write("till.py", '"""A till."""', "", "OPEN = 1")
write("shelf.py", '"""A shelf."""', "", "ROOM = 1")
run("gateline", "task", "start", "Prices with tax")
run("gateline", "savepoint", "half of it")
run("git", "switch", "--quiet", "--create", "rounding")

vim.lsp.enable("gateline")

t.test("it is told when the workspace is opened", function()
  t.open("till.py")
  t.message("Previous work detected: Prices with tax (in_progress)")
  t.message("`:Gateline tasks` shows it")
end)

t.test("it is told once", function()
  t.judged()
  vim.cmd("Gateline restart")
  t.judged()
  local told = vim.tbl_filter(function(text)
    return text:find("Previous work detected", 1, true)
  end, t.messages)
  t.eq(1, #told)
end)

t.run()
