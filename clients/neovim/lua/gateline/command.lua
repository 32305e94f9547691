--- `:Gateline`: its subcommands and their completion.

local say = require("gateline.say")

local M = {}

local LEVELS = { "early", "middle", "final" }
local TESTS = { "affected", "all", "cancel" }

---@class gateline.Subcommand
---@field run fun(arguments: string[])
---@field complete? fun(words: string[], lead: string): string[] what may follow
---@field repeats? boolean whether it may follow several times

--- The codes of gateline's findings in the current buffer.
local function codes_here()
  local client = require("gateline.client").of()
  if not client then
    return {}
  end
  local namespace = vim.lsp.diagnostic.get_namespace(client.id)
  local seen = {}
  for _, finding in ipairs(vim.diagnostic.get(0, { namespace = namespace })) do
    seen[finding.code] = true
  end
  local codes = vim.tbl_keys(seen)
  table.sort(codes)
  return codes
end

---@type table<string, gateline.Subcommand>
local SUBCOMMANDS = {
  check = {
    run = function(arguments)
      local level = arguments[1] or "final"
      if not vim.list_contains(LEVELS, level) then
        return say.error(("no checkpoint %q; there are %s"):format(level, table.concat(LEVELS, ", ")))
      end
      require("gateline.panel").open(level)
    end,
    complete = function()
      return LEVELS
    end,
  },
  panel = {
    run = function()
      require("gateline.panel").open()
    end,
  },
  compare = {
    run = function(arguments)
      require("gateline.compare").run(arguments)
    end,
    complete = function()
      return require("gateline.compare").branches()
    end,
    repeats = true,
  },
  context = {
    run = function(arguments)
      local context = require("gateline.context")
      if #arguments > 0 then
        context.search(table.concat(arguments, " "))
      else
        context.here()
      end
    end,
  },
  explain = {
    run = function(arguments)
      require("gateline.explain").run(arguments[1])
    end,
    complete = codes_here,
  },
  ignore = {
    run = function(arguments)
      require("gateline.ignore").run(table.concat(arguments, " "))
    end,
  },
  recall = {
    run = function(arguments)
      require("gateline.recall").run(table.concat(arguments, " "))
    end,
  },
  refine = {
    run = function(arguments)
      require("gateline.refine").run(arguments)
    end,
    complete = function(words, lead)
      return require("gateline.refine").complete(words, lead)
    end,
    repeats = true,
  },
  restart = {
    run = function()
      require("gateline.life").restart()
    end,
  },
  log = {
    run = function()
      vim.cmd.tabedit(vim.fn.fnameescape(vim.lsp.log.get_filename()))
      vim.cmd.normal({ "G", bang = true })
    end,
  },
  signs = {
    run = function()
      local signs = require("gateline.signs")
      if signs.shown() then
        signs.hide()
      else
        signs.show()
      end
    end,
  },
  tasks = {
    run = function()
      require("gateline.tasks").list()
    end,
  },
  restore = {
    run = function()
      require("gateline.tasks").restore()
    end,
  },
  tests = {
    run = function(arguments)
      local what = arguments[1] or "affected"
      if not vim.list_contains(TESTS, what) then
        return say.error(("no tests %q; there are %s"):format(what, table.concat(TESTS, ", ")))
      end
      if what == "cancel" then
        require("gateline.tests").cancel()
      else
        require("gateline.tests").run(what)
      end
    end,
    complete = function()
      return TESTS
    end,
  },
  trust = {
    run = function()
      local root = vim.fs.root(0, vim.lsp.config.gateline.root_markers)
      if not root then
        return say.warning("this buffer belongs to no project")
      end
      if require("gateline.trust").ask(root) then
        require("gateline.life").restart()
      end
    end,
  },
}

local function names()
  local found = vim.tbl_keys(SUBCOMMANDS)
  table.sort(found)
  return found
end

--- Run a subcommand; without one, the panel.
---@param words string[]
function M.run(words)
  local name = words[1] or "panel"
  local subcommand = SUBCOMMANDS[name]
  if not subcommand then
    return say.error(("no subcommand %q; there are %s"):format(name, table.concat(names(), ", ")))
  end
  subcommand.run(vim.list_slice(words, 2))
end

--- Completion for the command line.
---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local words = vim.split(vim.trim(line:gsub("^.-Gateline!?", "", 1)), "%s+", { trimempty = true })
  if lead ~= "" then
    table.remove(words)
  end
  local candidates = {}
  if #words == 0 then
    candidates = names()
  else
    local subcommand = SUBCOMMANDS[words[1]]
    if subcommand and subcommand.complete and (#words == 1 or subcommand.repeats) then
      candidates = subcommand.complete(words, lead)
    end
  end
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead)
  end, candidates)
end

return M
