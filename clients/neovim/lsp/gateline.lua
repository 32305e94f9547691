-- What `vim.lsp.enable("gateline")` starts. Change anything of it with `vim.lsp.config("gateline", { ... })`.

---@type vim.lsp.Config
return {
  cmd = function(dispatchers, config)
    return require("gateline.server").start(dispatchers, config)
  end,
  filetypes = { "python" },
  root_markers = { "gateline.toml", "pyproject.toml", ".git" },
  root_dir = function(bufnr, on_dir)
    require("gateline.server").root_dir(bufnr, on_dir)
  end,
  -- The server waits by itself, as long as each analyzer is worth waiting for.
  flags = { debounce_text_changes = 0 },
  -- Neovim applies edits that are for one version of a text, and refuses them for another, but does not say so.
  capabilities = { workspace = { workspaceEdit = { documentChanges = true } } },
  before_init = function(params, config)
    require("gateline.trust").tell(params, config.root_dir)
  end,
  on_init = function(client)
    require("gateline.actions").offer(client)
  end,
  on_exit = function(code, signal, client_id)
    require("gateline.life").exited(code, signal, client_id)
  end,
  handlers = {
    ["gateline/status"] = function(_, params, context)
      require("gateline.status").take(params, context.client_id)
    end,
    ["gateline/checkpoint/detected"] = function(_, params)
      require("gateline.tasks").detected(params)
    end,
    ["gateline/refine/progress"] = function(_, params)
      require("gateline.refine").progress(params)
    end,
  },
}
