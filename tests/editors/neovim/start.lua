-- What a person's init.lua would do: the plugin on the runtime path, and nothing else.
local here = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h")
package.path = vim.fs.joinpath(here, "?.lua") .. ";" .. package.path
-- Looking for Python providers takes seconds, and has nothing to do with this.
vim.g.loaded_python3_provider = 0
vim.opt.runtimepath:prepend(vim.env.PLUGIN)
vim.opt.swapfile = false
vim.opt.showmode = false
vim.opt.report = 9999
vim.cmd("filetype on")
vim.api.nvim_create_autocmd("VimEnter", {
  once = true,
  callback = vim.schedule_wrap(function()
    local ok, problem = xpcall(dofile, debug.traceback, vim.env.SPEC)
    if not ok then
      io.stdout:write("FAIL " .. tostring(problem) .. "\n")
      vim.cmd("cquit! 1")
    end
  end),
})
