--- What a configuration may call. See |gateline|.

local M = {}

--- The change's score in short, for a status line: "GL 86 ▲3", "GL –", "GL 86 …", "GL …" or "GL ?".
---@param bufnr? integer default: the current buffer
---@return string # empty where gateline does not run
function M.status(bufnr)
  local said = M.details(bufnr)
  return said and said.label or ""
end

--- All that `gateline/status` said last of the buffer's folder.
---@param bufnr? integer default: the current buffer
---@return table? # nil before anything was said
function M.details(bufnr)
  local client = require("gateline.client").of(bufnr)
  return client and require("gateline.status").of(client.id, bufnr)
end

return M
