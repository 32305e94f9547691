--- An evaluation as lines of text, with what is highlighted and where each line leads.

local M = {}

local BAR = 10 -- characters of a full bar
local RANKS = { floor = 1, counts = 2, advice = 3 }
local GROUPS = { PASS = "GatelinePass", WARN = "GatelineWarn", FAIL = "GatelineFail" }

---@class gateline.Target
---@field path string relative to the folder
---@field line integer zero-based
---@field column integer zero-based, in code points

---@class gateline.Report
---@field lines string[]
---@field marks { line: integer, from: integer, to: integer, group: string }[] zero-based, in bytes
---@field targets table<integer, gateline.Target> by line, from 1

---@class gateline.Writer : gateline.Report
local Writer = {}
Writer.__index = Writer

--- Add a line made of pieces: texts, or pairs of a text and its highlight group.
---@param pieces (string|[string, string])[]
---@param target? gateline.Target
function Writer:add(pieces, target)
  local text = ""
  for _, piece in ipairs(pieces) do
    local part = type(piece) == "table" and piece[1] or piece --[[@as string]]
    part = part:gsub("[\r\n]+", " ")
    if type(piece) == "table" then
      table.insert(self.marks, { line = #self.lines, from = #text, to = #text + #part, group = piece[2] })
    end
    text = text .. part
  end
  table.insert(self.lines, text)
  self.targets[#self.lines] = target
end

function Writer:title(text)
  self:add({})
  self:add({ { text, "GatelineTitle" } })
end

--- A number, or a dash where JSON has null.
---@param value any
local function number(value)
  return type(value) == "number" and ("%.0f"):format(value) or "–"
end

---@param text string
---@param width integer in cells
local function pad(text, width)
  return text .. (" "):rep(width - vim.api.nvim_strwidth(text))
end

local function bar(value)
  local full = math.floor(value / 100 * BAR + 0.5)
  return ("█"):rep(full) .. ("░"):rep(BAR - full)
end

local function change(part)
  local before = type(part.before) == "number" and number(part.before) .. " → " or ""
  return pad(before .. number(part.value), 11)
end

local WAYS = {
  ["negative trajectory"] = "GatelineFail",
  ["slight degradation"] = "GatelineWarn",
  ["excellent progress"] = "GatelinePass",
}

--- How the score moved since early, and what that advises: nothing where it went as most changes do.
---@param report gateline.Writer
---@param moved any
local function trajectory(report, moved)
  local group = type(moved) == "table" and WAYS[moved.name]
  if not group then
    return
  end
  local way = moved.delta < 0 and "lost" or "gained"
  local told = ("%s: %.1f points %s from early to middle"):format(moved.name, math.abs(moved.delta), way)
  local advice = table.concat(moved.advice or {}, ", ")
  report:add({ { advice == "" and told or ("%s; %s"):format(told, advice), group } })
end

---@param report gateline.Writer
local function head(report, evaluation)
  local score, decision = evaluation.score, evaluation.decision
  report:add({
    { "GL " .. number(score.value), GROUPS[decision.status] or "GatelineDim" },
    "  ",
    { decision.outcome, GROUPS[decision.status] or "GatelineDim" },
    {
      ("  %s checkpoint, evidence %s %%"):format(evaluation.level, number(score.evidence * 100)),
      "GatelineDim",
    },
  })
  report:add({ { "against " .. evaluation.baseLabel, "GatelineDim" } })
  for _, floor in ipairs(score.floors or {}) do
    report:add({ { "floor: " .. floor, "GatelineFail" } })
  end
  for _, cap in ipairs(score.caps or {}) do
    report:add({ { "integrity: " .. cap, "GatelineWarn" } })
  end
  for _, reason in ipairs(decision.reasons or {}) do
    report:add({ reason })
  end
  trajectory(report, evaluation.trajectory)
end

---@param report gateline.Writer
local function breakdown(report, evaluation)
  report:title("Score")
  for _, part in ipairs(evaluation.score.parts or {}) do
    local name = pad(part.dimension, 15)
    if type(part.value) == "number" then
      local share = ("%5.1f points of %s"):format(part.points, number(part.weight * 100))
      report:add({
        name,
        { bar(part.value), "GatelineBar" },
        "  ",
        change(part),
        share,
        { "  " .. part.detail, "GatelineDim" },
      })
    elseif part.reason ~= "" then
      report:add({ name, { part.state .. ": " .. part.reason, "GatelineDim" } })
    else
      report:add({ name, { part.state, "GatelineDim" } })
    end
  end
end

--- Which tests spoke of the change, and why these.
---@param report gateline.Writer
local function tests(report, evaluation)
  local run = evaluation.tests
  if type(run) ~= "table" then
    return
  end
  local affected = run.which == "affected"
  if type(run.reason) == "string" and run.reason ~= "" then
    local none = run.state == "nothing to judge"
    report:add({ { "tests: " .. run.reason, none and "GatelineDim" or "GatelineWarn" } })
    if run.nextStep ~= "" then
      report:add({ { "next step: " .. run.nextStep, "GatelineDim" } })
    end
    return
  end
  local text = ("%d of %d tests %s"):format(run.run, run.total, affected and "affected" or "run")
  if affected and #run.why > 0 then
    text = text .. ": " .. table.concat(run.why, ", ")
  end
  report:add({ { text, "GatelineDim" } })
  if run.note ~= "" then
    report:add({ { run.note, "GatelineDim" } })
  end
end

--- The findings that the change answers for, those that win most first.
local function sorted(evaluation)
  local shown = vim.tbl_filter(function(finding)
    return finding.novelty == "new" or finding.points > 0
  end, evaluation.findings or {})
  local function key(finding)
    local start = finding.span.start
    return {
      -finding.points,
      RANKS[finding.weight] or 9,
      finding.path,
      start.line,
      start.column,
    }
  end
  table.sort(shown, function(a, b)
    local left, right = key(a), key(b)
    for i = 1, #left do
      if left[i] ~= right[i] then
        return left[i] < right[i]
      end
    end
    return a.identity < b.identity
  end)
  return shown
end

---@param report gateline.Writer
local function findings(report, evaluation)
  local shown = sorted(evaluation)
  report:title(("Findings (%d)"):format(#shown))
  for _, finding in ipairs(shown) do
    local start, won = finding.span.start, finding.points
    local place = ("%s:%d"):format(finding.path, start.line + 1)
    report:add({
      { pad(won > 0 and ("+%.1f"):format(won) or "", 7), "GatelinePass" },
      { finding.code, finding.weight == "floor" and "GatelineFail" or "GatelineWarn" },
      " ",
      { place, "GatelinePlace" },
      " " .. finding.message,
    }, { path = finding.path, line = start.line, column = start.column })
  end
  local old = #(evaluation.findings or {}) - #shown
  if old > 0 then
    report:add({ { ("%d of the base are not listed"):format(old), "GatelineDim" } })
  end
end

---@param report gateline.Writer
local function rest(report, evaluation)
  if #(evaluation.fixed or {}) > 0 then
    report:add({ { ("%d of the base went away"):format(#evaluation.fixed), "GatelinePass" } })
  end
  if (evaluation.suppressionsAdded or 0) > 0 then
    report:add({ { ("%d suppressions added"):format(evaluation.suppressionsAdded), "GatelineWarn" } })
  end
  local reasons = evaluation.decision.reasons or {}
  local limits = vim.tbl_filter(function(limit)
    return not vim.list_contains(reasons, limit)
  end, evaluation.limits or {})
  if #limits > 0 then
    report:title("Not judged")
    vim.iter(limits):each(function(limit)
      report:add({ limit })
    end)
  end
end

--- The report of an evaluation as it came over the wire.
---@param evaluation table
---@return gateline.Report
function M.of(evaluation)
  local report = setmetatable({ lines = {}, marks = {}, targets = {} }, Writer)
  head(report, evaluation)
  breakdown(report, evaluation)
  tests(report, evaluation)
  findings(report, evaluation)
  rest(report, evaluation)
  return report
end

return M
