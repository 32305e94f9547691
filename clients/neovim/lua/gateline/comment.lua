--- Where a comment of Python ends a line, and where it cannot.

local M = {}

--- One step through code; the position after it, and the quotes that were opened, if any.
---@param line string
---@param at integer
---@return integer next
---@return string? quotes
local function step(line, at)
  local triple = line:sub(at, at + 2)
  if triple == '"""' or triple == "'''" then
    return at + 3, triple
  end
  local char = line:sub(at, at)
  if char == '"' or char == "'" then
    return at + 1, char
  end
  return at + 1
end

--- One step through a string; the position after it, and whether the string ended.
---@param line string
---@param at integer
---@param quotes string
---@return integer next
---@return boolean ended
local function step_inside(line, at, quotes)
  if line:sub(at, at) == "\\" then
    return at + 2, false
  end
  if line:sub(at, at + #quotes - 1) == quotes then
    return at + #quotes, true
  end
  return at + 1, false
end

--- Walk along a line.
---@param line string
---@param quotes? string of the string it begins in
---@return string? quotes of the string the next line begins in
---@return integer? comment where the comment begins, from 1
local function walk(line, quotes)
  local at = 1
  while at <= #line do
    if quotes then
      local ended
      at, ended = step_inside(line, at, quotes)
      quotes = not ended and quotes or nil
    elseif line:sub(at, at) == "#" then
      return nil, at
    else
      at, quotes = step(line, at)
    end
  end
  local goes_on = quotes and (#quotes == 3 or vim.endswith(line, "\\"))
  return goes_on and quotes or nil, nil
end

---@class gateline.LineEnd
---@field fit boolean whether a comment may end this line
---@field comment? integer where one begins already, from 1

--- How a line ends.
---@param lines string[] of the whole buffer
---@param number integer from 1
---@return gateline.LineEnd
function M.end_of(lines, number)
  local quotes, comment ---@type string?, integer?
  for i = 1, number do
    quotes, comment = walk(lines[i] or "", quotes)
  end
  local continued = not comment and vim.endswith(lines[number] or "", "\\")
  return { fit = not quotes and not continued, comment = comment }
end

--- The line with a suppression of `code`, or one more code in the suppression it has.
---@param line string
---@param comment? integer where a comment begins
---@param code string
---@param reason string
---@return string
function M.suppressed(line, comment, code, reason)
  if comment then
    local before, rest = line:sub(1, comment - 1), line:sub(comment)
    local added, count = rest:gsub("(#%s*gateline:%s*ignore%[)([^%]]*)%]", function(mark, codes)
      return ("%s%s%s]"):format(mark, vim.trim(codes) ~= "" and codes .. ", " or "", code)
    end, 1)
    if count == 1 then
      return before .. added
    end
  end
  return ("%s  # gateline: ignore[%s] %s"):format(line:gsub("%s+$", ""), code, reason)
end

return M
