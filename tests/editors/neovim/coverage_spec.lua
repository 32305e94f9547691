-- Tests on unsaved text once the person agreed, and signs beside the changed lines.
local t = require("harness")

local SHOP = vim.env.PROJECT
vim.fn.writefile({
  "import cart",
  "",
  "",
  "def test_total():",
  "    assert cart.total([1, 2]) == 3",
}, vim.fs.joinpath(SHOP, "test_cart.py"))

local questions = t.trusting()

--- The signs of the buffer, by line counted from 1.
local function signs()
  local namespace = vim.api.nvim_get_namespaces()["gateline.coverage"]
  local found = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
    found[mark[2] + 1] = mark[4].sign_hl_group
  end
  return found
end

t.test("tests run on the unsaved text, once the person agreed", function()
  t.open("cart.py")
  t.type("/return<CR>Oif not prices:<CR>return 0<Esc>")
  t.judged()
  vim.cmd("Gateline tests")
  t.message("1 of 1 tests ran")
  t.eq(1, #questions)
  t.has(questions[1], "-m pytest")
  t.eq({}, require("gateline.signs").shown() and signs() or {})
end)

t.test("signs are shown when they are asked for", function()
  vim.cmd("Gateline signs")
  t.wait("signs", function()
    return vim.deep_equal(signs(), { [6] = "GatelinePartial", [7] = "GatelineUncovered" })
  end)
end)

t.test("an edit takes them away until it is known what still holds", function()
  t.type("ggO# a comment<Esc>")
  t.wait("signs that moved", function()
    return vim.deep_equal(signs(), { [7] = "GatelinePartial", [8] = "GatelineUncovered" })
  end)
end)

t.test("they can be switched off, and nothing is cancelled when nothing runs", function()
  vim.cmd("Gateline signs")
  t.eq({}, signs())
  vim.cmd("Gateline tests cancel")
  t.message("no tests are being run")
end)

t.run()
