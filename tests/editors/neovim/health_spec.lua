-- `:checkhealth gateline` is clean, and says what is wrong when something is; `:help gateline`.
local t = require("harness")

local function health()
  vim.cmd("tabnew | checkhealth gateline")
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  vim.cmd("silent! tabonly | bwipeout!")
  return text
end

local function clean(text)
  for _, mark in ipairs({ "ERROR", "WARNING", "❌", "⚠" }) do
    assert(not text:find(mark, 1, true), text)
  end
end

t.test("what is missing is said", function()
  local path = vim.env.PATH
  vim.env.PATH = "/nowhere"
  local ok, text = pcall(health)
  vim.env.PATH = path
  assert(ok, text)
  t.has(text, "gateline is not enabled")
  t.has(text, "pipx install gateline")
end)

t.test("clean before the first file", function()
  vim.lsp.enable("gateline")
  local text = health()
  clean(text)
  t.has(text, vim.fs.joinpath(vim.env.PROGRAMS, "gateline server"))
  t.has(text, "No server is running")
end)

t.test("clean with a server, and told what it chose", function()
  t.open("cart.py")
  t.judged()
  local text = health()
  clean(text)
  t.has(text, "HEAD of the default branch main")
  t.has(text, "mypy")
end)

t.test("help", function()
  vim.cmd.helptags(vim.fs.joinpath(vim.env.PLUGIN, "doc"))
  for _, topic in ipairs({ "gateline", ":Gateline", "gateline.status()", "gateline-trust", "gateline-repairs" }) do
    vim.cmd.help(topic)
    t.eq("gateline.txt", vim.fs.basename(vim.api.nvim_buf_get_name(0)))
    vim.cmd.helpclose()
  end
end)

t.run()
