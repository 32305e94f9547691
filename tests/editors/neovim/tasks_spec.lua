-- A task begins with the change; its savepoint brings the text back, and nothing that was not recorded is lost.
local t = require("harness")

vim.lsp.enable("gateline")

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

--- What a person is given to choose from, and would see of each.
local offered
local function choose(number)
  offered = nil
  vim.ui.select = function(items, options, answer)
    offered = vim.tbl_map(options.format_item, items)
    answer(items[number])
  end
end

t.test("before the first change there is nothing", function()
  choose(1)
  t.open("cart.py")
  t.judged()
  vim.cmd("Gateline tasks")
  t.message("no task yet")
  vim.cmd("Gateline restore")
  t.message("no savepoint yet")
end)

t.test("a change begins a task, and its verdict is kept with the content", function()
  t.type('GoCOUNT: int = 2<Esc>')
  choose(1)
  t.wait("a savepoint", function()
    vim.cmd("Gateline restore")
    vim.wait(300, function()
      return offered ~= nil
    end)
    return offered
  end)
  t.has(offered[1], "early: continue")
  choose(1)
  vim.cmd("Gateline tasks")
  t.wait("the task", function()
    return offered
  end)
  t.has(offered[1], "in_progress")
  t.wait("its page", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      local shown = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), "\n")
      if shown:find("Checkpoints:", 1, true) then
        vim.api.nvim_win_close(window, true)
        return true
      end
    end
  end)
end)

t.test("going back is one undo", function()
  local good = text()
  t.type("ggdG")
  t.eq("", text())
  choose(1)
  vim.cmd("Gateline restore")
  t.message("1 file is as it was")
  t.eq(good, text())
  vim.cmd("silent undo")
  t.eq("", text())
end)

t.test("one of several files is chosen", function()
  local cart = text()
  vim.fn.writefile({ "LATER = 1" }, vim.fs.joinpath(vim.env.PROJECT, "later.py"))
  t.type("GoMORE: int = 3<Esc>")
  local with_more = text()
  local wanted = "delete  later.py"
  vim.ui.select = function(items, options, answer)
    local lines = vim.tbl_map(options.format_item, items)
    offered = lines
    local at = vim.fn.index(lines, wanted)
    answer(items[at < 0 and 1 or at + 1])
  end
  vim.cmd("Gateline restore")
  t.wait("the file to go", function()
    return not vim.uv.fs_stat(vim.fs.joinpath(vim.env.PROJECT, "later.py"))
  end)
  t.has(offered[1], "all     2 files")
  t.eq(with_more, text())
  t.eq(true, with_more ~= cart)
end)

t.run()
