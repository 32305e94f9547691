--- Silences a finding with a comment that says why.

local clients = require("gateline.client")
local comment = require("gateline.comment")
local say = require("gateline.say")

local M = {}

---@class gateline.Place
---@field bufnr integer
---@field code string
---@field lnum integer zero-based, as in a |vim.Diagnostic|
---@field end_lnum? integer

--- Whether a comment has an effect on a finding: the server says so. One that the change adds lifts no floor.
---@param finding lsp.Diagnostic
---@return boolean
function M.is_able(finding)
  return vim.tbl_get(finding, "data", "ignorable") == true
end

--- The lines on which a comment reaches a finding, from 1: where it begins, and where it ends.
---@param place gateline.Place
local function reached(place)
  return { place.lnum + 1, (place.end_lnum or place.lnum) + 1 }
end

---@param place gateline.Place
---@param reason string
local function write(place, reason)
  local lines = vim.api.nvim_buf_get_lines(place.bufnr, 0, -1, false)
  for _, number in ipairs(reached(place)) do
    local ending = comment.end_of(lines, number)
    if lines[number] and ending.fit then
      local text = comment.suppressed(lines[number], ending.comment, place.code, reason)
      return vim.api.nvim_buf_set_lines(place.bufnr, number - 1, number, true, { text })
    end
  end
  say.warning("no comment fits on this line; `# gateline: ignore-file[CODE] reason` silences the whole file")
end

--- Ask for the reason, then silence a finding; without a reason, nothing is done.
---@param place gateline.Place
function M.ask(place)
  local tick = vim.b[place.bufnr].changedtick
  vim.ui.input({ prompt = ("Reason to ignore %s: "):format(place.code) }, function(given)
    if not given or vim.trim(given) == "" then
      return say.info("nothing ignored: a reason is needed")
    end
    if vim.b[place.bufnr].changedtick ~= tick then
      return say.warning("the text changed meanwhile; nothing ignored")
    end
    write(place, given)
  end)
end

--- Silence the nearest finding of the line that can be; without a reason, ask for one.
---@param reason string
function M.run(reason)
  local client = clients.needed()
  local found = client and clients.findings_here(client) or {}
  if #found == 0 then
    return
  end
  local finding = vim.iter(found):find(function(one)
    return M.is_able(vim.tbl_get(one, "user_data", "lsp") or {})
  end)
  if not finding then
    return say.warning(("%s cannot be ignored, fix it; `:Gateline explain` says how"):format(found[1].code))
  end
  if vim.trim(reason) == "" then
    return M.ask(finding)
  end
  write(finding, reason)
end

return M
