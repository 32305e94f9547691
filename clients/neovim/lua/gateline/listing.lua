--- A window below the others with lines that keys act on: a buffer by its name, wiped when it is left.

local M = {}

--- The buffer of a listing, where it is loaded.
---@param name string
---@return integer?
function M.buffer(name)
  local found = vim.fn.bufnr(name)
  return found > 0 and vim.api.nvim_buf_is_loaded(found) and found or nil
end

--- Go to the window of a listing, or open it; whether it was opened.
---@param name string
---@param height integer
---@param filetype string
---@return boolean
function M.open(name, height, filetype)
  local known = M.buffer(name)
  local window = known and vim.fn.bufwinid(known) or -1
  if window > 0 then
    vim.api.nvim_set_current_win(window)
    return false
  end
  vim.cmd(("botright %dnew"):format(height))
  local bufnr = vim.api.nvim_get_current_buf()
  vim.bo[bufnr].buftype, vim.bo[bufnr].bufhidden, vim.bo[bufnr].swapfile = "nofile", "wipe", false
  vim.api.nvim_buf_set_name(bufnr, name)
  vim.bo[bufnr].filetype, vim.bo[bufnr].modifiable = filetype, false
  vim.wo.wrap = false
  M.key("q", "Close", "<Cmd>close<CR>")
  return true
end

--- Map a key of the listing that is open.
---@param lhs string
---@param description string
---@param run string|fun()
function M.key(lhs, description, run)
  vim.keymap.set("n", lhs, run, { buffer = 0, nowait = true, desc = description })
end

--- Replace the lines of a listing.
---@param bufnr integer
---@param lines string[]
function M.write(bufnr, lines)
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modifiable = false
end

return M
