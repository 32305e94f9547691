"""The memory of a workspace: lessons are stored, found by meaning and by place, and handed out."""
