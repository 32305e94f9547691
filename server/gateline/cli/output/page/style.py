"""The look of the page, by the reader's own scheme and width."""

CSS = """\
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1d2430; --dim: #5b6573; --line: #d9dee5;
  --card: #f6f8fa; --blue: #2563b8; --green: #1a7f43; --red: #b3261e; --amber: #8a5a00; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14181f; --ink: #e4e8ee; --dim: #9aa5b4; --line: #303846;
    --card: #1b212b; --blue: #78aef5; --green: #5fc98a; --red: #f28b82; --amber: #e5b567; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .3rem; font-weight: 500; }
p { margin: .3rem 0; }
.dim { color: var(--dim); }
.figures { display: grid; grid-template-columns: repeat(4, 1fr); gap: .75rem; margin: 1.25rem 0; }
.figure { background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
  padding: .75rem 1rem; }
.figure b { display: block; font-size: 1.5rem; line-height: 1.3; }
.figure b.none { color: var(--dim); font-size: 1.05rem; font-weight: 500; line-height: 1.95rem; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--dim); font: 11px system-ui, sans-serif; }
.axis { stroke: var(--line); }
.target { stroke: var(--dim); stroke-dasharray: 4 4; }
.trend { fill: none; stroke: var(--blue); stroke-width: 2; stroke-linejoin: round; }
.accept { fill: var(--green); }
.refuse { fill: var(--red); }
.other { fill: var(--amber); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th { color: var(--dim); font-weight: 500; }
td.n, th.n { text-align: right; white-space: nowrap; }
td.name { overflow-wrap: anywhere; }
.bar { display: block; height: .5rem; margin-top: .5rem; border-radius: .25rem; background: var(--line);
  min-width: 6rem; }
.bar > i { display: block; height: 100%; border-radius: .25rem; background: var(--blue); }
summary { cursor: pointer; color: var(--dim); margin: .5rem 0; }
code { font-size: .95em; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  body { padding: 1rem; }
  .figures { grid-template-columns: repeat(2, 1fr); }
  .wide { display: none; }
  svg text { font-size: 20px; }
}
"""
