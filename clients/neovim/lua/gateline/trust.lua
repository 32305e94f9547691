--- Which projects may run programs of their own. Neovim's own list is used, see |:trust|.

local M = {}

--- Whether the person trusts a folder. Asks nothing, and takes what it cannot read for a no.
---@param root? string
---@return boolean
function M.is_trusted(root)
  local folder = root and vim.uv.fs_realpath(root)
  local list = folder and io.open(vim.fs.joinpath(vim.fn.stdpath("state"), "trust"))
  if not list then
    return false
  end
  local wanted = "directory " .. folder
  for line in list:lines() do
    if line == wanted then
      list:close()
      return true
    end
  end
  list:close()
  return false
end

--- Let the person decide, in Neovim's dialogue.
---@param root string
---@return boolean # whether it is trusted now
function M.ask(root)
  return vim.secure.read(root) == true
end

--- Tell the server, and what else it cannot know; what the configuration says itself goes first.
---@param params table of `initialize`
---@param root? string
function M.tell(params, root)
  -- The reason of an ignore comment is asked for here: the server need not offer one that leaves it open.
  local known = { trusted = M.is_trusted(root), asksForReasons = true }
  params.initializationOptions = vim.tbl_extend("keep", params.initializationOptions or {}, known)
end

return M
