"""Repairs in a process of their own: families search there, and ask here for every verification."""
