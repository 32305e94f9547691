-- What is counted is drawn, once, also in files that are not open, and goes when it is fixed.
local t = require("harness")

local severity = vim.diagnostic.severity
local SHELL = {
  "",
  "",
  "def run(name: str) -> str:",
  '    """Run it."""',
  "    import subprocess",
  "",
  "    subprocess.call(name, shell=True)",
  "    return name",
}

local function path(name)
  return vim.fs.joinpath(vim.env.PROJECT, name)
end

--- Everything that is drawn louder than a hint, wherever: file, code, severity.
local function drawn()
  local rows = {}
  for _, found in ipairs(vim.diagnostic.get(nil, { severity = { min = severity.INFO } })) do
    local name = vim.fs.basename(vim.api.nvim_buf_get_name(found.bufnr))
    table.insert(rows, ("%s %s %s"):format(name, found.code, severity[found.severity]))
  end
  table.sort(rows)
  return rows
end

local function settles(expected)
  local ok = pcall(t.wait, "just that", function()
    return vim.deep_equal(drawn(), expected)
  end)
  if not ok then
    t.eq(expected, drawn())
  end
  t.judged()
  t.eq(expected, drawn())
end

vim.fn.writefile(vim.list_extend({ '"""A till."""' }, SHELL), path("till.py"))
vim.lsp.enable("gateline")

t.test("a finding of a changed file that is not open is drawn, and goes once it is fixed", function()
  t.open("cart.py")
  settles({ "till.py GTL301 WARN" })
  vim.fn.writefile({ '"""A till."""', "", "OPEN = 1" }, path("till.py"))
  vim.cmd.write()
  settles({})
end)

t.test("a half-typed line has one mark, nothing red, and the score of before stays", function()
  t.type('GoCOUNT: int = "two"<Esc>')
  settles({ "cart.py GTL110 WARN" })
  local labels = {}
  local watching = vim.api.nvim_create_autocmd("User", {
    pattern = "GatelineStatus",
    callback = function(event)
      table.insert(labels, event.data.label)
    end,
  })
  t.type("Godef half(<Esc>")
  t.wait("the lower score", function()
    return labels[#labels] and labels[#labels]:find("▼", 1, true)
  end)
  settles({ "cart.py GTL101 WARN", "cart.py GTL110 WARN" })
  for _, label in ipairs(labels) do
    t.eq("GL ", label:match("^GL %f[%d]"))
  end
  vim.api.nvim_del_autocmd(watching)
  vim.cmd("undo 0")
  settles({})
end)

t.test("a floor is an error after the final check, and the next edit takes that back", function()
  vim.api.nvim_buf_set_lines(0, -1, -1, true, SHELL)
  settles({ "cart.py GTL301 WARN" })
  vim.cmd("Gateline check final")
  t.panel()
  t.type("q")
  settles({ "cart.py GTL301 ERROR", "cart.py GTL900 ERROR" })
  t.type("GoCOUNT = 1<Esc>")
  settles({ "cart.py GTL301 WARN" })
  vim.cmd("undo 0")
  settles({})
end)

for _, order in ipairs({ { "shelf.py", "cart.py" }, { "cart.py", "shelf.py" } }) do
  t.test(order[1] .. " before " .. order[2] .. ", closed and opened again: the same is drawn", function()
    vim.cmd("silent %bwipeout!")
    vim.fn.writefile({ '"""A shelf."""', "", "from cart import total", "", "SUM: int = total([1])" }, path("shelf.py"))
    for _, name in ipairs(order) do
      t.open(name)
    end
    vim.cmd.edit(path("cart.py"))
    t.type(":%s/-> int/-> str/<CR>")
    local both = { "cart.py GTL110 WARN", "shelf.py GTL110 WARN" }
    settles(both)
    vim.cmd.buffer("shelf.py")
    vim.cmd("bwipeout! cart.py")
    settles({})
    t.open("cart.py")
    t.type(":%s/-> int/-> str/<CR>")
    settles(both)
    vim.cmd("undo 0")
    settles({})
  end)
end

t.test("a buffer without a name, a file that is renamed and one that is deleted leave nothing behind", function()
  vim.cmd.enew()
  vim.bo.filetype = "python"
  t.type("ieval(input())<Esc>")
  settles({ " GTL301 WARN", " GTL501 WARN" })
  vim.cmd("bwipeout!")
  settles({})
  t.open("cart.py")
  vim.api.nvim_buf_set_lines(0, -1, -1, true, SHELL)
  vim.cmd.write()
  settles({ "cart.py GTL301 WARN" })
  vim.cmd.saveas(path("basket.py"))
  vim.fn.delete(path("cart.py"))
  vim.cmd("bwipeout cart.py")
  settles({ "basket.py GTL301 WARN" })
  vim.fn.delete(path("basket.py"))
  vim.cmd("bwipeout! basket.py")
  t.open("shelf.py")
  vim.cmd.write()
  t.wait("nothing of what is gone", function()
    return not vim.iter(drawn()):any(function(row)
      return vim.startswith(row, "basket.py")
    end)
  end)
end)

t.run()
