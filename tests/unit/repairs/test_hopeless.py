"""Texts that nobody can repair: the loop gives up, changes nothing, and tells what it tried."""

from __future__ import annotations

import pytest

from gateline.model import Origin, Problem, Span
from gateline.repairs.budget import Budget
from gateline.repairs.escalation import document
from gateline.repairs.families.syntax import REPAIRER
from gateline.repairs.loop import Job, debug, drive
from gateline.repairs.proof import Trial, Verdict
from gateline.repairs.syntax.judge import failure_of
from gateline.repairs.texts import Texts

PATH = "app.py"
HOPELESS = {
    "prose": "This is a letter, and not a program at all.\nIt has lines, and words in them, too.\n",
    "markdown": "# Shop\n\n- first point of the list\n- second point, [with a link](https://example.org)\n",
    "html": "<html><body class='wide'>\n<p>The parcel is late.</p>\n</body></html>\n",
    "xml": '<?xml version="1.0"?>\n<parcel weight="5">\n  <name>small</name>\n</parcel>\n',
    "css": "body > p.late {\n  color: #ff0000;\n  margin: 0 auto 2em;\n}\n",
    "java": "public class Shop {\n  public static void main(String[] args) {\n    int x = 5;\n  }\n}\n",
    "c": "#include <stdio.h>\nint main(void) {\n  for (int i = 0; i < 5; i++) {\n    go(i);\n  }\n}\n",
    "rust": 'fn main() {\n    let x: Vec<u8> = (0..5).map(|n| n * 2).collect();\n    println!("{x:?}");\n}\n',
    "shell": 'for f in *.txt; do\n  echo "$f" | grep -q late && rm -- "$f"\ndone\n',
    "sql": "SELECT name, weight FROM parcels WHERE late = 1 ORDER BY weight DESC LIMIT 5;\n",
    "haskell": "main :: IO ()\nmain = do\n  let xs = [x * 2 | x <- [1 .. 5]]\n  mapM_ print $ xs\n",
    "lisp": "(define (square x)\n  (* x x))\n(display (map square '(1 2 3)))\n",
    "perl": "my %late = map { $_->{name} => 1 } @parcels;\nprint join(', ', sort keys %late), \"\\n\";\n",
    "yaml": "parcels:\n  - name: small\n    weight: 5\n  - name: large\n    weight: {min: 1, max: 9\n",
    "toml": "[tool.shop]\nname = small\nrates = [1, 2\n[[parcels]]\nweight = 5kg\n",
    "diff": "--- a/shop.py\n+++ b/shop.py\n@@ -1,3 +1,3 @@\n-weight = 5\n+weight = 6\n print(weight)\n",
    "listing": "drwxr-xr-x 2 user user 4096 Jan  1 10:00 parcels\n-rw-r--r-- 1 user 120 late.txt\n",
    "base64": "UEsDBBQAAAAIAK1+/Vb9wq2YPwAAAEgAAAAIAAAA==\nQmFzZTY0IGlzIG5vdCBQeXRob24/Pz8+Pj4=\n",
    "noise": "%%$ ^&* ((( ]]] ~~~ @@@ ###\n???!!! ;;; ::: ,,, ...\n",
    "regex": "^(?P<name>[a-z]+)\\s*=\\s*(?:[0-9]{1,3}|'[^']*')$\n(?<!x)y+?z*?\n",
    "config": "[shop]\nname = The small one\n; a comment\nrate: 5 %\npath = C:\\parcels\\late\n",
    "binary": "\x7fELF\x02\x01\x01\ufffd>\x01\ufffd@\ufffdd(8\n\ufffd'%4\x0f\ufffd[\ufffd}\x11",
    "numbers": "12 14 15\n1 2 3 4\n5; 6; 7 8\n",
    "log": "2024-01-05 10:00:01 INFO started\n2024-01-05 10:00:02 ERROR [shop] parcel 5 is lost\n",
    "dialogue": "You: can you repair this?\nMe: yes, of course I can.\nYou: thanks!\n",
    "tex": "\\documentclass{article}\n\\begin{document}\nThe \\emph{parcel} is $5\\,kg$.\n\\end{document}\n",
}


def judged(trial: Trial) -> Verdict:
    compiles = all(failure_of(text) is None for text in trial.texts.values())
    return Verdict(parses=compiles, gone=compiles)


@pytest.mark.parametrize("name", HOPELESS)
def test_the_loop_gives_up_and_tells_what_it_tried(name: str) -> None:
    text = HOPELESS[name]
    failure = failure_of(text)
    assert failure is not None
    place = Span.of(failure.line, 0, failure.line + 1, 0)
    problem = Problem(Origin.PARSER, "GTL101", failure.message, PATH, place)
    job = Job(Texts({PATH: text}), [REPAIRER], lambda path: False, Budget(lambda: 0.0))
    result = drive(debug(problem, job), judged)
    assert (result.success, result.texts, result.edits) == (False, None, ())
    assert result.iterations <= 5
    told = document(result)
    assert failure.message in told
    assert f"{PATH}:{failure.line + 1}" in told
    assert "What to look at next" in told


def test_there_are_enough_of_them() -> None:
    assert len(HOPELESS) >= 20
