"""The hooks of coding agents: each one's JSON comes in on standard input, its contract's answer goes out.

A process is started for each edit, and everything imported here is waited for: standard library only.
"""
