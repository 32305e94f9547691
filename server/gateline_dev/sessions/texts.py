"""A small project, and edits of its modules that make findings of every kind come, move and go."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Mapping

SETTINGS = """\
[project]
name = "stall"
version = "1"

[tool.gateline.tests]
enabled = false
"""

PROJECT: Mapping[str, str] = {
    "pyproject.toml": SETTINGS,
    "stall/__init__.py": '"""A market stall."""\n',
    "stall/prices.py": '''"""What things cost."""

RATE: int = 3


def price(name: str) -> int:
    """The price of a thing."""
    return len(name) * RATE


def label(name: str) -> str:
    """What the sign says."""
    return name + "!"
''',
    "stall/tax.py": '''"""What the town takes. It knows carts, and carts know it."""

from stall.prices import price


def tax(name: str) -> int:
    """A tenth of the price."""
    return price(name) // 10


def of_all(count: int) -> int:
    """The tax on a whole cart."""
    from stall.cart import size

    return size(count) * tax("a")
''',
    "stall/cart.py": '''"""What somebody buys."""

from stall.prices import label, price
from stall.tax import tax


def size(count: int) -> int:
    """How much fits."""
    return count * 2


def total(count: int) -> int:
    """What it costs."""
    return size(count) * price("apple") + tax("apple")


def sign() -> str:
    """What is written on it."""
    return label("cart")
''',
    "stall/report.py": '''"""What is told in the evening."""

from stall.cart import sign, total


def evening(days: int) -> str:
    """One line."""
    worth = total(days)
    return sign() * worth
''',
    "tools/count.py": '''"""Counts."""

from stall.report import evening

LINE = evening(3)
''',
}
"""The first commit, by path."""

NAMES = ("stall/prices.py", "stall/tax.py", "stall/cart.py", "stall/report.py", "tools/count.py")
NEW = ("stall/extra.py", "stall/notes.py", "tools/more.py")
"""Modules that sessions make."""

_LITERALS = {"int": ("1", "20"), "str": ('"a"', '"long"')}
_CALLS = ("price", "label", "tax", "size", "total", "sign", "evening")
_TOKEN = "ghp_" + "Zx81kQpL0aVt5YbN3mWcR7dEuH2jSfG9oTiA"[:36].ljust(36, "b")


def _functions(dice: random.Random) -> str:
    kind = dice.choice(("int", "str"))
    body = f'    """Is made."""\n    return {dice.choice(_LITERALS[kind])}\n'
    return f"\n\ndef made{dice.randrange(20)}(a: int) -> {kind}:\n{body}"


def _mistyped(dice: random.Random) -> str:
    return f"\nN{dice.randrange(9)}: int = {dice.choice(('1', '2', chr(34) + 'a' + chr(34)))}\n"


def _undocumented(dice: random.Random) -> str:
    return f"\n\ndef bare{dice.randrange(9)}(a: int) -> int:\n    return a\n"


def _called(dice: random.Random) -> str:
    name = dice.choice(_CALLS)
    module = {"price": "prices", "label": "prices", "tax": "tax", "size": "cart", "total": "cart"}
    of = module.get(name, "cart" if name == "sign" else "report")
    given = "" if name == "sign" else dice.choice(("1", '"a"'))
    return f"\nfrom stall.{of} import {name}\n\nX = {name}({given})\n"


def _imported(dice: random.Random) -> str:
    gone = dice.choice(("stall.extra", "stall.notes", "tools.more", "stall.prices"))
    name = dice.choice(("made1", "made2", "bare1", "RATE", "price"))
    return f"\nfrom {gone} import {name}\n"


def _secret(dice: random.Random) -> str:
    return dice.choice((f'\nTOKEN = "{_TOKEN}"\n', '\npassword = "correct-horse-9battery"\n'))


def _unsafe(dice: random.Random) -> str:
    return dice.choice(
        (
            '\nimport subprocess\n\nsubprocess.call("ls " + __name__, shell=True)\n',
            "\nVALUE = eval(__name__)\n",
            "\nassert __name__\n",
        )
    )


def _complex(dice: random.Random) -> str:
    count = dice.choice((4, 12, 20))
    branches = "".join(f"    if a == {n}:\n        return {n}\n" for n in range(count))
    return f'\n\ndef many{dice.randrange(3)}(a: int) -> int:\n    """Says."""\n{branches}    return a\n'


def _comment(dice: random.Random) -> str:
    code = dice.choice(("GTL110", "GTL301", "GTL302", "GTL501"))
    return dice.choice(
        (
            f"\nVALUE = eval(__name__)  # gateline: ignore[{code}] it is ours\n",
            f"\nM: int = 'a'  # gateline: ignore[{code}] it is ours\n",
            "\nK: int = 'a'  # type: ignore\n",
            "\n# a remark — ä € 😀\n",
            "\n# gateline: ignore[GTL110]\n",
        )
    )


_BLOCKS: tuple[Callable[[random.Random], str], ...] = (
    _functions,
    _mistyped,
    _mistyped,
    _undocumented,
    _called,
    _imported,
    _secret,
    _unsafe,
    _complex,
    _comment,
)


def module(seed: int) -> str:
    """The text of a new module."""
    dice = random.Random(seed)
    return '"""Is new."""\n' + "".join(dice.choice(_BLOCKS)(dice) for _ in range(dice.randrange(1, 4)))


def edited(text: str, seed: int) -> str:
    """The same text after one edit."""
    dice = random.Random(seed)
    return dice.choice(_EDITS)(text, dice)


def half_typed(text: str, seed: int) -> str:
    """The same with a line that does not parse yet."""
    dice = random.Random(seed)
    return _inserted(
        text, dice.choice(("def half(\n", "x = (1,\n", "if x\n", "for a in:\n", "y = = 2\n")), dice
    )


def _add(text: str, dice: random.Random) -> str:
    block = dice.choice(_BLOCKS)(dice)
    if dice.random() < 0.7 or not text:
        return (text if text.endswith("\n") or not text else text + "\n") + block
    head, found, tail = text.partition("\n\n\ndef ")
    return head + "\n" + block + found + tail if found else text + block


def _drop(text: str, dice: random.Random) -> str:
    parts = text.split("\n\n")
    if len(parts) < 2:
        return text
    del parts[dice.randrange(1, len(parts))]
    return "\n\n".join(parts)


def _retype(text: str, dice: random.Random) -> str:
    """Another annotation of something that others use."""
    pairs = [
        ("-> int:", "-> str:"),
        ("-> str:", "-> int:"),
        ("name: str", "name: int"),
        ("name: int", "name: str"),
    ]
    pairs += [
        ("count: int", "count: str"),
        ("count: str", "count: int"),
        ("RATE: int = 3", "RATE: str = 'b'"),
    ]
    pairs = [(a, b) for a, b in pairs if a in text]
    if not pairs:
        return _add(text, dice)
    a, b = dice.choice(pairs)
    return text.replace(a, b, 1)


def _rename(text: str, dice: random.Random) -> str:
    names = [name for name in _CALLS if f"def {name}(" in text or f"def {name}s(" in text]
    if not names:
        return _add(text, dice)
    name = dice.choice(names)
    if f"def {name}s(" in text:
        return text.replace(f"def {name}s(", f"def {name}(")
    return text.replace(f"def {name}(", f"def {name}s(")


def _inserted(text: str, block: str, dice: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    lines.insert(dice.randrange(len(lines) + 1), block)
    return "".join(lines)


def _moved(text: str, dice: random.Random) -> str:
    return _inserted(text, "# a remark\n", dice)


_EDITS: tuple[Callable[[str, random.Random], str], ...] = (
    _add,
    _add,
    _add,
    _drop,
    _retype,
    _retype,
    _rename,
    _moved,
)


def excluded(settings: str) -> str:
    """The folder that the settings exclude; empty for none. Settings that cannot be read exclude nothing."""
    try:
        gateline = tomllib.loads(settings).get("tool", {}).get("gateline", {})
    except tomllib.TOMLDecodeError:
        return ""
    return next(iter(gateline.get("exclude", ())), "")


def settings(seed: int) -> str:
    """What pyproject.toml may say instead."""
    dice = random.Random(seed)
    more = dice.choice(
        (
            "\n[tool.gateline.documentation]\nenabled = false\n",
            "\n[tool.gateline.secrets]\nenabled = false\n",
            '\n[tool.gateline]\nexclude = ["tools/"]\n',
            "\n[tool.gateline.gates]\ncomplexity_best = 3\n",
            "\n[tool.gateline.types]\nenabled = false\n",
            "\n[tool.mypy]\nstrict = true\n",
            "\n[tool.gateline]\nno_such_key = 1\n",
            "",
        )
    )
    return SETTINGS + more
