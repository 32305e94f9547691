--- Runs tests in a real Neovim: each is a coroutine, so that while one waits the editor goes on as usual,
--- reads keys, and draws. Results go to standard output; the exit code is 1 when one failed.

local M = {}

local PATIENCE = 40000 -- milliseconds
local POLL = 5

local tests = {}

--- Declare a test; they run in order, in one editor.
function M.test(name, body)
  table.insert(tests, { name = name, body = body })
end

--- Let the editor go on until `condition` is true, and give back what it gave.
---@param patience? integer milliseconds
function M.wait(what, condition, patience)
  local running = coroutine.running()
  local deadline = vim.uv.now() + (patience or PATIENCE)
  while true do
    local value = condition()
    if value then
      return value
    end
    if vim.uv.now() > deadline then
      error("waited in vain for " .. what, 2)
    end
    vim.defer_fn(function()
      coroutine.resume(running)
    end, POLL)
    coroutine.yield()
  end
end

function M.eq(expected, actual)
  if not vim.deep_equal(expected, actual) then
    error(("expected %s, got %s"):format(vim.inspect(expected), vim.inspect(actual)), 2)
  end
end

function M.has(text, part)
  if not text:find(part, 1, true) then
    error(("no %q in %s"):format(part, text), 2)
  end
end

--- Type as a person does, in Vim's notation of keys, and come back when they are read.
function M.type(keys)
  vim.api.nvim_input(keys .. "<Cmd>let g:keys_read=1<CR>")
  M.wait("keys to be read", function()
    return vim.g.keys_read == 1
  end)
  vim.g.keys_read = nil
end

--- Messages to the person, oldest first.
M.messages = {}

function M.message(part)
  return M.wait("a message with " .. part, function()
    return vim.iter(M.messages):find(function(text)
      return text:find(part, 1, true)
    end)
  end)
end

function M.client()
  return vim.lsp.get_clients({ name = "gateline" })[1]
end

--- The findings of the current buffer that are louder than a hint, by code.
function M.codes()
  local client = M.client()
  local found = client and vim.diagnostic.get(0, { namespace = vim.lsp.diagnostic.get_namespace(client.id) })
    or {}
  local codes = {}
  for _, finding in ipairs(found) do
    if finding.severity < vim.diagnostic.severity.HINT then
      codes[finding.code] = (codes[finding.code] or 0) + 1
    end
  end
  return codes
end

function M.shown(code)
  return M.wait(code, function()
    return M.codes()[code]
  end)
end

function M.gone(code)
  M.wait(code .. " to go", function()
    return M.codes()[code] == nil
  end)
end

--- Write a file of the project.
function M.write(name, ...)
  vim.fn.writefile({ ... }, vim.fs.joinpath(vim.env.PROJECT, name))
end

--- What git says in the project.
function M.git(...)
  local who = { "git", "-c", "user.name=T", "-c", "user.email=t@example.com" }
  local done = vim.system(vim.list_extend(who, { ... }), { cwd = vim.env.PROJECT, text = true }):wait()
  assert(done.code == 0, done.stderr)
  return vim.trim(done.stdout)
end

--- Start the server for somebody who takes the first of each choice; the questions that are asked.
function M.trusting()
  local questions = {}
  vim.ui.select = function(items, options, on_choice)
    table.insert(questions, options.prompt)
    on_choice(items[1])
  end
  vim.lsp.config("gateline", {
    init_options = { trusted = true },
    settings = { gateline = { trusted = true, interpreter = vim.env.PYTHON } },
  })
  vim.lsp.enable("gateline")
  return questions
end

--- The text of a listing; "" where it is closed.
function M.listing(name)
  local bufnr = vim.fn.bufnr(name)
  return bufnr > 0 and table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), "\n") or ""
end

--- Wait until a listing has a part.
function M.listed(name, part, patience)
  return M.wait(part, function()
    return M.listing(name):find(part, 1, true)
  end, patience)
end

--- Open a file of the project, with the server ready to answer.
function M.open(name)
  vim.cmd.edit(vim.fs.joinpath(vim.env.PROJECT, name))
  return M.wait("the client", function()
    local client = vim.lsp.get_clients({ name = "gateline", bufnr = 0 })[1]
    return client and client.initialized and client
  end)
end

--- Wait until the change was judged, and give back the label.
function M.judged()
  return M.wait("a verdict", function()
    local said = require("gateline").details()
    return said and not said.working and said.label
  end)
end

function M.panel()
  return M.wait("the panel", function()
    return vim.bo.filetype == "gateline" and table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  end)
end

local function report(name, milliseconds, problem)
  io.stdout:write(
    ("%s %s (%.0f ms)%s\n"):format(problem and "FAIL" or "ok  ", name, milliseconds, problem or "")
  )
  io.stdout:flush()
end

local function run()
  local failed = 0
  for _, test in ipairs(tests) do
    local started = vim.uv.hrtime()
    local ok, problem = xpcall(test.body, debug.traceback)
    failed = failed + (ok and 0 or 1)
    report(test.name, (vim.uv.hrtime() - started) / 1e6, not ok and "\n" .. tostring(problem) or nil)
    if not ok then
      io.stdout:write("messages: " .. vim.inspect(M.messages) .. "\n")
    end
  end
  io.stdout:write(("%d passed, %d failed\n"):format(#tests - failed, failed))
  vim.cmd(failed == 0 and "qall!" or "cquit! 1")
end

--- Run what was declared.
function M.run()
  vim.notify = function(text)
    table.insert(M.messages, text)
  end
  coroutine.wrap(run)()
end

return M
