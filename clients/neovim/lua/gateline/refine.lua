--- Refinement loops in a buffer: a line for each round, and keys to steer them.

local clients = require("gateline.client")
local listing = require("gateline.listing")
local say = require("gateline.say")
local taking = require("gateline.taking")

local M = {}

local PATIENCE = 120000 -- milliseconds: a loop begins with a savepoint, and ends with its agents
local NAME = "gateline://refine"
local here = clients.folder
local NAMESPACE = vim.api.nvim_create_namespace("gateline.refine")
local KEYS = "<CR> changes · t take over · p pause or go on · x cancel · r look again · q close"
local GROUPS = { accept = "GatelinePass", running = "GatelineBar", pausing = "GatelineWarn", paused = "GatelineWarn" }

---@class gateline.LoopLine
---@field loop table as it came over the wire
---@field round integer 0: the whole loop

---@type table[] newest first
local loops = {}
--- Why others, which are stored, cannot be read.
---@type string[]
local troubles = {}
---@type table<integer, gateline.LoopLine> by line, from 1
local lines_of = {}

local function counted(count, noun)
  return ("%d %s%s"):format(count, noun, count == 1 and "" or "s")
end

---@param round table
local function round_line(round, loop)
  local who = round.strategy ~= "" and ("%s %s"):format(round.agent, round.strategy) or round.agent
  local parts = { ("quality %.2f"):format(round.quality), counted(#round.failing, "failing test") }
  local function add(text)
    if text ~= "" then
      table.insert(parts, text)
    end
  end
  add(round.checkpoint ~= "" and ("%s: %s"):format(round.checkpoint, round.decision) or "")
  add(round.integrity[1] and "not accepted: " .. round.integrity[1] or "")
  add(round.trouble ~= "" and "trouble: " .. round.trouble or "")
  add(round.restored and "taken back" or loop.best == round.number and "best" or "")
  add(round.insufficient[1] and "not sufficient: " .. round.insufficient[1] or "")
  local step = round.step ~= "" and (", step %s"):format(round.step) or ""
  return ("  round %d%s  %s  %s"):format(round.number, step, who, table.concat(parts, " · "))
end

---@param loop table
local function head(loop)
  local state = loop.phase == "ended" and (loop.accepted and "accept" or loop["end"]) or loop.phase
  return ("%s  %s of %d  %s"):format(state, counted(#loop.rounds, "round"), loop.most, loop.goal), state
end

local function draw()
  local bufnr = listing.buffer(NAME)
  if not bufnr then
    return
  end
  local lines, marks = { KEYS, "" }, { { 0, "GatelineDim" } }
  lines_of = {}
  local function add(text, group, loop, round)
    table.insert(lines, (text:gsub("[\r\n]+", " ")))
    table.insert(marks, { #lines - 1, group })
    lines_of[#lines] = { loop = loop, round = round }
  end
  for _, loop in ipairs(loops) do
    local text, state = head(loop)
    add(text, GROUPS[state] or "GatelineFail", loop, 0)
    for _, round in ipairs(loop.rounds) do
      add(round_line(round, loop), #round.failing == 0 and "GatelinePass" or "GatelineDim", loop, round.number)
    end
    for _, rest in ipairs(vim.list_extend({ loop.step, loop.reason, loop.trouble }, loop.troubles)) do
      if rest ~= "" then
        add("  " .. rest, "GatelineDim", loop, 0)
      end
    end
  end
  for _, trouble in ipairs(troubles) do
    table.insert(lines, (trouble:gsub("[\r\n]+", " ")))
    table.insert(marks, { #lines - 1, "GatelineFail" })
  end
  if #loops == 0 and #troubles == 0 then
    table.insert(lines, "no loops yet: `:Gateline refine make the tests pass` begins one")
  end
  listing.write(bufnr, lines)
  vim.api.nvim_buf_clear_namespace(bufnr, NAMESPACE, 0, -1)
  for _, mark in ipairs(marks) do
    vim.api.nvim_buf_set_extmark(bufnr, NAMESPACE, mark[1], 0, { end_col = #lines[mark[1] + 1], hl_group = mark[2] })
  end
end

--- A loop stands otherwise than before.
---@param loop table
function M.progress(loop)
  for at, known in ipairs(loops) do
    if known.loop == loop.loop then
      loops[at] = loop
      return draw()
    end
  end
  table.insert(loops, 1, loop)
  draw()
end

---@param client vim.lsp.Client
---@param what string
---@param params table
---@param answer fun(result: any)
local function ask(client, what, params, answer)
  local question = { method = "gateline/refine/" .. what, params = params, bufnr = 0, timeout = PATIENCE }
  clients.told(client, question, answer)
end

---@param client vim.lsp.Client
local function list(client)
  ask(client, "status", { uri = here(client) }, function(result)
    loops, troubles = result.loops, result.troubles
    draw()
  end)
end

---@param client vim.lsp.Client
---@param loop table
---@param round integer
local function show_changes(client, loop, round)
  ask(client, "diff", { uri = loop.folder, loop = loop.loop, round = round }, function(result)
    if #result.files == 0 then
      return say.info("nothing differs")
    end
    taking.show(result.diff)
  end)
end

---@param client vim.lsp.Client
---@param loop table
---@param round integer
local function take_over(client, loop, round)
  local goes_on = loop.phase == "running" or loop.phase == "pausing"
  if goes_on and vim.fn.confirm("This ends the loop; the round under way is lost.", "&End and take over\n&No", 2) ~= 1 then
    return
  end
  local params = { uri = loop.folder, loop = loop.loop, round = round, dirty = require("gateline.tasks").dirty() }
  ask(client, "takeOver", params, function(result)
    M.progress(result.loop)
    taking.told(result.written)
  end)
end

---@param client vim.lsp.Client
---@param loop table
local function steer(client, loop, what)
  ask(client, what, { uri = loop.folder, loop = loop.loop }, M.progress)
end

---@param client vim.lsp.Client
local function map(client)
  local function key(lhs, description, run)
    listing.key(lhs, description, function()
      local line = lines_of[vim.api.nvim_win_get_cursor(0)[1]]
      if line then
        run(line.loop, line.round)
      end
    end)
  end
  key("<CR>", "Show changes", function(loop, round)
    show_changes(client, loop, round)
  end)
  key("t", "Take over", function(loop, round)
    take_over(client, loop, round)
  end)
  key("p", "Pause, or go on", function(loop)
    steer(client, loop, loop.phase == "running" and "pause" or "resume")
  end)
  key("x", "Cancel", function(loop)
    steer(client, loop, "cancel")
  end)
  listing.key("r", "Look again", function()
    list(client)
  end)
end

---@param client vim.lsp.Client
local function open(client)
  require("gateline.panel").highlight()
  if listing.open(NAME, 12, "gateline") then
    map(client)
    draw()
  end
end

--- What a loop is asked, of the words behind `:Gateline refine`; without a goal and a plan, why it begins none.
---@param arguments string[]
---@return table params
---@return string? problem
local function asked(arguments)
  local params, goal = {}, {}
  local at = 1
  while arguments[at] do
    local word, value = arguments[at], arguments[at + 1]
    if word ~= "--plan" and word ~= "--agent" then
      table.insert(goal, word)
    elseif not value then
      return params, ("%s needs %s"):format(word, word == "--plan" and "a file" or "NAME=COMMAND, or an agent")
    elseif word == "--plan" then
      -- From here, as completion has it; else from the project's root, where the server looks.
      local here_is = vim.fn.fnamemodify(value, ":p")
      params.plan = vim.uv.fs_stat(here_is) and here_is or value
    else
      params.agents = vim.list_extend(params.agents or {}, { value })
    end
    at = at + (value and (word == "--plan" or word == "--agent") and 2 or 1)
  end
  params.goal = table.concat(goal, " ")
  if params.goal == "" then
    if not params.plan then
      return params, "give a goal, or --plan FILE"
    end
    params.goal = "follow " .. vim.fs.basename(params.plan)
  end
  return params
end

--- Completion: options, and files behind `--plan`.
---@param words string[] before what is completed
---@param lead string
---@return string[]
function M.complete(words, lead)
  return words[#words] == "--plan" and vim.fn.getcompletion(lead, "file") or { "--plan", "--agent" }
end

--- Show the loops; with a goal or a plan, begin one.
---@param arguments string[]
function M.run(arguments)
  local client = clients.needed()
  if not client then
    return
  end
  if #arguments == 0 then
    open(client)
    return list(client)
  end
  local params, problem = asked(arguments)
  if problem then
    return say.error(problem)
  end
  params.uri = here(client)
  ask(client, "start", params, function(loop)
    M.progress(loop)
    open(client)
  end)
end

return M
