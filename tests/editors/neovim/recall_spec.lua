-- `:Gateline recall`: lessons about the file of the buffer, or for words, in a float.
local t = require("harness")

vim.lsp.enable("gateline")

local function float()
  return t.wait("a float", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), "\n")
      end
    end
  end)
end

t.test("where nothing was learned, it says how to", function()
  t.open("cart.py")
  t.judged()
  vim.cmd("Gateline recall")
  t.message("nothing was learned about cart.py yet")
end)

t.test("a lesson is shown with its place and its id", function()
  local client = require("gateline.client").needed()
  local stored
  local params = {
    uri = vim.uri_from_bufnr(0),
    text = "Prices are rounded half up: the bank refuses other totals",
    anchor = { file = "cart.py" },
  }
  client:request("gateline/memory/store", params, function(_, result)
    stored = result
  end)
  t.wait("it is stored", function()
    return stored
  end)
  vim.cmd("Gateline recall")
  local text = float()
  t.has(text, "the bank refuses other totals")
  t.has(text, stored.lesson.id .. ", person, cart.py")
  vim.cmd("fclose!")
  vim.cmd("Gateline recall how are prices rounded")
  t.has(float(), "rounded half up")
end)

t.run()
