-- From a key to the finding on the screen, and how much of that is not the server.
local t = require("harness")

local KEYS, WARMING = 60, 10
local TARGET = 10 -- milliseconds that the editor's side may add to half of the keys
local BUSY = 5 -- a machine that does other things at the same time may take so many times as long
local here = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h")
local stamps = vim.fs.joinpath(vim.env.HOME, "stamps.jsonl")
local server = vim.fn.exepath("gateline")

vim.lsp.config("gateline", {
  cmd = { vim.env.PYTHON, vim.fs.joinpath(vim.fs.dirname(here), "stamps.py"), stamps, server, "server" },
})
vim.lsp.enable("gateline")

--- Press a key that makes or fixes a syntax error; nanoseconds until that shows, and the text's version.
local function press(key, broken)
  local shown
  local bufnr = vim.api.nvim_get_current_buf()
  local id = vim.api.nvim_create_autocmd("DiagnosticChanged", {
    callback = function()
      if not shown and (t.codes().GTL101 ~= nil) == broken then
        shown = vim.uv.hrtime()
      end
    end,
  })
  local pressed = vim.uv.hrtime()
  vim.api.nvim_input(key)
  t.wait("the screen to follow", function()
    return shown
  end)
  vim.api.nvim_del_autocmd(id)
  return { took = shown - pressed, version = vim.lsp.util.buf_versions[bufnr], broken = broken }
end

--- The server's own time for a version: from its change to the first list that says what was waited for.
--- Nil where the server said nothing of that version by itself.
local function own_time(notes, key)
  local from
  for _, note in ipairs(notes) do
    if note.version == key.version then
      if note.method == "textDocument/didChange" then
        from = note.at
      elseif from and vim.list_contains(note.codes, "GTL101") == key.broken then
        return note.at - from
      end
    end
  end
end

--- What the stamps say, by time: messages are passed on before they are written down.
local function in_order()
  local notes = vim.tbl_map(vim.json.decode, vim.fn.readfile(stamps))
  table.sort(notes, function(a, b)
    return a.at < b.at
  end)
  return notes
end

local function percentile(values, share)
  table.sort(values)
  return values[math.ceil(#values * share)]
end

local keys = {}

t.test("a syntax error is made and fixed by single keys", function()
  t.open("cart.py")
  t.judged()
  vim.fn.search(":$")
  for i = 1, KEYS / 2 do
    for _, key in ipairs({ press("x", true), press("p", false) }) do
      if i > WARMING / 2 then
        table.insert(keys, key)
      end
    end
  end
end)

t.test("the editor's side adds little to the server's own time", function()
  local notes = t.wait("the notes of the last key", function()
    local read = in_order()
    return own_time(read, keys[#keys]) and read
  end)
  local all, own, added, unanswered = {}, {}, {}, {}
  for _, key in ipairs(keys) do
    local mine = own_time(notes, key)
    if mine then
      table.insert(all, key.took / 1e6)
      table.insert(own, mine / 1e6)
      table.insert(added, (key.took - mine) / 1e6)
    else
      table.insert(unanswered, key.version)
    end
  end
  assert(#unanswered == 0, "no answer for versions " .. table.concat(unanswered, ", "))
  for name, values in vim.spairs({ ["key to screen"] = all, ["server alone"] = own, ["added"] = added }) do
    local half, most = percentile(values, 0.5), percentile(values, 0.95)
    io.stdout:write(("%-13s p50 %6.2f ms, p95 %6.2f ms, %d keys\n"):format(name, half, most, #values))
  end
  io.stdout:write(("added p50: %.2f ms; wanted: at most %d ms on a quiet machine\n"):format(percentile(added, 0.5), TARGET))
  assert(percentile(added, 0.5) <= BUSY * TARGET, "the editor's side is too slow")
end)

t.run()
