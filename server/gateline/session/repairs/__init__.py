"""Repairs: searched, verified, offered in an editor, and written by the command."""
