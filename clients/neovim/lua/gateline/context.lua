--- What one needs in view: passages for words, in the quickfix list, or for the place of the cursor, in a float.

local clients = require("gateline.client")
local say = require("gateline.say")

local M = {}

local PATIENCE = 5000 -- milliseconds: the server answers within two seconds
local DEADLINE = 500 -- milliseconds that names may take to be resolved
local LIMIT = 30
local BUDGET = { list = 30000, float = 4000 } -- tokens

--- What was missing, in a sentence; nil when nothing was.
---@param answer table
---@return string?
local function missing(answer)
  local reasons = {}
  for tier, reason in vim.spairs(answer.degraded) do
    table.insert(reasons, ("%s: %s"):format(tier, reason))
  end
  return #reasons > 0 and ("without " .. table.concat(reasons, "; ")) or nil
end

---@param method string
---@param params table
---@param found fun(answer: table)
local function ask(method, params, found)
  local client = clients.needed()
  if not client then
    return
  end
  local bufnr = vim.api.nvim_get_current_buf()
  params.uri = vim.uri_from_bufnr(bufnr)
  local question = { method = method, params = params, bufnr = bufnr, timeout = PATIENCE }
  clients.told(client, question, function(answer)
    if #answer.passages == 0 then
      return say.warning(missing(answer) or "nothing was found")
    end
    found(answer)
  end)
end

--- The passages that matter for words, as a quickfix list.
---@param words string
function M.search(words)
  local params = { query = words, kind = "any", limit = LIMIT, budget = BUDGET.list, deadline = 200 }
  ask("gateline/context/search", params, function(answer)
    local items = vim.tbl_map(function(passage)
      return {
        filename = vim.uri_to_fname(passage.uri),
        lnum = passage.lines.first + 1,
        end_lnum = passage.lines.last + 1,
        text = ("%s: %s"):format(passage.name, table.concat(passage.why, ", ")),
      }
    end, answer.passages)
    vim.fn.setqflist({}, " ", { title = "gateline: " .. words, items = items, context = answer.degraded })
    vim.cmd("botright copen")
    local without = missing(answer)
    if without then
      say.info(without)
    end
  end)
end

--- A passage as Markdown. Its fence is longer than any in its text.
---@param passage table
---@return string[]
local function page(passage)
  local fence = "```"
  for run in passage.text:gmatch("`+") do
    fence = #run >= #fence and run .. "`" or fence
  end
  local language = vim.filetype.match({ filename = passage.path }) or ""
  local place = ("## %s:%d %s"):format(passage.path, passage.lines.first + 1, passage.name)
  local lines = { place, "", table.concat(passage.why, ", "), "", fence .. language }
  vim.list_extend(lines, vim.split(passage.text, "\n", { plain = true }))
  return vim.list_extend(lines, { fence, "" })
end

--- What one needs in view to change what the cursor is on, in a float.
function M.here()
  local client = clients.needed()
  if not client then
    return
  end
  local position = vim.lsp.util.make_position_params(0, client.offset_encoding).position
  local params = { position = position, budget = BUDGET.float, deadline = DEADLINE }
  ask("gateline/context/forPosition", params, function(answer)
    local lines = {}
    for _, passage in ipairs(answer.passages) do
      vim.list_extend(lines, page(passage))
    end
    require("gateline.float").show("context", lines)
  end)
end

return M
