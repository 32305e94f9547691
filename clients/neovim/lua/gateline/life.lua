--- Ends and beginnings of the server: on request, and after a crash.

local clients = require("gateline.client")
local say = require("gateline.say")
local status = require("gateline.status")

local M = {}

local PATIENCE = 3000 -- milliseconds a server has to stop by itself
local TERMINATED = 15
local MOST, WITHIN = 3, 60000 -- crashes, and the milliseconds in which so many are too many

local crashes = {} ---@type number[]

---@param client vim.lsp.Client
---@return integer[]
local function buffers(client)
  return vim.tbl_filter(vim.api.nvim_buf_is_loaded, vim.tbl_keys(client.attached_buffers))
end

--- Start a client like one that ended, for its buffers.
---@param config vim.lsp.ClientConfig
---@param bufs integer[]
local function begin(config, bufs)
  for _, bufnr in ipairs(bufs) do
    if vim.api.nvim_buf_is_loaded(bufnr) then
      vim.lsp.start(config, { bufnr = bufnr })
    end
  end
end

--- Whether one more crash is one too many.
local function too_often()
  local now = vim.uv.now()
  crashes = vim.tbl_filter(function(at)
    return now - at < WITHIN
  end, crashes)
  table.insert(crashes, now)
  return #crashes > MOST
end

--- `on_exit` of the configuration: a server that crashed or was killed comes back, but not for ever.
---@param code integer
---@param signal integer
---@param client_id integer
function M.exited(code, signal, client_id)
  local meant = code == 0 and signal == 0 or signal == TERMINATED
  vim.schedule(function()
    local client = vim.lsp.get_client_by_id(client_id)
    local bufs = client and buffers(client) or {}
    status.forget(client_id)
    vim.cmd.redrawstatus({ bang = true })
    if meant or not client or vim.v.exiting ~= vim.NIL then
      return
    end
    if too_often() then
      return say.error("the server keeps crashing and stays off; `:Gateline log` shows why")
    end
    -- The old client takes its leave in functions that are scheduled already.
    vim.defer_fn(function()
      begin(client.config, bufs)
    end, 100)
  end)
end

--- Call `after` when a client is gone, with force if need be.
---@param client vim.lsp.Client
---@param after fun()
local function stop(client, after)
  client:stop()
  local started, forced = vim.uv.now(), false
  local function look()
    if not vim.lsp.get_client_by_id(client.id) then
      return after()
    end
    if not forced and vim.uv.now() - started > PATIENCE then
      forced = true
      client.rpc.terminate()
    end
    vim.defer_fn(look, 30)
  end
  look()
end

--- Stop all servers and start them again; start what is enabled but does not run.
function M.restart()
  crashes = {}
  say.forget()
  local running = clients.all()
  for _, client in ipairs(running) do
    local bufs = buffers(client)
    stop(client, function()
      begin(client.config, bufs)
    end)
  end
  if #running > 0 then
    return
  end
  if not vim.lsp.is_enabled("gateline") then
    return say.warning('not enabled: put `vim.lsp.enable("gateline")` into your init.lua')
  end
  vim.lsp.enable("gateline")
end

return M
