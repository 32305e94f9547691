-- An error is typed, its repair is chosen by keyboard, the finding goes; one undo brings both back.
local t = require("harness")

vim.lsp.enable("gateline")

local LINE = 6
local offered

--- What a person does about the list: looks for the repair, and types its number.
local select = vim.ui.select
vim.ui.select = function(items, options, on_choice)
  offered = vim.tbl_map(options.format_item or tostring, items)
  for number, title in ipairs(offered) do
    if title:find("Change smu to sum", 1, true) or title:find("Search for a repair", 1, true) then
      -- Keys are read while the list waits for them, so they come from outside of it.
      vim.uv.new_timer():start(50, 0, function()
        vim.api.nvim_input(number .. "<CR>")
      end)
    end
  end
  return select(items, options, on_choice)
end

local function line()
  return vim.api.nvim_buf_get_lines(0, LINE - 1, LINE, true)[1]
end

t.test("a wrong name is typed", function()
  t.open("cart.py")
  t.judged()
  t.type("/sum(<CR>cwsmu<Esc>")
  t.eq("    return smu(prices)", line())
  t.shown("GTL110")
end)

t.test("its repair is chosen by keyboard, and the finding goes", function()
  t.type("gra")
  t.wait("the repair", function()
    return line() == "    return sum(prices)"
  end)
  -- On a busy machine it is not known yet, and looked for once it was chosen.
  t.eq(true, offered[1] == "Change smu to sum (verified)" or vim.startswith(offered[1], "Search for a repair"))
  t.gone("GTL110")
end)

t.test("one undo, and everything is as it was typed", function()
  t.type("u")
  t.eq("    return smu(prices)", line())
  t.shown("GTL110")
end)

t.test("all at once, by its kind", function()
  vim.lsp.buf.code_action({ apply = true, context = { only = { "source.fixAll.gateline" }, diagnostics = {} } })
  t.wait("the repair", function()
    return line() == "    return sum(prices)"
  end)
  t.gone("GTL110")
end)

t.run()
