-- Only the command; everything else is loaded when it is used.
if vim.g.loaded_gateline or vim.fn.has("nvim-0.11") == 0 then
  return
end
vim.g.loaded_gateline = true

vim.api.nvim_create_user_command("Gateline", function(given)
  require("gateline.command").run(given.fargs)
end, {
  nargs = "*",
  complete = function(lead, line)
    return require("gateline.command").complete(lead, line)
  end,
  desc = "Judge the change; explain and ignore findings",
})
