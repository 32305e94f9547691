--- "Ignore this finding" among the code actions. A reason has to be asked for, which a server cannot do:
--- so it is added here, behind whatever the server offers itself.

local ignore = require("gateline.ignore")

local M = {}

local METHOD = "textDocument/codeAction"
local KIND = "quickfix"
local COMMAND = "gateline.ignore"

---@param finding lsp.Diagnostic
local function action(finding)
  local title = ("Ignore %s here…"):format(finding.code)
  local command = { title = title, command = COMMAND, arguments = { finding } }
  return { title = title, kind = KIND, diagnostics = { finding }, command = command }
end

---@param context lsp.CodeActionContext
---@return lsp.CodeAction[]
local function actions(context)
  if context.only and not vim.list_contains(context.only, KIND) then
    return {}
  end
  return vim
    .iter(context.diagnostics)
    :filter(function(finding)
      return finding.source == "gateline" and ignore.is_able(finding)
    end)
    :map(action)
    :totable()
end

--- What the person chose.
---@param command lsp.Command
---@param context { bufnr: integer }
local function chosen(command, context)
  local finding = command.arguments[1]
  local lines = { lnum = finding.range.start.line, end_lnum = finding.range["end"].line }
  ignore.ask(vim.tbl_extend("error", lines, { bufnr = context.bufnr, code = finding.code }))
end

--- `on_init` of the configuration: from here on the client offers our actions, too.
---@param client vim.lsp.Client
function M.offer(client)
  local capabilities, request = client.server_capabilities, client.rpc.request
  local served = capabilities.codeActionProvider
  capabilities.codeActionProvider = served or { codeActionKinds = { KIND } }
  client.commands[COMMAND] = chosen
  client.rpc.request = function(method, params, answer, ...)
    if method ~= METHOD then
      return request(method, params, answer, ...)
    end
    local own = actions(params.context)
    if served then
      return request(method, params, function(problem, found)
        answer(problem, vim.list_extend(found or {}, own))
      end, ...)
    end
    vim.schedule(function()
      answer(nil, own)
    end)
    return true
  end
end

return M
