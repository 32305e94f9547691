--- Tests on the texts as they are in the editor.

local clients = require("gateline.client")
local say = require("gateline.say")

local M = {}

local PATIENCE = 3600000 -- milliseconds: the server has limits of its own
local BRIEF = 10000

---@param result table
local function summary(result)
  local text = ("%d of %d tests ran"):format(#result.tests, result.total)
  if result.failing > 0 then
    text = ("%s, %d failing"):format(text, result.failing)
  end
  if result.cancelled then
    text = text .. "; ended early"
  end
  local why = vim.list_slice(result.why, 1, 2)
  if result.note ~= "" then
    table.insert(why, result.note)
  end
  return #why > 0 and ("%s (%s)"):format(text, table.concat(why, ", ")) or text
end

--- Run tests, and say what became of them. Whether they may be run is asked where nobody agreed yet.
---@param which "affected"|"all"
function M.run(which)
  local client = clients.needed()
  if not client then
    return
  end
  local bufnr = vim.api.nvim_get_current_buf()
  local params = { uri = vim.uri_from_bufnr(bufnr), which = which }
  local question = { method = "gateline/tests/run", params = params, bufnr = bufnr, timeout = PATIENCE }
  clients.told(client, question, function(result)
    local tell = result.failing > 0 and say.warning or say.info
    tell(summary(result))
  end)
end

--- End the tests that are being run.
function M.cancel()
  local client = clients.needed()
  if not client then
    return
  end
  local bufnr = vim.api.nvim_get_current_buf()
  local params = { uri = vim.uri_from_bufnr(bufnr) }
  local question = { method = "gateline/tests/cancel", params = params, bufnr = bufnr, timeout = BRIEF }
  clients.ask(client, question, function(problem, result)
    if problem then
      say.error(problem)
    elseif not result.cancelled then
      say.info("no tests are being run")
    end
  end)
end

return M
