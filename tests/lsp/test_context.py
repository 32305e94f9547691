"""Context through a real server: questions, places, unsaved text, and what goes wrong.

The workspace is not trusted: nothing of it is run, and context needs nothing of it to be.
"""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import psutil
import pytest
from editor import Editor
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcRequestCancelled
from real_project import WITHOUT_TYPES, committed

from gateline.context.packing import tokens_in
from support.processes import CONTEXT, running

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.timeout(120),
    # The client library knows only the tokens that the server made.
    pytest.mark.filterwarnings("ignore:Unknown progress token"),
]

FILES: dict[str, str | bytes] = {
    "shop/__init__.py": "",
    "shop/prices.py": (
        '"""Prices."""\n\n\ndef rounded(price: float) -> float:\n    """The price to cents."""\n'
        "    return round(price, 2)\n\n\n"
        "def with_tax(net: float) -> float:\n"
        '    """The gross price."""\n    return rounded(net * 1.2)\n'
    ),
    "shop/cart.py": (
        '"""The cart."""\n\nfrom shop.prices import with_tax\n\n\nclass Cart:\n    """What is bought."""\n\n'
        "    def total(self) -> float:\n        return with_tax(3.0)\n"
    ),
    "tests/test_prices.py": (
        "from shop.prices import rounded\n\n\ndef test_rounded():\n    assert rounded(1.005)\n"
    ),
    "README.md": "# Shop\n\n## Rounding\n\nPrices are rounded to cents.\n",
    "gateline.toml": WITHOUT_TYPES,
}
UNSAVED = FILES["shop/cart.py"] + '\n\ndef ship_parcel(address: str) -> None:\n    """Send it off."""\n'  # type: ignore[operator]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    committed(folder, FILES)
    return folder


def far_side() -> psutil.Process | None:
    """The process that holds the index."""
    return next(iter(running(CONTEXT)), None)


async def found(editor: Editor, query: str, **more: Any) -> Any:
    """The answer to a search. Where others use the machine, too, two seconds may not do at the start."""
    while True:
        answer = await editor.ask("gateline/context/search", {"query": query, **more})
        if "index" not in answer.degraded._fields:
            return answer


async def test_words_find_passages_each_with_its_reason(editor: Editor) -> None:
    answer = await found(editor, "where are prices rounded")
    best = answer.passages[0]
    assert (best.path, best.name, best.kind) == ("shop/prices.py", "rounded", "function")
    assert (best.lines.first, best.lines.last) == (3, 5)
    assert best.uri == editor.uri("shop/prices.py")
    assert best.text.startswith("def rounded(price")
    assert best.why
    assert best.hash
    assert {"symbols", "lexical"} <= set(answer.tiers)
    assert answer.tokens == sum(passage.tokens for passage in answer.passages)


async def test_what_is_wanted_moves_up(editor: Editor) -> None:
    async def lead(path: str, kind: str) -> float:
        """Over the function that is meant, or behind it."""
        passages = (await found(editor, "rounded prices", kind=kind)).passages
        scores = {passage.path: passage.score for passage in reversed(passages)}
        return scores[path] - scores["shop/prices.py"]

    for path, kind in (("tests/test_prices.py", "tests"), ("README.md", "docs")):
        assert await lead(path, kind) > await lead(path, "implementation")


async def test_a_budget_is_kept(editor: Editor) -> None:
    answer = await found(editor, "price", budget=50)
    assert sum(tokens_in(passage.text) for passage in answer.passages) <= 60
    assert answer.leftOut


async def test_what_a_model_is_handed_is_counted_in_the_task(editor: Editor) -> None:
    begun = await editor.ask("gateline/task/start", {"description": "Round", "tier": "LIGHT"})
    nothing = await found(editor, "zzqqxx", counted=True, kind="docs", budget=50)
    assert (nothing.tokens, nothing.warning) == (0, "")
    answer = await found(editor, "price", counted=True)
    assert answer.tokens > 60
    assert answer.warning == f"{answer.tokens} of the 60 tokens that LIGHT allows"
    assert (await found(editor, "price")).warning == ""
    ended = await editor.ask("gateline/task/finish", {"task": begun.id, "outcome": "abandoned"})
    assert [e.detail.operation for e in ended.events if e.kind == "handed"] == ["context"]


async def test_a_place_has_its_definition_callers_and_tests(editor: Editor) -> None:
    params = {"uri": editor.uri("shop/prices.py"), "position": {"line": 5, "character": 4}}
    answer = await editor.ask("gateline/context/forPosition", params)
    names = [(passage.path, passage.name) for passage in answer.passages]
    assert names[0] == ("shop/prices.py", "rounded")
    assert ("shop/prices.py", "with_tax") in names
    assert ("tests/test_prices.py", "test_rounded") in names
    assert len(names) == len(set(names))


async def test_what_a_name_means_comes_first(editor: Editor) -> None:
    text = str(FILES["shop/cart.py"])
    place = {"line": 9, "character": text.splitlines()[9].index("with_tax") + 2}
    params = {"uri": editor.uri("shop/cart.py"), "position": place, "deadline": 2000}
    async with asyncio.timeout(60):
        while "resolved" not in (answer := await editor.ask("gateline/context/forPosition", params)).tiers:
            pass
    names = [(passage.path, passage.name) for passage in answer.passages]
    assert names[:2] == [("shop/prices.py", "with_tax"), ("shop/cart.py", "Cart.total")]


async def test_unsaved_text_is_found_at_once_and_forgotten_with_the_buffer(editor: Editor) -> None:
    uri = editor.open("shop/cart.py", str(FILES["shop/cart.py"]))
    editor.edit(uri, 2, (None, UNSAVED))
    answer = await found(editor, "ship_parcel")
    assert answer.passages[0].name == "ship_parcel"
    editor.close(uri)
    answer = await found(editor, "ship_parcel")
    assert all(passage.name != "ship_parcel" for passage in answer.passages)


async def test_a_written_file_is_found(editor: Editor, root: Path) -> None:
    (root / "shop" / "labels.py").write_text("def print_label(name: str) -> None:\n    '''Paper.'''\n")
    editor.touched(("shop/labels.py", lsp.FileChangeType.Created))
    async with asyncio.timeout(20):
        while not any(p.name == "print_label" for p in (await found(editor, "print_label")).passages):
            await asyncio.sleep(0.1)


async def test_the_process_may_be_killed(editor: Editor) -> None:
    await found(editor, "rounded")
    killed = far_side()
    assert killed is not None
    os.kill(killed.pid, signal.SIGKILL)
    answer = await found(editor, "where are prices rounded")
    assert answer.passages[0].name == "rounded"
    now = far_side()
    assert now is not None
    assert now.pid != killed.pid


async def test_status_tells_what_there_is(editor: Editor) -> None:
    status = await editor.ask("gateline/context/status", {"refresh": True})
    assert status.state == "ready"
    assert status.files >= 5
    assert status.chunks > status.files
    assert status.folder
    assert [tier.name for tier in status.tiers][:2] == ["symbols", "lexical"]


async def test_looking_again_shows_progress(editor: Editor) -> None:
    params = {"refresh": True, "workDoneToken": "look"}
    await editor.ask("gateline/context/status", params)
    reports = editor.client.progress_reports["look"]
    assert isinstance(reports[0], lsp.WorkDoneProgressBegin)
    assert isinstance(reports[-1], lsp.WorkDoneProgressEnd)


async def test_cancelling_leaves_the_index_alone(editor: Editor) -> None:
    await found(editor, "rounded")
    before = far_side()
    assert before is not None
    client, method = editor.client, "gateline/context/search"
    asked = []
    # Held up: else the answer might come before it is cancelled.
    before.suspend()
    try:
        for number in range(5):
            question = {"query": f"price {number}"}
            asked.append(client.protocol.send_request(method, question, msg_id=f"q{number}"))
            client.cancel_request(lsp.CancelParams(f"q{number}"))
        answers = await asyncio.gather(*map(asyncio.wrap_future, asked), return_exceptions=True)
    finally:
        before.resume()
    assert all(isinstance(answer, JsonRpcRequestCancelled) for answer in answers)
    assert (await found(editor, "rounded")).passages
    now = far_side()
    assert now is not None
    assert now.pid == before.pid


@pytest.mark.parametrize(
    ("params", "complaint"),
    [
        ({"query": ""}, "query: String should have at least 1 character, not ''"),
        ({"query": "x", "kind": "all"}, "kind: Input should be 'implementation', 'tests', 'docs' or 'any'"),
        ({"query": "x", "budget": 3}, "budget: Input should be greater than or equal to 50, not 3"),
        ({"query": "x", "deadline": 3000}, "deadline: Input should be less than or equal to 2000, not 3000"),
    ],
)
async def test_a_misfit_is_refused_by_name(editor: Editor, params: object, complaint: str) -> None:
    assert complaint in (await editor.refused("gateline/context/search", params)).message


async def test_the_server_holds_no_numbers(editor: Editor) -> None:
    """numpy and the index live in the other process."""
    await found(editor, "rounded")
    (server,) = running("server")
    maps = {Path(one.path).name for one in server.memory_maps()}
    assert not [name for name in maps if "multiarray" in name]


async def test_settings_switch_it_off(editor: Editor, root: Path) -> None:
    (root / "gateline.toml").write_text(WITHOUT_TYPES + "[context]\nenabled = false\n")
    editor.touched(("gateline.toml", lsp.FileChangeType.Changed))
    async with asyncio.timeout(30):
        while (await editor.ask("gateline/context/status", {})).state != "off":
            await asyncio.sleep(0.1)
    error = await editor.refused("gateline/context/search", {"query": "rounded"})
    assert error.message == "context.enabled is false in the settings of this workspace"
    # It is said to be off at once; its process takes a moment to end.
    async with asyncio.timeout(30):
        while far_side() is not None:
            await asyncio.sleep(0.1)


async def test_that_a_tier_was_missing_is_counted_with_what_an_agent_was_handed(editor: Editor) -> None:
    begun = await editor.ask("gateline/task/start", {"description": "Round", "tier": "LIGHT"})
    for degraded in (True, False):
        await editor.ask("gateline/task/handed", {"tokens": 9, "operation": "context", "degraded": degraded})
    ended = await editor.ask("gateline/task/finish", {"task": begun.id, "outcome": "abandoned"})
    told = [e.detail for e in ended.events if e.kind == "handed"]
    assert [getattr(detail, "degraded", False) for detail in told] == [True, False]
