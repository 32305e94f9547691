"""The English words by which texts are read: one place to see and extend them."""

from __future__ import annotations

_ENDINGS = ("ings", "ing", "ies", "ed", "es", "s", "e", "y")
_SHORTEST = 3
"""Letters that a stem keeps."""


def words(text: str) -> list[str]:
    """The words of a text in lower case."""
    split = "".join(c if c.isalnum() or c in "_'" else " " for c in text.lower())
    return [word.strip("'") for word in split.split() if word.strip("'")]


def stem(word: str) -> str:
    """A word without its commonest English endings, so that `names` and `naming` are alike."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return word[: -len(ending)]
    return word


def singular(word: str) -> str:
    """A word without the ending of a plural."""
    return word.removesuffix("s") if word not in ("class", "alias") else word


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in text.split())


# Criteria

QUALITIES = _set(
    """
    adequate appropriate better clean cleaner clear clearer convenient easy easier efficient elegant
    fast faster flexible good graceful helpful intuitive maintainable modern nice optimal optimised
    optimized performant quick quicker readable reasonable reliable responsive robust scalable
    seamless sensible simple simpler slick smart smooth solid stable suitable usable well
    """
)
"""Adjectives that two people measure differently; they count where something is said to be so."""
SAYS_SO = _set("is are be become becomes feel feels look looks perform performs remain stay work works")
MANNERS = _set(
    """
    adequately appropriately clearly conveniently correctly easily efficiently gracefully improve
    improved improves nicely properly quickly reasonably reliably robustly seamlessly sensibly
    smoothly somehow etc user-friendly developer-friendly
    """
)
"""Adverbs and verbs of the same kind."""
PHRASES = ("should work", "works as expected", "work as expected", "as needed", "and so on", "if possible")
OBSERVABLE = _stems(
    """
    absent accept after always answer append before call change contain copy count create default
    delete differ emit empty end equal every exactly exist exit fail give gone greater has have hold
    ignore include keep larger least leave less list log match miss missing more most name negative
    never once only open order pass positive print produce raise read refuse reject remain remove
    render repeat reply report respond return round runs same say send show smaller sort start stay
    stays stop store succeed takes tell there throw twice unchanged warn write yield zero
    """
)
"""What a test can look at."""
RESULTS = _stems("returns raises prints equals contains")
UNITS = _set("ms s second seconds minutes minute mb kb gb bytes lines characters percent items times")
RETURNS = _set("return returns give gives is")
CIRCUMSTANCE = _set(
    """
    after before currently first for given if in instead now once second then today twice unless was
    when while with
    """
)
"""Words that make two results of one call two cases."""
OPEN = _set("tbd tba tbc todo fixme ???")

# What is said of names

NEW = _set("new create creates created introduce introduces introduced")
ADDS = _set("add adds added adding define defines write make")
ADDED = _set(
    """
    argument attribute class constant exception field file function helper keyword method module
    option parameter property script
    """
)
"""What is new where it is said to be added."""
NOW = _set("currently now today presently")
ASYNC = _set("async asynchronous coroutine awaitable")
BECOMES = _set("become becomes turn turns convert converts make makes")

# Plans

WAITS = _set("after depends depend needs need requires require once blocked following")
REMOVES = _set("delete deletes remove removes drop drops")
WEAKENS = _set(
    """
    comment delete deletes disable disables drop ignore ignores lower lowers loosen mark mute relax
    remove removes silence skip skipped skips suppress weaken xfail
    """
)
GUARDS = _set(
    """
    assertion assertions check checks coverage gate lint linter mypy noqa ruff test tests threshold
    thresholds
    """
)
"""What judges the work."""
TESTS = ("test", "pytest", "unittest", "verif", "assert")
"""How words begin that say that something is tested."""
COMMON = _stems(
    """
    a an and any are as at be by for from give has have if in into is it its must no not of on one
    or other return raise so still than that the them then there they this to was when which while
    with without same say should will today now also both all each every afterwards
    """
)
"""Words that every sentence has: they tell no criterion from another."""

# Commits

EMPTY_SUBJECTS = _set(
    """
    bugfix change changes cleanup commit fix fixed fixes misc minor progress refactor stuff temp tmp
    update updates various wip work
    """
)
SUFFIXES = _set(
    """
    .py .pyi .md .rst .txt .toml .cfg .ini .json .yaml .yml .lock .sh .html .css .js .ts .sql .csv
    """
)
"""Of files that a text may name outside of code."""
