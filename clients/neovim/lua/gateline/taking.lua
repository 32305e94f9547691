--- What somebody else changed: shown as a diff, and told once it was written.

local say = require("gateline.say")

local M = {}

--- Show a diff in a window of its own.
---@param diff string
function M.show(diff)
  vim.cmd.new()
  local bufnr = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, vim.split(vim.trim(diff), "\n"))
  vim.bo[bufnr].buftype, vim.bo[bufnr].bufhidden = "nofile", "wipe"
  vim.bo[bufnr].filetype, vim.bo[bufnr].modifiable = "diff", false
end

--- Tell what was written, and what was left alone.
---@param written table as it came over the wire
function M.told(written)
  local count = 0
  for _, step in ipairs(written.steps) do
    if step.conflict ~= "" then
      say.warning(("left alone: %s (%s)"):format(step.path, step.conflict))
    else
      count = count + 1
    end
  end
  if not written.applied then
    return say.info("nothing was written")
  end
  say.info(("%d file%s written; `u` in each takes it back"):format(count, count == 1 and "" or "s"))
end

return M
