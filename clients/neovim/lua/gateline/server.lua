--- Where the server is, and how it starts.

local say = require("gateline.say")
local trust = require("gateline.trust")

local M = {}

local INSTALL = "server not found. Install it (`pipx install gateline`), then `:Gateline restart`"
local TRUST = "the server in .venv is not used, because the project is not trusted. "
  .. "If you trust it: `:Gateline trust`"

--- The program that a project brings along.
---@param root? string
---@return string?
function M.bundled(root)
  local folder = vim.fn.has("win32") == 1 and { "Scripts", "gateline.exe" } or { "bin", "gateline" }
  local program = root and vim.fs.joinpath(root, ".venv", unpack(folder))
  return program and vim.fn.executable(program) == 1 and program or nil
end

---@class gateline.Program
---@field path? string nil when there is none
---@field origin string where it was found, or what to do

--- The project's own program where the project is trusted, else the one on PATH.
---@param root? string
---@return gateline.Program
function M.find(root)
  local bundled = M.bundled(root)
  if bundled and trust.is_trusted(root) then
    return { path = bundled, origin = "the trusted project's .venv" }
  end
  local found = vim.fn.exepath("gateline")
  if found ~= "" then
    return { path = found, origin = "PATH" }
  end
  return { origin = bundled and TRUST or INSTALL }
end

--- A command line that does something else than serve, as in `gateline rule GTL301`.
---@param client vim.lsp.Client
---@param arguments string[]
---@return string[]?
function M.command(client, arguments)
  local configured = client.config.cmd
  if type(configured) ~= "table" then
    local program = M.find(client.root_dir)
    return program.path and vim.list_extend({ program.path }, arguments)
  end
  local command = {}
  for _, word in ipairs(configured) do
    if word == "server" then
      return vim.list_extend(command, arguments)
    end
    table.insert(command, word)
  end
end

--- `root_dir` of the configuration. Nothing is started, and one message shown, when there is no server.
---@param bufnr integer
---@param on_dir fun(root?: string)
function M.root_dir(bufnr, on_dir)
  local config = vim.lsp.config.gateline
  local root = vim.fs.root(bufnr, config.root_markers)
  if type(config.cmd) == "function" then
    local program = M.find(root)
    if not program.path then
      return say.once(program.origin)
    end
  end
  on_dir(root)
end

--- `cmd` of the configuration.
---@param dispatchers vim.lsp.rpc.Dispatchers
---@param config? vim.lsp.ClientConfig
---@return vim.lsp.rpc.PublicClient
function M.start(dispatchers, config)
  config = config or {}
  local program = M.find(config.root_dir)
  if not program.path then
    error("gateline: " .. program.origin, 0)
  end
  local spawn = { cwd = config.cmd_cwd, env = config.cmd_env, detached = config.detached }
  return vim.lsp.rpc.start({ program.path, "server" }, dispatchers, spawn)
end

return M
