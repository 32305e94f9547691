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

_LESSONS = (
    """CREATE TABLE memory (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        edition INTEGER NOT NULL,
        deletions INTEGER NOT NULL
    ) STRICT""",
    "INSERT INTO memory VALUES (1, 0, 0)",
    """CREATE TABLE lessons (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        version INTEGER NOT NULL,
        text TEXT NOT NULL,
        digest TEXT NOT NULL,
        tags TEXT NOT NULL,
        file TEXT NOT NULL,
        symbol TEXT NOT NULL,
        rule TEXT NOT NULL,
        source TEXT NOT NULL,
        detail TEXT NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        uses INTEGER NOT NULL DEFAULT 0,
        helped INTEGER NOT NULL DEFAULT 0,
        changed INTEGER NOT NULL,
        UNIQUE (digest, file, symbol, rule)
    ) STRICT""",
    "CREATE INDEX lessons_by_change ON lessons (changed)",
    "CREATE INDEX lessons_by_file ON lessons (file) WHERE file != ''",
    "CREATE INDEX lessons_by_symbol ON lessons (symbol) WHERE symbol != ''",
    "CREATE INDEX lessons_by_rule ON lessons (rule) WHERE rule != ''",
    """CREATE TABLE lesson_versions (
        lesson INTEGER NOT NULL REFERENCES lessons (number) ON DELETE CASCADE,
        version INTEGER NOT NULL,
        at TEXT NOT NULL,
        reason TEXT NOT NULL,
        text TEXT NOT NULL,
        tags TEXT NOT NULL,
        file TEXT NOT NULL,
        symbol TEXT NOT NULL,
        rule TEXT NOT NULL,
        source TEXT NOT NULL,
        detail TEXT NOT NULL,
        PRIMARY KEY (lesson, version)
    ) STRICT""",
    """CREATE TABLE lesson_vectors (
        lesson INTEGER NOT NULL REFERENCES lessons (number) ON DELETE CASCADE,
        maker TEXT NOT NULL,
        vector BLOB NOT NULL,
        PRIMARY KEY (lesson, maker)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE lesson_uses (
        number INTEGER PRIMARY KEY,
        lesson INTEGER NOT NULL REFERENCES lessons (number) ON DELETE CASCADE,
        at TEXT NOT NULL,
        operation TEXT NOT NULL,
        branch TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX lesson_uses_by_lesson ON lesson_uses (lesson)",
    # The words are stems of ours already.
    "CREATE VIRTUAL TABLE lesson_words USING fts5 (words, tokenize = 'unicode61 remove_diacritics 0')",
)

_LOOPS = (
    """CREATE TABLE loops (
        id TEXT PRIMARY KEY,
        begun TEXT NOT NULL,
        ended TEXT NOT NULL DEFAULT '',
        content TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE rounds (
        loop TEXT NOT NULL REFERENCES loops (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        content TEXT NOT NULL,
        PRIMARY KEY (loop, number)
    ) STRICT""",
)

_METRICS = (
    """CREATE TABLE task_metrics (
        task TEXT PRIMARY KEY,
        begun TEXT NOT NULL,
        content TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX task_metrics_by_begin ON task_metrics (begun)",
    """CREATE TABLE baselines (
        name TEXT PRIMARY KEY,
        at TEXT NOT NULL,
        completed INTEGER NOT NULL,
        tasks INTEGER NOT NULL
    ) STRICT""",
)

_EVALS = (
    """CREATE TABLE eval_runs (
        number INTEGER PRIMARY KEY,
        suite TEXT NOT NULL,
        kind TEXT NOT NULL,
        at TEXT NOT NULL,
        score REAL NOT NULL,
        cases INTEGER NOT NULL,
        failed TEXT NOT NULL,
        accepted INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX eval_runs_by_suite ON eval_runs (suite, number)",
)

_TERMS = ("CREATE VIRTUAL TABLE lesson_terms USING fts5vocab (lesson_words, row)",)

_FIXES = (
    """CREATE TABLE fixes (
        number INTEGER PRIMARY KEY,
        fingerprint TEXT NOT NULL,
        occurrence TEXT NOT NULL,
        path TEXT NOT NULL,
        at TEXT NOT NULL,
        UNIQUE (fingerprint, occurrence)
    ) STRICT""",
)

_OBSERVATIONS = (
    """CREATE TABLE observations (
        name TEXT NOT NULL,
        labels TEXT NOT NULL,
        count INTEGER NOT NULL,
        total REAL NOT NULL,
        buckets TEXT NOT NULL,
        PRIMARY KEY (name, labels)
    ) STRICT, WITHOUT ROWID""",
    "CREATE TABLE counted (source TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID",
)

_JUDGEMENTS = (
    """CREATE TABLE judgements (
        number INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        operation TEXT NOT NULL,
        subject TEXT NOT NULL,
        question TEXT NOT NULL,
        prompt TEXT NOT NULL,
        prompt_digest TEXT NOT NULL,
        model TEXT NOT NULL,
        problem TEXT NOT NULL,
        requests INTEGER NOT NULL,
        tokens INTEGER NOT NULL,
        seconds REAL NOT NULL,
        content TEXT NOT NULL
    ) STRICT""",
)

_COMPARISONS = (
    """CREATE TABLE comparisons (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        at TEXT NOT NULL,
        content TEXT NOT NULL
    ) STRICT""",
)

_JUDGES = ("ALTER TABLE eval_runs ADD COLUMN judge TEXT NOT NULL DEFAULT ''",)

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    _FIRST,
    _SCORES,
    _CONTENTS,
    _BASES,
    _TRAIL,
    _LESSONS,
    _LOOPS,
    _METRICS,
    _EVALS,
    _TERMS,
    _FIXES,
    _OBSERVATIONS,
    _JUDGEMENTS,
    _COMPARISONS,
    _JUDGES,
)
"""Statement by statement; the version of a database is how many of these it has had."""
