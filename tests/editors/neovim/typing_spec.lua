-- Findings come and go with what is typed; the status follows.
local t = require("harness")

vim.lsp.enable("gateline")

t.test("the server starts without a setting", function()
  local client = t.open("cart.py")
  t.eq(vim.uv.fs_realpath(vim.env.PROJECT), client.root_dir)
  t.eq("utf-8", client.offset_encoding)
end)

t.test("an unchanged project shows nothing loud", function()
  t.wait("the status", function()
    return require("gateline").status() == "GL –"
  end)
  t.eq({}, t.codes())
end)

t.test("a syntax error comes and goes while one types", function()
  t.type("Godef (<Esc>")
  t.shown("GTL101")
  t.type("dd")
  t.gone("GTL101")
end)

t.test("a type error comes before the file is saved, and goes", function()
  t.type('GoCOUNT: int = "two"<Esc>')
  t.shown("GTL110")
  t.eq(true, vim.bo.modified)
end)

t.test("columns are right behind wide characters", function()
  t.type('Gowide = "😀😀" + nothing<Esc>')
  t.wait("the finding on the whole word", function()
    local line = vim.api.nvim_buf_get_lines(0, -2, -1, false)[1]
    return vim.iter(vim.diagnostic.get(0, { lnum = vim.fn.line("$") - 1 })):find(function(d)
      return line:sub(d.col + 1, d.end_col) == "nothing"
    end)
  end)
  t.type("dd")
end)

t.test("the status follows", function()
  local events = {}
  vim.api.nvim_create_autocmd("User", {
    pattern = "GatelineStatus",
    callback = function(event)
      table.insert(events, event.data.label)
    end,
  })
  t.type("Godef broken(:<Esc>")
  t.wait("working", function()
    return vim.iter(events):any(function(label)
      return vim.endswith(label, "…")
    end)
  end)
  t.wait("a score", function()
    return events[#events]:find("^GL %d")
  end)
  local drawn = vim.api.nvim_eval_statusline("%{v:lua.require'gateline'.status()}", {})
  t.wait("the status line", function()
    return vim.api.nvim_eval_statusline("%{v:lua.require'gateline'.status()}", {}).str:find("^GL %d")
  end)
  t.eq(true, drawn.width > 0)
  t.type("dd")
end)

t.test("findings are in the client's own namespace", function()
  t.shown("GTL110")
  local all, own = vim.diagnostic.get(0), vim.lsp.diagnostic.get_namespace(t.client().id)
  for _, finding in ipairs(all) do
    t.eq(own, finding.namespace)
    t.eq("gateline", finding.source)
  end
end)

t.test("undone, everything is gone", function()
  t.type("1000u")
  t.wait("no findings", function()
    return vim.tbl_isempty(t.codes())
  end)
  t.wait("the status", function()
    return require("gateline").status() == "GL –"
  end)
end)

t.test("the command is known before it is used, and nothing is mapped", function()
  t.eq(2, vim.fn.exists(":Gateline"))
  for _, map in ipairs(vim.api.nvim_get_keymap("")) do
    t.eq(nil, (map.desc or ""):lower():find("gateline"))
  end
end)

t.run()
