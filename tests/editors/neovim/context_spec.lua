-- `:Gateline context`: words into the quickfix list, the place of the cursor into a float.
local t = require("harness")

vim.lsp.enable("gateline")

t.test("without a server the command says what to do", function()
  vim.cmd("Gateline context total of a cart")
  t.message("vim.lsp.enable")
end)

t.test("words fill the quickfix list, unsaved text too", function()
  t.open("cart.py")
  t.type("Godef ship_parcel(address):<CR>return address<Esc>")
  local asked = 0
  t.wait("a list with the new function", function()
    -- Within two seconds there is an answer; on a slow machine the first is that files are still being read.
    if vim.bo.buftype ~= "quickfix" and vim.uv.now() > asked + 3000 then
      asked = vim.uv.now()
      vim.cmd("Gateline context ship the parcel")
    end
    return vim.iter(vim.fn.getqflist()):any(function(item)
      return vim.startswith(item.text, "ship_parcel: ")
    end)
  end)
  t.has(vim.fn.getqflist({ title = true }).title, "gateline: ship the parcel")
  local first = vim.fn.getqflist()[1]
  t.has(vim.api.nvim_buf_get_name(first.bufnr), "cart.py")
  t.eq("ship_parcel", first.text:match("^[%w_]+"))
  vim.cmd("cclose")
end)

t.test("the place of the cursor is shown in a float, as Markdown", function()
  vim.fn.search("def ship_parcel")
  vim.cmd("Gateline context")
  local text = t.wait("a float", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), "\n")
      end
    end
  end)
  t.has(text, "ship_parcel")
  t.has(text, "return address")
end)

t.run()
