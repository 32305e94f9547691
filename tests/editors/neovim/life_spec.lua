-- The server is killed and comes back; it is restarted; it crashes for ever and stays off; it is stopped.
local t = require("harness")

local program = vim.fs.joinpath(vim.env.PROGRAMS, "gateline")
vim.lsp.enable("gateline")

--- The process of the running server.
local function process()
  for _, child in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
    local command = io.open("/proc/" .. child .. "/cmdline"):read("a")
    if command:find("server", 1, true) then
      return child
    end
  end
end

local function another(old)
  return t.wait("another server", function()
    local client = vim.lsp.get_clients({ name = "gateline", bufnr = 0 })[1]
    return client and client.id ~= old.id and client.initialized and client
  end)
end

t.test("killed, it comes back with what was typed", function()
  local old = t.open("cart.py")
  t.type('GoCOUNT: int = "two"<Esc>')
  t.shown("GTL110")
  vim.uv.kill(process(), "sigkill")
  t.wait("the findings to go with it", function()
    return t.client() == nil and #vim.diagnostic.get(0) == 0
  end)
  t.eq("", require("gateline").status())
  another(old)
  t.shown("GTL110")
  t.judged()
end)

t.test("restarted, it is another process with the same findings", function()
  local old, pid = t.client(), process()
  vim.cmd("Gateline restart")
  another(old)
  t.shown("GTL110")
  t.eq(nil, vim.uv.kill(pid, 0))
end)

t.test("a server that answers no more is ended with force", function()
  local old, real = t.client(), vim.fn.readfile(program)
  vim.fn.writefile({
    "#!" .. vim.env.PYTHON,
    "import sys, time",
    'body = b\'{"jsonrpc": "2.0", "id": 1, "result": {"capabilities": {}}}\'',
    "sys.stdout.buffer.write(b'Content-Length: %d\\r\\n\\r\\n' % len(body) + body)",
    "sys.stdout.flush()",
    "time.sleep(1000)",
  }, program)
  vim.cmd("Gateline restart")
  local deaf = another(old)
  vim.fn.writefile(real, program)
  vim.cmd("Gateline restart")
  another(deaf)
  t.shown("GTL110")
end)

t.test("stopped on purpose, it stays off", function()
  vim.lsp.enable("gateline", false)
  t.wait("the end", function()
    return t.client() == nil
  end)
  t.eq({}, t.codes())
  vim.cmd("Gateline restart")
  t.message("not enabled")
  vim.lsp.enable("gateline")
  t.shown("GTL110")
end)

t.test("one that crashes again and again stays off, and says so", function()
  vim.fn.writefile({ "#!/bin/sh", "exit 1" }, program)
  vim.uv.kill(process(), "sigkill")
  t.message("keeps crashing")
  t.eq(nil, t.client())
end)

t.run()
