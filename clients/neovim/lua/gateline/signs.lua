--- Signs beside the changed lines that tests execute, only partly, or not at all. Off unless asked for.

local clients = require("gateline.client")

local M = {}

local PATIENCE = 10000 -- milliseconds
local NAMESPACE = vim.api.nvim_create_namespace("gateline.coverage")
local SIGNS = {
  covered = { "▎", "GatelineCovered", "DiagnosticOk" },
  partial = { "▎", "GatelinePartial", "DiagnosticWarn" },
  uncovered = { "▎", "GatelineUncovered", "DiagnosticError" },
  stale = { "┆", "GatelineStale", "Comment" },
}

local group ---@type integer?
local watched = {} ---@type table<integer, true>

--- What was measured is of the text before: nothing is shown until it is known what of it still holds.
local function watch(bufnr)
  if watched[bufnr] then
    return
  end
  watched[bufnr] = true
  vim.api.nvim_buf_attach(bufnr, false, {
    on_lines = function()
      if not group then
        watched[bufnr] = nil
        return true
      end
      vim.schedule(function()
        if vim.api.nvim_buf_is_valid(bufnr) then
          vim.api.nvim_buf_clear_namespace(bufnr, NAMESPACE, 0, -1)
        end
      end)
    end,
    on_detach = function()
      watched[bufnr] = nil
    end,
  })
end

--- The kind of each line, zero-based.
---@param result table what `gateline/coverage` says
---@return table<integer, string>
local function kinds(result)
  local found = {}
  for _, kind in ipairs({ "covered", "uncovered", "stale" }) do
    for _, line in ipairs(result[kind] or {}) do
      found[line] = kind
    end
  end
  for _, branch in ipairs(result.branches or {}) do
    found[branch.line] = "partial"
  end
  return found
end

local function draw(bufnr, result)
  vim.api.nvim_buf_clear_namespace(bufnr, NAMESPACE, 0, -1)
  local last = vim.api.nvim_buf_line_count(bufnr)
  for line, kind in pairs(kinds(result)) do
    if line < last then
      local text, highlight = unpack(SIGNS[kind])
      vim.api.nvim_buf_set_extmark(bufnr, NAMESPACE, line, 0, { sign_text = text, sign_hl_group = highlight })
    end
  end
end

--- Ask about a buffer, and draw what is said of the text that it still has.
---@param bufnr integer
local function refresh(bufnr)
  local client = clients.of(bufnr)
  if not client then
    return
  end
  watch(bufnr)
  local before = vim.api.nvim_buf_get_changedtick(bufnr)
  local params = { uri = vim.uri_from_bufnr(bufnr) }
  local question = { method = "gateline/coverage", params = params, bufnr = bufnr, timeout = PATIENCE }
  clients.ask(client, question, function(problem, result)
    local valid = group and vim.api.nvim_buf_is_valid(bufnr)
    if valid and not problem and vim.api.nvim_buf_get_changedtick(bufnr) == before then
      draw(bufnr, result)
    end
  end)
end

local function refresh_all()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    refresh(vim.api.nvim_win_get_buf(window))
  end
end

--- Whether signs are shown.
---@return boolean
function M.shown()
  return group ~= nil
end

--- Show signs from now on.
function M.show()
  if group then
    return
  end
  for _, sign in pairs(SIGNS) do
    vim.api.nvim_set_hl(0, sign[2], { link = sign[3], default = true })
  end
  group = vim.api.nvim_create_augroup("gateline.signs", {})
  vim.api.nvim_create_autocmd("User", {
    group = group,
    pattern = "GatelineStatus",
    callback = function(event)
      if not event.data.working then
        refresh_all()
      end
    end,
  })
  vim.api.nvim_create_autocmd("BufWinEnter", {
    group = group,
    callback = function(event)
      refresh(event.buf)
    end,
  })
  refresh_all()
end

--- Show none any more.
function M.hide()
  if group then
    vim.api.nvim_del_augroup_by_id(group)
    group = nil
  end
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    vim.api.nvim_buf_clear_namespace(bufnr, NAMESPACE, 0, -1)
  end
end

return M
