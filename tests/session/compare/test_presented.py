"""A comparison as Markdown: what candidates say of themselves stays text."""

from gateline.ranking.rank import rank
from gateline.ranking.values import Candidate, Pool
from gateline.session.compare.behaviour import Difference
from gateline.session.compare.comparing import Comparison
from gateline.session.compare.presented import markdown
from gateline.store.candidates.trees import Given


def shown(*names: str, test: str = "") -> str:
    first, *others = names
    pool = Pool(
        (
            Candidate(first, visible_passed=3, visible_total=3),
            *(Candidate(name, visible_passed=1, visible_total=3) for name in others),
        )
    )
    given = tuple(Given(name, "folder", "t" * 40, ("f.py",)) for name in names)
    answers = dict.fromkeys(names, "1")
    difference = Difference("f()", "f.py", answers, test) if test else None
    return markdown(Comparison("c" * 40, rank(pool), given, (), difference=difference))


def test_names_of_branches_command_nothing():
    text = shown("a|b", "<img src=x>\u202e@everyone")
    assert "\\<img src=x\\>\N{REPLACEMENT CHARACTER}\\@everyone" in text
    assert "\u202e" not in text
    table = [line for line in text.splitlines() if line.startswith("| 1 |")]
    assert table[0].startswith("| 1 | a\\|b | 3 of 3 |")


def test_the_test_that_tells_them_apart_is_code_that_cannot_end_its_block():
    text = shown("one", "two", test="def test_f():\n    assert f() == '```'\n")
    block = "````python\ndef test_f():\n    assert f() == '```'\n````\n"
    assert text.endswith(f"- as a test of what one answers:\n\n{block}")
