"""The tables, and how older ones become newer ones. What was released is never changed, only added to."""

from __future__ import annotations

_FIRST = (
    """CREATE TABLE tasks (
        id TEXT PRIMARY KEY,
        description TEXT NOT NULL,
        tier TEXT NOT NULL,
        tier_reason TEXT NOT NULL,
        branch TEXT NOT NULL,
        outcome TEXT NOT NULL,
        started_at TEXT NOT NULL,
        ended_at TEXT,
        last_access TEXT NOT NULL,
        announced INTEGER NOT NULL DEFAULT 0
    ) STRICT""",
    "CREATE INDEX tasks_by_start ON tasks (started_at)",
    """CREATE TABLE events (
        number INTEGER PRIMARY KEY,
        task TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
        at TEXT NOT NULL,
        kind TEXT NOT NULL,
        detail TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX events_by_task ON events (task, number)",
    """CREATE TABLE summaries (
        task TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
        phase TEXT NOT NULL,
        content TEXT NOT NULL,
        PRIMARY KEY (task, phase)
    ) STRICT""",
    """CREATE TABLE decisions (
        number INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        content TEXT NOT NULL,
        digest TEXT NOT NULL
    ) STRICT""",
    """CREATE TRIGGER decisions_stay BEFORE UPDATE ON decisions
        BEGIN SELECT RAISE(ABORT, 'a recorded decision is never changed'); END""",
    """CREATE TRIGGER decisions_are_kept BEFORE DELETE ON decisions
        BEGIN SELECT RAISE(ABORT, 'a recorded decision is never deleted'); END""",
)

_SCORES = (
    "ALTER TABLE tasks ADD COLUMN savepoint TEXT NOT NULL DEFAULT ''",
    """CREATE TABLE scores (
        number INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        task TEXT NOT NULL,
        branch TEXT NOT NULL,
        level TEXT NOT NULL,
        progress TEXT NOT NULL,
        outcome TEXT NOT NULL,
        score REAL,
        evidence REAL NOT NULL,
        edition TEXT NOT NULL,
        parts TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX scores_by_branch ON scores (branch, number)",
    "CREATE INDEX scores_by_task ON scores (task, number)",
)

_CONTENTS = ("ALTER TABLE scores ADD COLUMN content TEXT NOT NULL DEFAULT ''",)

_BASES = ("ALTER TABLE scores ADD COLUMN base TEXT NOT NULL DEFAULT ''",)

_TRAIL = (
    """CREATE TABLE trail (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        first INTEGER NOT NULL,
        before TEXT NOT NULL,
        newest INTEGER NOT NULL,
        digest TEXT NOT NULL
    ) STRICT""",
    """INSERT INTO trail SELECT 1, 1, '', coalesce(max(number), 0),
        coalesce((SELECT digest FROM decisions ORDER BY number DESC LIMIT 1), '') FROM decisions""",
    "DROP TRIGGER IF EXISTS decisions_are_kept",
    """CREATE TRIGGER decisions_are_kept BEFORE DELETE ON decisions
        WHEN OLD.number >= (SELECT first FROM trail)
        BEGIN SELECT RAISE(ABORT, 'a recorded decision is never deleted'); END""",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_FIRST, _SCORES, _CONTENTS, _BASES, _TRAIL)
"""Statement by statement; the version of a database is how many of these it has had."""
