-- Opening runs nothing, one question is asked, and then a failing test says why in its own words.
local t = require("harness")

local canary = vim.fs.joinpath(vim.env.HOME, "canary")
local function write(name, ...)
  vim.fn.writefile({ ... }, vim.fs.joinpath(vim.env.PROJECT, name))
end

write("label.py", '"""Labels."""', "", "", "def label(count):", '    """For people."""', '    return "items: " + str(count)')
write("test_label.py", '"""Tests."""', "", "import pytest", "from label import label", "", "", "def test_label():", '    assert label(3) == "items: 3"')
for _, arguments in ipairs({ { "add", "--all" }, { "-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "--quiet", "--message", "Labels" } }) do
  assert(vim.system(vim.list_extend({ "git" }, arguments), { cwd = vim.env.PROJECT }):wait().code == 0)
end
write("conftest.py", ('open(%q, "a").write(__name__)'):format(canary))

local questions = t.trusting()

local function failure()
  return t.wait("the failing test", function()
    return vim.iter(vim.diagnostic.get()):find(function(found)
      local is_test = vim.endswith(vim.api.nvim_buf_get_name(found.bufnr), "test_label.py")
      return is_test and found.code == "GTL201" and found.message:find("can only concatenate str", 1, true)
    end)
  end)
end

t.test("a module, then a test of it that imports pytest: judged in seconds, and nothing ran", function()
  local began = vim.uv.hrtime()
  t.open("label.py")
  t.open("test_label.py")
  t.judged()
  io.stdout:write(("measured: opened to judged: %.1f s\n"):format((vim.uv.hrtime() - began) / 1e9))
  t.eq(nil, vim.uv.fs_stat(canary))
  t.eq({}, questions)
end)

t.test("one question at the first save, and the failing test says why", function()
  vim.cmd.edit(vim.fs.joinpath(vim.env.PROJECT, "label.py"))
  t.type(":%s/str(count)/count/<CR>")
  local began = vim.uv.hrtime()
  vim.cmd.write()
  failure()
  io.stdout:write(("measured: saved to the failing test: %.1f s\n"):format((vim.uv.hrtime() - began) / 1e9))
  t.eq(1, #questions)
  t.has(questions[1], "-m pytest")
end)

t.test("a regression is an error at the final check", function()
  vim.cmd("Gateline check final")
  t.has(t.panel(), "final checkpoint")
  t.type("q")
  t.wait("red", function()
    return failure().severity == vim.diagnostic.severity.ERROR
  end)
  vim.cmd.edit(vim.fs.joinpath(vim.env.PROJECT, "conftest.py"))
  vim.cmd.write()
  vim.wait(4000, function()
    return failure().severity ~= vim.diagnostic.severity.ERROR
  end)
  t.eq(vim.diagnostic.severity.ERROR, failure().severity)
  t.eq("final", require("gateline").details().checkpoint)
  vim.cmd.edit(vim.fs.joinpath(vim.env.PROJECT, "label.py"))
end)

t.test("the answer is remembered", function()
  local old = t.client()
  vim.cmd("Gateline restart")
  t.wait("another server", function()
    return t.client() and t.client().id ~= old.id and t.client().initialized
  end)
  t.type("Go<Esc>")
  vim.cmd.write()
  failure()
  t.eq(1, #questions)
end)

t.run()
