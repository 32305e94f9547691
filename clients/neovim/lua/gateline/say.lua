--- Messages to the person at the keyboard: short, and with one next step when something is wrong.

local M = {}

---@param level integer
---@return fun(text: string)
local function at(level)
  return function(text)
    vim.notify("gateline: " .. text, level, { title = "gateline" })
  end
end

M.info = at(vim.log.levels.INFO)
M.warning = at(vim.log.levels.WARN)
M.error = at(vim.log.levels.ERROR)

local told = {} ---@type table<string, true>

--- A warning that is not repeated until `forget` is called.
---@param text string
function M.once(text)
  if not told[text] then
    told[text] = true
    M.warning(text)
  end
end

--- From here on, `once` tells everything again.
function M.forget()
  told = {}
end

return M
