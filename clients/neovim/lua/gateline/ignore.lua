--- Silences a finding with a comment that says why.

local clients = require("gateline.client")
local comment = require("gateline.comment")
local say = require("gateline.say")

local M = {}

-- Those from 900 on are about settings and comments themselves.
local ABLE = "^GTL[1-8]%d%d$"

--- The lines on which a comment reaches a finding, from 1: where it begins, and where it ends.
---@param finding vim.Diagnostic
local function reached(finding)
  return { finding.lnum + 1, (finding.end_lnum or finding.lnum) + 1 }
end

---@param finding vim.Diagnostic
---@param reason string
local function write(finding, reason)
  local bufnr = finding.bufnr
  local lines = vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
  for _, number in ipairs(reached(finding)) do
    local ending = comment.end_of(lines, number)
    if lines[number] and ending.fit then
      local text = comment.suppressed(lines[number], ending.comment, finding.code, reason)
      return vim.api.nvim_buf_set_lines(bufnr, number - 1, number, true, { text })
    end
  end
  say.warning("no comment fits on this line; `# gateline: ignore-file[CODE] reason` silences the whole file")
end

--- Silence the finding under the cursor; without a reason, ask for one.
---@param reason string
function M.run(reason)
  local client = clients.needed()
  local finding = client and clients.finding_here(client)
  if not finding then
    return
  end
  if not tostring(finding.code):find(ABLE) then
    return say.warning(("%s is mended, not ignored; `:Gateline explain` says how"):format(finding.code))
  end
  if vim.trim(reason) ~= "" then
    return write(finding, reason)
  end
  local tick = vim.b[finding.bufnr].changedtick
  vim.ui.input({ prompt = ("Reason to ignore %s: "):format(finding.code) }, function(given)
    if not given or vim.trim(given) == "" then
      return say.info("nothing ignored: a reason is needed")
    end
    if vim.b[finding.bufnr].changedtick ~= tick then
      return say.warning("the text changed meanwhile; nothing ignored")
    end
    write(finding, given)
  end)
end

return M
