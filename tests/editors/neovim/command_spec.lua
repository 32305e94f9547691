-- `:Gateline`: completion, the panel and the way to the code, explanations, suppressions.
local t = require("harness")

vim.lsp.enable("gateline")

local function completions(line)
  return vim.fn.getcompletion("Gateline " .. line, "cmdline")
end

local function row_of(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    if line:find(text, 1, true) then
      return number
    end
  end
  error("no line with " .. text)
end

t.test("without a server every subcommand says what to do", function()
  vim.cmd("Gateline panel")
  t.message("vim.lsp.enable")
  vim.cmd("Gateline nonsense")
  t.message('no subcommand "nonsense"')
  vim.cmd("Gateline check tomorrow")
  t.message('no checkpoint "tomorrow"')
end)

t.test("completion", function()
  t.eq({ "check", "compare", "context", "explain", "ignore", "log", "panel", "recall", "refine", "restart", "restore", "signs", "tasks", "tests", "trust" }, completions(""))
  t.eq({ "panel" }, completions("pa"))
  t.eq({ "early", "middle", "final" }, completions("check "))
  t.eq({ "middle" }, completions("check m"))
  t.eq({}, completions("check final "))
  t.eq({}, completions("nonsense "))
  t.eq({ "--plan", "--agent" }, completions("refine "))
  t.eq({ "--plan" }, completions("refine --p"))
  local cart = vim.fs.joinpath(vim.env.PROJECT, "cart.py")
  t.eq({ cart }, completions("refine --plan " .. cart:sub(1, -4)))
end)

t.test("a change with findings", function()
  t.open("cart.py")
  t.type(
    'GoCOUNT: int = "two"<CR>PASS = "ghp_Q8m2Zx7Lr4Tn9Vb1Kc6Hd3Wf5Jg0Ys8Pu2Ra"<CR>wide = "😀😀" + nothing<Esc>'
  )
  t.wait("both type errors", function()
    return t.codes().GTL110 == 2
  end)
  t.shown("GTL310")
  t.eq({ "GTL110", "GTL310" }, completions("explain "))
end)

t.test("check shows score, breakdown, decision and findings in a float", function()
  local before, progress = vim.api.nvim_get_current_buf(), {}
  vim.api.nvim_create_autocmd("LspProgress", {
    callback = function(event)
      table.insert(progress, event.data.params.value.kind)
    end,
  })
  vim.cmd("Gateline check final")
  t.eq(before, vim.api.nvim_get_current_buf())
  local text = t.panel()
  t.eq("editor", vim.api.nvim_win_get_config(0).relative)
  t.has(text, "GL ")
  t.has(text, "final checkpoint")
  t.has(text, "errors")
  t.has(text, "→ ")
  t.has(text, "GTL110 cart.py:7")
  t.has(text, "GTL310 cart.py:8")
  t.has(text, "no data")
  t.eq({ "begin", "end" }, { progress[1], progress[#progress] })
end)

t.test("the panel leads to the code and is gone then", function()
  vim.api.nvim_win_set_cursor(0, { row_of("GTL110"), 0 })
  t.type("<CR>")
  t.eq("cart.py", vim.fs.basename(vim.api.nvim_buf_get_name(0)))
  t.eq({ 7, 13 }, vim.api.nvim_win_get_cursor(0))
  t.eq(1, #vim.api.nvim_list_wins())
end)

t.test("also behind wide characters", function()
  vim.cmd("Gateline")
  t.panel()
  vim.api.nvim_win_set_cursor(0, { row_of("cart.py:9"), 0 })
  t.type("<CR>")
  t.eq({ 9, 20 }, vim.api.nvim_win_get_cursor(0))
end)

t.test("a line that leads nowhere does nothing, q closes", function()
  vim.cmd("Gateline")
  t.panel()
  t.type("gg<CR>")
  t.eq("gateline", vim.bo.filetype)
  t.type("q")
  t.eq("python", vim.bo.filetype)
end)

t.test("the newest verdict replaces the panel", function()
  vim.cmd("Gateline check early")
  t.has(t.panel(), "early checkpoint")
  local first = vim.api.nvim_get_current_buf()
  t.type("r")
  t.wait("another panel", function()
    return vim.bo.filetype == "gateline" and vim.api.nvim_get_current_buf() ~= first
  end)
  t.eq(2, #vim.api.nvim_list_wins())
  t.type("<Esc>")
  t.eq(1, #vim.api.nvim_list_wins())
end)

t.test("a server that says no is reported", function()
  require("gateline.client").ask(
    t.client(),
    { method = "gateline/checkpoint/evaluate", params = { level = "tomorrow" }, bufnr = 0, timeout = 5000 },
    function(problem)
      table.insert(t.messages, "answered: " .. tostring(problem))
    end
  )
  t.message("answered: level")
end)

t.test("a server that does not answer is not waited for", function()
  local client, answers = t.client(), 0
  local params = { scope = "change", level = "final" }
  require("gateline.client").ask(
    client,
    { method = "gateline/checkpoint/evaluate", params = params, bufnr = 0, timeout = 1 },
    function(problem)
      answers = answers + 1
      table.insert(t.messages, problem or "in time")
    end
  )
  t.message("no answer within 0.001 s")
  t.wait("the request to be taken back", function()
    return next(client.requests) == nil
  end)
  t.eq(1, answers)
end)

local function float()
  return t.wait("an explanation", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
        vim.api.nvim_win_close(window, true)
        return table.concat(lines, "\n")
      end
    end
  end)
end

t.test("explain tells of the finding, then of its kind", function()
  vim.api.nvim_win_set_cursor(0, { 7, 0 })
  vim.cmd("Gateline explain")
  local text = float()
  t.has(text, "mypy: assignment")
  t.has(text, "type error")
  vim.cmd("Gateline explain GTL301")
  t.has(float(), "insecure code")
  vim.cmd("Gateline explain GTL999")
  t.message("no explanation")
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  vim.cmd("Gateline explain")
  t.message("no finding on this line")
end)

t.test("ignore writes the reason down, and the finding goes", function()
  vim.api.nvim_win_set_cursor(0, { 7, 0 })
  vim.cmd("Gateline ignore counted in words")
  t.eq('COUNT: int = "two"  # gateline: ignore[GTL110] counted in words', vim.api.nvim_get_current_line())
  t.wait("one of two type errors, and word of the comment", function()
    return t.codes().GTL110 == 1 and t.codes().GTL621 == 1
  end)
  t.type("u")
  t.wait("both type errors, and no comment", function()
    return t.codes().GTL110 == 2 and t.codes().GTL621 == nil
  end)
end)

t.test("ignore asks for a reason, and takes none for a no", function()
  vim.ui.input = function(options, answer)
    t.has(options.prompt, "GTL110")
    answer("")
  end
  vim.api.nvim_win_set_cursor(0, { 7, 0 })
  vim.cmd("Gateline ignore")
  t.message("a reason is needed")
  t.eq('COUNT: int = "two"', vim.api.nvim_get_current_line())
end)

t.test("the code action does the same, for one of two findings", function()
  local asked
  vim.ui.input = function(options, answer)
    asked = options.prompt
    answer("words count, too")
  end
  vim.api.nvim_win_set_cursor(0, { 7, 0 })
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.title == "Ignore GTL110 here…"
    end,
  })
  t.wait("the comment", function()
    return vim.api.nvim_get_current_line()
      == 'COUNT: int = "two"  # gateline: ignore[GTL110] words count, too'
  end)
  t.has(asked, "GTL110")
  t.wait("one of two type errors", function()
    return t.codes().GTL110 == 1
  end)
  t.type("u")
end)

t.test("a server's own actions come first, and nobody gets what was not asked for", function()
  local only
  local client = {
    server_capabilities = { codeActionProvider = true },
    commands = {},
    rpc = {
      request = function(_, _, answer)
        answer(nil, { { title = "fix" } })
        return true, 1
      end,
    },
  }
  require("gateline.actions").offer(client)
  local found = {
    { source = "gateline", code = "GTL110", data = { ignorable = true } },
    { source = "gateline", code = "GTL621", data = { ignorable = false } },
    { source = "gateline", code = "GTL902" },
    { source = "ruff" },
  }
  for _, kinds in ipairs({ { "quickfix" }, { "source" } }) do
    local params = { context = { only = kinds, diagnostics = found } }
    client.rpc.request("textDocument/codeAction", params, function(_, actions)
      only = vim.tbl_map(function(action)
        return action.title
      end, actions)
    end)
    t.eq(kinds[1] == "quickfix" and { "fix", "Ignore GTL110 here…" } or { "fix" }, only)
  end
end)

t.test("what is about a comment is not ignored by another comment", function()
  t.type("Gox = 1  # gateline: ignore[GTL110]<Esc>")
  t.shown("GTL901")
  t.shown("GTL621")
  vim.cmd("Gateline ignore because")
  t.message("cannot be ignored")
  t.eq("x = 1  # gateline: ignore[GTL110]", vim.api.nvim_get_current_line())
end)

t.test("the code action is not offered for it either", function()
  local offered
  vim.lsp.buf.code_action({
    filter = function(action)
      offered = action.title
      return false
    end,
  })
  t.wait("no action", function()
    return vim.iter(t.messages):find("No code actions available")
  end)
  t.eq(nil, offered)
end)

t.test("the log opens", function()
  vim.cmd("Gateline log")
  t.has(vim.api.nvim_buf_get_name(0), "lsp.log")
  vim.cmd("tabclose")
end)

t.run()
