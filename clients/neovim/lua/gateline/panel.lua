--- The verdict in a floating window, from which one can go to the code.

local clients = require("gateline.client")
local say = require("gateline.say")

local M = {}

local PATIENCE = 120000 -- milliseconds a whole evaluation may take
local NAMESPACE = vim.api.nvim_create_namespace("gateline.panel")
local LINKS = {
  GatelineTitle = "Title",
  GatelinePass = "DiagnosticOk",
  GatelineWarn = "DiagnosticWarn",
  GatelineFail = "DiagnosticError",
  GatelinePlace = "Directory",
  GatelineBar = "Identifier",
  GatelineDim = "Comment",
}

---@class gateline.Panel
---@field window integer
---@field origin integer the window it was opened from
---@field client integer
---@field folder string URI
---@field level? string
---@field source integer the buffer that was judged from
---@field report gateline.Report

local asked = 0

---@param client vim.lsp.Client
---@param bufnr integer
local function folder_of(client, bufnr)
  local said = require("gateline.status").of(client.id, bufnr)
  return said and said.folder or vim.uri_from_fname(client.root_dir or vim.fn.getcwd())
end

---@param lines string[]
local function layout(lines)
  local widest = 40
  for _, line in ipairs(lines) do
    widest = math.max(widest, vim.api.nvim_strwidth(line))
  end
  local width = math.min(widest, math.max(vim.o.columns - 8, 20))
  local height = 0
  for _, line in ipairs(lines) do
    height = height + math.max(1, math.ceil(vim.api.nvim_strwidth(line) / width))
  end
  height = math.min(height, math.max(vim.o.lines - 6, 5))
  return {
    relative = "editor",
    width = width,
    height = height,
    row = math.max(math.floor((vim.o.lines - height) / 2) - 1, 0),
    col = math.max(math.floor((vim.o.columns - width) / 2), 0),
    style = "minimal",
    border = vim.o.winborder ~= "" and vim.o.winborder or "rounded",
    title = " gateline ",
    footer = " <CR> go to · r judge again · q close ",
  }
end

---@param report gateline.Report
local function fill(report)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, report.lines)
  for _, mark in ipairs(report.marks) do
    local place = { end_col = mark.to, hl_group = mark.group }
    vim.api.nvim_buf_set_extmark(bufnr, NAMESPACE, mark.line, mark.from, place)
  end
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].bufhidden = "wipe"
  vim.bo[bufnr].filetype = "gateline"
  return bufnr
end

---@param panel gateline.Panel
local function close(panel)
  if vim.api.nvim_win_is_valid(panel.window) then
    vim.api.nvim_win_close(panel.window, true)
  end
end

--- Close the panel and show the code that a line of it is about.
---@param panel gateline.Panel
local function go(panel)
  local target = panel.report.targets[vim.api.nvim_win_get_cursor(panel.window)[1]]
  if not target then
    return
  end
  close(panel)
  if vim.api.nvim_win_is_valid(panel.origin) then
    vim.api.nvim_set_current_win(panel.origin)
  end
  local file = vim.fs.joinpath(vim.uri_to_fname(panel.folder), target.path)
  local place = { line = target.line, character = target.column }
  local location = { uri = vim.uri_from_fname(file), range = { start = place, ["end"] = place } }
  -- The report counts code points.
  vim.lsp.util.show_document(location, "utf-32", { focus = true, reuse_win = true })
end

---@param panel gateline.Panel
---@param bufnr integer
local function map(panel, bufnr)
  local function key(lhs, rhs, description)
    vim.keymap.set("n", lhs, rhs, { buffer = bufnr, nowait = true, desc = description })
  end
  key("<CR>", function()
    go(panel)
  end, "Go to the code")
  key("r", function()
    close(panel)
    M.open(panel.level, panel.source)
  end, "Judge again")
  for _, lhs in ipairs({ "q", "<Esc>" }) do
    key(lhs, function()
      close(panel)
    end, "Close")
  end
end

--- The groups that the plug-in's own buffers are drawn with.
function M.highlight()
  for group, link in pairs(LINKS) do
    vim.api.nvim_set_hl(0, group, { link = link, default = true })
  end
end

---@param client vim.lsp.Client
---@param source integer
---@param level? string
---@param evaluation table
local function show(client, source, level, evaluation)
  M.highlight()
  local report = require("gateline.report").of(evaluation)
  local origin = vim.api.nvim_get_current_win()
  local bufnr = fill(report)
  local window = vim.api.nvim_open_win(bufnr, true, layout(report.lines))
  for option, value in pairs({ wrap = true, linebreak = true, breakindent = true, cursorline = true }) do
    vim.wo[window][option] = value
  end
  vim.wo[window].breakindentopt = "shift:7"
  map({
    window = window,
    origin = origin,
    client = client.id,
    folder = folder_of(client, source),
    level = level,
    source = source,
    report = report,
  }, bufnr)
  vim.api.nvim_exec_autocmds("User", { pattern = "GatelineEvaluated", modeline = false, data = evaluation })
end

--- Judge the change, and show the verdict when it is there; meanwhile one goes on working.
---@param level? string early, middle or final; nil takes what fits what was done last
---@param source? integer default: the current buffer
function M.open(level, source)
  source = source or vim.api.nvim_get_current_buf()
  local client = clients.needed(source)
  if not client then
    return
  end
  asked = asked + 1
  local params = {
    scope = "change",
    level = level,
    uri = vim.uri_from_bufnr(source),
    workDoneToken = "gateline-" .. asked,
  }
  clients.ask(
    client,
    { method = "gateline/checkpoint/evaluate", params = params, bufnr = source, timeout = PATIENCE },
    function(problem, evaluation)
      if problem then
        return say.error("not judged: " .. problem)
      end
      show(client, source, level, evaluation)
    end
  )
end

return M
