-- Nothing of a project runs before the person trusts it; without a server one step is named.
local t = require("harness")

local CANARY = vim.fs.joinpath(vim.env.HOME, "canary")
local installed = vim.fs.joinpath(vim.env.PROGRAMS, "gateline")
local bundled = vim.fs.joinpath(vim.env.PROJECT, ".venv", "bin", "gateline")
local answers = {}

vim.fn.confirm = function(text)
  table.insert(t.messages, text)
  return table.remove(answers, 1)
end

vim.fn.mkdir(vim.fs.dirname(bundled), "p")
vim.fn.writefile({ "#!/bin/sh", ": > " .. CANARY, ('exec %s.real "$@"'):format(installed) }, bundled)
vim.uv.fs_chmod(bundled, 493)
vim.lsp.enable("gateline")

local function touched()
  return vim.uv.fs_stat(CANARY) ~= nil
end

t.test("the one on PATH is taken, the project's is left alone", function()
  local client = t.open("cart.py")
  t.judged()
  t.eq(false, touched())
  t.eq(false, require("gateline.trust").is_trusted(client.root_dir))
  client:stop(true)
  t.wait("the end", function()
    return t.client() == nil
  end)
  vim.uv.fs_rename(installed, installed .. ".real")
end)

t.test("with none on PATH, one message names the next step", function()
  vim.cmd.edit()
  t.message(":Gateline trust")
  vim.cmd.edit()
  t.eq(1, #t.messages)
  t.eq(false, touched())
end)

t.test("a project that is not trusted after all stays off", function()
  answers = { 1 }
  vim.cmd("Gateline trust")
  t.message("is not trusted")
  t.eq(nil, t.client())
  t.eq(false, touched())
end)

t.test("trusted, the project's own server runs, and is told", function()
  answers = { 4 }
  vim.cmd("Gateline trust")
  local client = t.wait("the project's server", function()
    return t.client() and t.client().initialized and t.client()
  end)
  t.eq(true, touched())
  t.eq(true, require("gateline.trust").is_trusted(client.root_dir))
  t.judged()
end)

t.test("what the person says in the configuration goes first", function()
  local params = { initializationOptions = { trusted = false } }
  require("gateline.trust").tell(params, t.client().root_dir)
  t.eq(false, params.initializationOptions.trusted)
end)

t.test("nothing installed at all names the installation", function()
  vim.fn.delete(vim.fs.dirname(bundled), "rf")
  t.eq(nil, require("gateline.server").find(vim.env.PROJECT).path)
  t.has(require("gateline.server").find(vim.env.PROJECT).origin, "pipx install gateline")
end)

t.run()
