--- A comparison of candidate solutions in a buffer: the answer as Markdown, and keys to look at one and take it.

local clients = require("gateline.client")
local listing = require("gateline.listing")
local say = require("gateline.say")
local taking = require("gateline.taking")

local M = {}

local PATIENCE = 120000 -- milliseconds
local NAME = "gateline://compare"
local KEYS = "<CR> changes · a accept · r reject all · x cancel · q close"

---@type table? the newest comparison, as it came over the wire
local newest
--- Ends the comparison that is under way.
---@type fun()?
local cancel
local under_way = ""
---@type table<integer, string> candidates by line, from 1
local lines_of = {}

--- Which candidate each line is of: the rows of the first table, then what is told of each.
---@param lines string[]
---@param rows table[]
local function candidates_by_line(lines, rows)
  local found, row, told, table_over = {}, 0, 0, false
  for at, line in ipairs(lines) do
    if vim.startswith(line, "**") then
      told = told + 1
    elseif vim.startswith(line, "| better") then
      table_over, told = true, 0
    elseif told == 0 and not table_over and line:match("^| %d") then
      row = row + 1
      found[at] = rows[row] and rows[row].name
    end
    if told > 0 then
      found[at] = rows[told] and rows[told].name
    end
  end
  return found
end

---@param lines string[]
local function draw(lines)
  local bufnr = listing.buffer(NAME)
  if bufnr then
    listing.write(bufnr, vim.list_extend({ KEYS, "" }, lines))
  end
end

local function draw_newest()
  if not newest then
    return
  end
  local lines = vim.split(vim.trim(newest.markdown), "\n")
  for _, one in ipairs(newest.result.leftOut) do
    table.insert(lines, ("- left out: %s"):format((one.reason:gsub("[\r\n]+", " "))))
  end
  draw(lines)
  lines_of = candidates_by_line(vim.list_extend({ KEYS, "" }, lines), newest.result.ranking.rows)
end

---@param client vim.lsp.Client
---@param what string
---@param params table
---@param answer fun(result: any)
local function ask(client, what, params, answer)
  local question = { method = "gateline/compare/" .. what, params = params, bufnr = 0, timeout = PATIENCE }
  clients.told(client, question, answer)
end

--- The candidate under the cursor; elsewhere the person chooses one.
---@param run fun(params: table)
local function with_candidate(run)
  local compared = newest
  if not compared then
    return
  end
  local function go(name)
    if name then
      run({ uri = compared.folder, comparison = compared.comparison, candidate = name })
    end
  end
  local here = lines_of[vim.api.nvim_win_get_cursor(0)[1]]
  if here then
    return go(here)
  end
  local names = vim.tbl_map(function(row)
    return row.name
  end, compared.result.ranking.rows)
  vim.ui.select(names, { prompt = "Candidate" }, go)
end

---@param client vim.lsp.Client
local function show_changes(client)
  with_candidate(function(params)
    ask(client, "diff", params, function(result)
      taking.show(result.diff)
    end)
  end)
end

---@param client vim.lsp.Client
local function accept(client)
  with_candidate(function(params)
    params.dirty = require("gateline.tasks").dirty()
    ask(client, "accept", params, function(result)
      taking.told(result.written)
      if result.trouble ~= "" then
        say.warning(result.trouble)
      end
    end)
  end)
end

--- Record that none of the candidates is wanted.
---@param client vim.lsp.Client
local function reject(client)
  local compared = newest
  if not compared then
    return
  end
  ask(client, "reject", { uri = compared.folder, comparison = compared.comparison }, function(result)
    if result.trouble ~= "" then
      return say.warning(result.trouble)
    end
    say.info("none of the candidates is taken; that is in the audit trail")
  end)
end

---@param client vim.lsp.Client
local function open(client)
  if not listing.open(NAME, 20, "markdown") then
    return
  end
  listing.key("<CR>", "Show changes", function()
    show_changes(client)
  end)
  listing.key("a", "Accept", function()
    accept(client)
  end)
  listing.key("r", "Reject all", function()
    reject(client)
  end)
  listing.key("x", "Cancel", function()
    if cancel then
      cancel()
    end
  end)
end

---@param client vim.lsp.Client
---@param names string[]
local function compare(client, names)
  open(client)
  lines_of = {}
  under_way = ("comparing %s …"):format(table.concat(names, ", "))
  draw({ under_way })
  local over = false
  local function failed(message)
    draw(vim.split(message, "\n"))
    say.error(message)
  end
  local params = { uri = clients.folder(client), candidates = names }
  local sent, id = client:request("gateline/compare/start", params, function(problem, result)
    if over then
      return
    end
    over, cancel = true, nil
    if problem then
      return failed(problem.message)
    end
    newest = result
    draw_newest()
    if result.trouble ~= "" then
      say.warning(result.trouble)
    end
  end)
  if not sent then
    return failed("the server is gone; `:Gateline restart` starts it again")
  end
  cancel = function()
    over, cancel = true, nil
    client:cancel_request(id)
    draw({ "cancelled" })
  end
end

--- Local branches, for completion.
---@return string[]
function M.branches()
  local found = vim.system({ "git", "for-each-ref", "--format=%(refname:short)", "refs/heads" }, { text = true }):wait()
  return found.code == 0 and vim.split(vim.trim(found.stdout), "\n", { trimempty = true }) or {}
end

--- Compare candidates; without any, show the newest comparison.
---@param names string[]
function M.run(names)
  local client = clients.of() or clients.all()[1] or clients.needed()
  if not client then
    return
  end
  if cancel then
    -- Its window may be closed.
    open(client)
    draw({ under_way })
    return say.warning("a comparison is under way; `x` in its window cancels it")
  end
  if #names == 0 and newest then
    open(client)
    return draw_newest()
  end
  if #names < 2 then
    return say.error("name two to sixteen candidates: `:Gateline compare BRANCH BRANCH`, also folders and patch files")
  end
  compare(client, names)
end

return M
