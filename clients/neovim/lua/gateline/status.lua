--- What `gateline/status` said last, for each client and folder.

local M = {}

local said = {} ---@type table<integer, table<string, table>>

--- Remember a notification, and tell whoever listens: the event `User GatelineStatus`.
---@param params table
---@param client_id integer
function M.take(params, client_id)
  said[client_id] = said[client_id] or {}
  said[client_id][params.folder] = params
  vim.api.nvim_exec_autocmds("User", { pattern = "GatelineStatus", modeline = false, data = params })
  vim.cmd.redrawstatus({ bang = true })
end

--- Drop what a client said that is gone.
---@param client_id integer
function M.forget(client_id)
  said[client_id] = nil
end

---@param folder string
---@param file string
local function inside(folder, file)
  return vim.startswith(file, vim.endswith(folder, "/") and folder or folder .. "/")
end

--- What was said of the innermost folder around a buffer; of the only folder, for a buffer outside all.
---@param client_id integer
---@param bufnr? integer default: the current buffer
---@return table?
function M.of(client_id, bufnr)
  local folders = said[client_id] or {}
  local file = vim.uri_from_bufnr(bufnr or vim.api.nvim_get_current_buf())
  local best ---@type table?
  for folder, params in pairs(folders) do
    if inside(folder, file) and (not best or #folder > #best.folder) then
      best = params
    end
  end
  local only = next(folders)
  return best or (only and next(folders, only) == nil and folders[only] or nil)
end

return M
