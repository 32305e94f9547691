--- Markdown in a float beside the cursor.

local M = {}

local WIDTH = 100

--- Show lines; asked again with the same name, the cursor goes into the float.
---@param name string
---@param lines string[]
---@return integer window
function M.show(name, lines)
  local border = vim.o.winborder ~= "" and vim.o.winborder or "rounded"
  local options = { max_width = WIDTH, focus_id = "gateline." .. name, border = border }
  local _, window = vim.lsp.util.open_floating_preview(lines, "markdown", options)
  return window
end

return M
