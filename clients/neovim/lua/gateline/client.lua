--- The running server of a buffer, and requests to it that never wait.

local M = {}

local NAME = "gateline"
local NEXT = 'run `:lua vim.lsp.enable("gateline")` and open a Python file'

--- All running clients.
---@return vim.lsp.Client[]
function M.all()
  return vim.lsp.get_clients({ name = NAME })
end

--- The client of a buffer.
---@param bufnr? integer default: the current buffer
---@return vim.lsp.Client?
function M.of(bufnr)
  return vim.lsp.get_clients({ name = NAME, bufnr = bufnr or 0 })[1]
end

--- The client of a buffer; without one, the person is told what to do.
---@param bufnr? integer default: the current buffer
---@return vim.lsp.Client?
function M.needed(bufnr)
  local client = M.of(bufnr)
  if not client then
    require("gateline.say").warning("not running in this buffer: " .. NEXT)
  end
  return client
end

---@class gateline.Question
---@field method string
---@field params table
---@field bufnr integer
---@field timeout integer milliseconds

--- Ask, and go on; `answer` is called once, with an error's text or the result.
---@param client vim.lsp.Client
---@param question gateline.Question
---@param answer fun(problem: string?, result: any)
function M.ask(client, question, answer)
  local timer = assert(vim.uv.new_timer())
  local over = false
  local function finish(problem, result)
    if not over then
      over = true
      timer:stop()
      timer:close()
      answer(problem, result)
    end
  end
  local sent, id = client:request(question.method, question.params, function(err, result)
    finish(err and err.message, result)
  end, question.bufnr)
  if not sent then
    return finish("the server is gone; `:Gateline restart` starts it again")
  end
  timer:start(
    question.timeout,
    0,
    vim.schedule_wrap(function()
      if not over then
        client:cancel_request(id)
        finish(("no answer within %g s; `:Gateline log` may say why"):format(question.timeout / 1000))
      end
    end)
  )
end

--- Ask, and go on; an error is told to the person, a result to `answer`.
---@param client vim.lsp.Client
---@param question gateline.Question
---@param answer fun(result: any)
function M.told(client, question, answer)
  M.ask(client, question, function(problem, result)
    if problem then
      return require("gateline.say").error(problem)
    end
    answer(result)
  end)
end

--- The URI of the folder that a client works in.
---@param client vim.lsp.Client
function M.folder(client)
  return client.root_dir and vim.uri_from_fname(client.root_dir) or vim.NIL
end

--- gateline's diagnostics on a line, the one under the column first.
---@param client vim.lsp.Client
---@param bufnr integer
---@param row integer zero-based
---@param column integer zero-based, in bytes
---@return vim.Diagnostic[]
function M.findings_at(client, bufnr, row, column)
  local namespace = vim.lsp.diagnostic.get_namespace(client.id)
  local found = vim.diagnostic.get(bufnr, { namespace = namespace, lnum = row })
  local function distance(d)
    if d.lnum < row or column >= d.col and (d.end_lnum > row or column < d.end_col) then
      return 0
    end
    return column < d.col and d.col - column or column - d.end_col + 1
  end
  table.sort(found, function(a, b)
    local near, far = distance(a), distance(b)
    return near < far or near == far and a.severity < b.severity
  end)
  return found
end

--- The findings of the cursor's line, the nearest to it first; without one, the person is told.
---@param client vim.lsp.Client
---@return vim.Diagnostic[]
function M.findings_here(client)
  local cursor = vim.api.nvim_win_get_cursor(0)
  local found = M.findings_at(client, vim.api.nvim_get_current_buf(), cursor[1] - 1, cursor[2])
  if #found == 0 then
    require("gateline.say").warning("no finding on this line; `:Gateline panel` lists them all")
  end
  return found
end

return M
