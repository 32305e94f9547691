--- What a finding is, where it comes from, and how it is fixed.

local clients = require("gateline.client")
local say = require("gateline.say")

local M = {}

local PATIENCE = 10000 -- milliseconds

---@param text string in Markdown
local function show(text)
  local window = require("gateline.float").show("explain", vim.split(vim.trim(text), "\n"))
  vim.wo[window].linebreak = true
end

--- The page of a code, which comes with the server.
---@param client vim.lsp.Client
---@param code string
---@param answer fun(page?: string, problem?: string)
local function page(client, code, answer)
  local command = require("gateline.server").command(client, { "rule", code })
  if not command then
    return answer(nil, "`cmd` of the configuration does not name gateline's program")
  end
  local started, problem = pcall(
    vim.system,
    command,
    { text = true, timeout = PATIENCE },
    vim.schedule_wrap(function(done)
      if done.code == 0 then
        return answer(done.stdout)
      end
      answer(nil, vim.trim(done.stderr or "") .. (done.signal ~= 0 and "no answer" or ""))
    end)
  )
  if not started then
    answer(nil, tostring(problem))
  end
end

--- What the server says of the place of a finding; empty when it says nothing.
---@param client vim.lsp.Client
---@param finding vim.Diagnostic
---@param answer fun(text: string)
local function place(client, finding, answer)
  local bufnr = finding.bufnr
  local range = finding.user_data and finding.user_data.lsp and finding.user_data.lsp.range
  if not range or not client:supports_method("textDocument/hover", bufnr) then
    return answer("")
  end
  local params = { textDocument = vim.lsp.util.make_text_document_params(bufnr), position = range.start }
  local question = { method = "textDocument/hover", params = params, bufnr = bufnr, timeout = PATIENCE }
  clients.ask(client, question, function(_, hover)
    local contents = hover and hover.contents
    answer(contents and table.concat(vim.lsp.util.convert_input_to_markdown_lines(contents), "\n") or "")
  end)
end

--- Explain a code, or the finding under the cursor.
---@param code? string
function M.run(code)
  local client = clients.needed()
  local finding = client and not code and clients.findings_here(client)[1]
  if not client or not (code or finding) then
    return
  end
  local function with_page(before)
    page(client, code or tostring(finding.code), function(text, problem)
      if not text and before == "" then
        return say.error("no explanation: " .. problem)
      end
      show(before .. (before ~= "" and "\n\n---\n\n" or "") .. (text or problem))
    end)
  end
  if finding then
    place(client, finding, with_page)
  else
    with_page("")
  end
end

return M
