--- What is worked on, and was: tasks, work that was left, and the way back to a savepoint.

local clients = require("gateline.client")
local say = require("gateline.say")

local M = {}

local PATIENCE = 10000 -- milliseconds

---@param client vim.lsp.Client
---@param method string
---@param params table
---@param answer fun(result: any)
local function ask(client, method, params, answer)
  local question = { method = method, params = params, bufnr = vim.api.nvim_get_current_buf(), timeout = PATIENCE }
  clients.ask(client, question, function(problem, result)
    if problem then
      return say.error(problem)
    end
    answer(result)
  end)
end

---@param client vim.lsp.Client
local function here(client)
  return client.root_dir and vim.uri_from_fname(client.root_dir) or vim.NIL
end

---@param text string in Markdown
local function show(text)
  local border = vim.o.winborder ~= "" and vim.o.winborder or "rounded"
  local options = { max_width = 90, focus_id = "gateline.tasks", border = border }
  vim.lsp.util.open_floating_preview(vim.split(vim.trim(text), "\n"), "markdown", options)
end

--- Choose a task, and read how it went.
function M.list()
  local client = clients.needed()
  if not client then
    return
  end
  ask(client, "gateline/task/list", { uri = here(client) }, function(result)
    if #result.tasks == 0 then
      return say.info("no task yet: one begins with the first change")
    end
    local function line(task)
      return ("%s  %s  %s  %s"):format(task.startedAt, task.outcome, task.tier, task.description)
    end
    vim.ui.select(result.tasks, { prompt = "Task", format_item = line }, function(task)
      if task then
        ask(client, "gateline/task/show", { uri = here(client), task = task.id }, function(shown)
          show(shown.page)
        end)
      end
    end)
  end)
end

--- The URIs of the buffers that were not written.
local function dirty()
  local uris = {}
  for _, buffer in ipairs(vim.fn.getbufinfo({ bufmodified = 1 })) do
    if buffer.name ~= "" then
      table.insert(uris, vim.uri_from_bufnr(buffer.bufnr))
    end
  end
  return uris
end

---@param client vim.lsp.Client
---@param savepoint string
local function restore(client, savepoint)
  local where = { uri = here(client), savepoint = savepoint, dirty = dirty() }
  local params = { command = "gateline.restore", arguments = { where } }
  ask(client, "workspace/executeCommand", params, function(result)
    local done = 0
    for _, step in ipairs(result.steps) do
      if step.conflict == "" then
        done = done + 1
      else
        say.warning(("left alone: %s (%s)"):format(step.path, step.conflict))
      end
    end
    local told = result.applied and ("%d files are as they were; `u` in each takes it back"):format(done)
    say.info(told or "nothing was restored")
  end)
end

--- Choose a savepoint, and go back to it.
function M.restore()
  local client = clients.needed()
  if not client then
    return
  end
  ask(client, "gateline/savepoint/list", { uri = here(client) }, function(result)
    if #result.savepoints == 0 then
      return say.info("no savepoint yet: they are taken at each checkpoint of a task")
    end
    local function line(savepoint)
      return savepoint.timestamp .. "  " .. savepoint.label
    end
    vim.ui.select(result.savepoints, { prompt = "Restore", format_item = line }, function(savepoint)
      if savepoint then
        restore(client, savepoint.id)
      end
    end)
  end)
end

--- The server tells of work that was left.
---@param params { left: { message: string } }
function M.detected(params)
  say.info(params.left.message .. "\n`:Gateline tasks` shows it, `:Gateline restore` brings it back")
end

return M
