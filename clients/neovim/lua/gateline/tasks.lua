--- What is worked on, and was: tasks, work that was left, and the way back to a savepoint.

local clients = require("gateline.client")
local say = require("gateline.say")

local M = {}

local PATIENCE = 10000 -- milliseconds
local here = clients.folder

---@param client vim.lsp.Client
---@param method string
---@param params table
---@param answer fun(result: any)
local function ask(client, method, params, answer)
  local question = { method = method, params = params, bufnr = vim.api.nvim_get_current_buf(), timeout = PATIENCE }
  clients.told(client, question, answer)
end

---@param text string in Markdown
local function show(text)
  require("gateline.float").show("tasks", vim.split(vim.trim(text), "\n"))
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
function M.dirty()
  local uris = {}
  for _, buffer in ipairs(vim.fn.getbufinfo({ bufmodified = 1 })) do
    if buffer.name ~= "" then
      table.insert(uris, vim.uri_from_bufnr(buffer.bufnr))
    end
  end
  return uris
end

--- Restore a savepoint, or say what that would do.
---@param client vim.lsp.Client
---@param where table
---@param answer fun(result: table)
local function restored(client, where, answer)
  local argument = vim.tbl_extend("force", { uri = here(client), dirty = M.dirty() }, where)
  ask(client, "workspace/executeCommand", { command = "gateline.restore", arguments = { argument } }, answer)
end

--- What can be restored; what is left alone is told.
---@param steps table[]
local function restorable(steps)
  return vim.tbl_filter(function(step)
    if step.conflict ~= "" then
      say.warning(("left alone: %s (%s)"):format(step.path, step.conflict))
    end
    return step.conflict == ""
  end, steps)
end

---@param client vim.lsp.Client
---@param where table
local function carry_out(client, where)
  restored(client, where, function(result)
    if not result.applied then
      return say.info("nothing was restored")
    end
    local done = vim.iter(result.steps):filter(function(step)
      return step.conflict == ""
    end)
    local count = #done:totable()
    local what = count == 1 and "1 file is as it was; `u` there" or ("%d files are as they were; `u` in each"):format(count)
    say.info(what .. " takes it back")
  end)
end

--- Show what would change, and restore all of it or one file.
---@param client vim.lsp.Client
---@param savepoint string
local function choose_files(client, savepoint)
  restored(client, { savepoint = savepoint, preview = true }, function(shown)
    local steps = restorable(shown.steps)
    if #steps == 0 then
      return say.info("nothing differs that can be restored here")
    end
    local all = { action = "all", path = ("%d files"):format(#steps) }
    local choices = #steps == 1 and steps or vim.list_extend({ all }, steps)
    local function line(step)
      return ("%-7s %s"):format(step.action, step.path)
    end
    vim.ui.select(choices, { prompt = "Restore", format_item = line }, function(step)
      if step then
        carry_out(client, { savepoint = savepoint, paths = step ~= all and { step.path } or nil })
      end
    end)
  end)
end

--- Choose a savepoint, then files, and go back to it.
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
        choose_files(client, savepoint.id)
      end
    end)
  end)
end

--- The server tells of work that was left.
---@param params { left: { message: string, restore: string } }
function M.detected(params)
  local back = params.left.restore ~= "" and ", `:Gateline restore` brings it back" or ""
  say.info(params.left.message .. "\n`:Gateline tasks` shows it" .. back)
end

return M
