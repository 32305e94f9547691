--- `:checkhealth gateline`

local clients = require("gateline.client")
local server = require("gateline.server")
local trust = require("gateline.trust")

local M = {}

local PATIENCE = 5000 -- milliseconds
local health = vim.health

local function editor()
  health.start("Neovim")
  if vim.fn.has("nvim-0.11") == 1 then
    health.ok("version " .. tostring(vim.version()))
  else
    health.error("0.11 or newer is needed, this is " .. tostring(vim.version()))
  end
  if vim.lsp.is_enabled("gateline") then
    health.ok("gateline is enabled")
  else
    health.warn("gateline is not enabled", { 'Put `vim.lsp.enable("gateline")` into your init.lua.' })
  end
end

--- The command line of the server, and where it comes from.
---@param root? string
---@return string[]?
---@return string
local function program(root)
  local configured = vim.lsp.config.gateline.cmd
  if type(configured) == "table" then
    local found = vim.fn.executable(configured[1]) == 1
    return found and configured or nil, found and "the configuration" or configured[1] .. " is not executable"
  end
  local found = server.find(root)
  return found.path and { found.path, "server" }, found.origin
end

---@param root? string
local function installed(root)
  health.start("Server")
  local command, origin = program(root)
  if not command then
    return health.error(origin)
  end
  health.ok(("%s (from %s)"):format(table.concat(command, " "), origin))
  if root and not trust.is_trusted(root) then
    health.info(("%s is not trusted: nothing of it is run. `:Gateline trust` changes that."):format(root))
  end
end

local MARKS = { ok = health.ok, warning = health.warn, problem = health.error }

--- What a running server chose, and why.
---@param client vim.lsp.Client
local function running(client)
  health.start("Workspace " .. (client.root_dir or "(none)"))
  local answer, problem = client:request_sync("gateline/doctor", vim.empty_dict(), PATIENCE)
  if not answer or answer.err then
    local why = answer and answer.err.message or problem
    return health.error("the server does not answer: " .. why, { "Run `:Gateline restart`." })
  end
  for _, section in ipairs(answer.result.sections) do
    for _, fact in ipairs(section.facts) do
      local why = fact.why ~= "" and (" (%s)"):format(fact.why) or ""
      MARKS[fact.health](("%s, %s: %s%s"):format(section.title, fact.name, fact.value, why))
    end
  end
end

function M.check()
  editor()
  local all = clients.all()
  installed(all[1] and all[1].root_dir or vim.fs.root(vim.fn.getcwd(), vim.lsp.config.gateline.root_markers))
  if #all == 0 then
    health.info("No server is running; one starts with the first Python file.")
  end
  vim.iter(all):each(running)
end

return M
