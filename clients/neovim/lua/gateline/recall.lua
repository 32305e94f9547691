--- What was learned of the project: lessons for words, or about the file of the buffer, in a float.

local clients = require("gateline.client")
local say = require("gateline.say")

local M = {}

local PATIENCE = 60000 -- milliseconds: the first question starts the process that remembers
local LIMIT = 20
local BUDGET = 2000 -- tokens

--- A lesson as Markdown: what, where it belongs, how it served.
---@param lesson table
---@return string[]
local function page(lesson)
  local anchor = lesson.anchor
  local place = table.concat(
    vim.tbl_filter(function(part)
      return part ~= ""
    end, { anchor.file, anchor.symbol, anchor.rule }),
    ":"
  )
  local facts = { lesson.id, lesson.source }
  if place ~= "" then
    table.insert(facts, place)
  end
  vim.list_extend(facts, lesson.why)
  local lines = vim.split(lesson.text, "\n", { plain = true })
  lines[1] = "- " .. lines[1]
  table.insert(lines, "  " .. table.concat(facts, ", "))
  return lines
end

--- The path of a buffer below the folder of its client; "" for one elsewhere.
---@param client vim.lsp.Client
---@param bufnr integer
local function path_of(client, bufnr)
  local root = client.root_dir
  return root and vim.fs.relpath(root, vim.api.nvim_buf_get_name(bufnr)) or ""
end

--- The lessons for words; without any, those about the file of the buffer.
---@param words string
function M.run(words)
  local client = clients.needed()
  if not client then
    return
  end
  local bufnr = vim.api.nvim_get_current_buf()
  local params = { uri = vim.uri_from_bufnr(bufnr), query = words, most = LIMIT, budget = BUDGET }
  if words == "" then
    params.anchor = { file = path_of(client, bufnr) }
    if params.anchor.file == "" then
      return say.warning("this buffer is no file of the project; say what about: `:Gateline recall words`")
    end
  end
  local question = { method = "gateline/memory/recall", params = params, bufnr = bufnr, timeout = PATIENCE }
  clients.told(client, question, function(answer)
    if #answer.lessons == 0 then
      local about = words == "" and params.anchor.file or words
      return say.info(("nothing was learned about %s yet; `gateline remember` stores a lesson"):format(about))
    end
    local lines = {}
    for _, lesson in ipairs(answer.lessons) do
      vim.list_extend(lines, page(lesson))
    end
    require("gateline.float").show("recall", lines)
  end)
end

return M
