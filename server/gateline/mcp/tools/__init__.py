"""The tools, one module for each subject."""

from __future__ import annotations

from gateline.mcp.tool import Tool
from gateline.mcp.tools import compare, context, explain, gate, memory, refine, repair, savepoints, tasks

TOOLS: tuple[Tool, ...] = (
    *gate.TOOLS,
    *explain.TOOLS,
    *repair.TOOLS,
    *context.TOOLS,
    *tasks.TOOLS,
    *savepoints.TOOLS,
    *memory.TOOLS,
    *compare.TOOLS,
    *refine.TOOLS,
)
BY_NAME = {tool.name: tool for tool in TOOLS}
