"""What an agent is told: of which content, whether that is what there is, and within how many tokens."""

from __future__ import annotations

import hashlib
import json
import subprocess
import time
from pathlib import Path

from mcp_agent import BASE, GATELINE, Agent

from gateline.mcp.tools.gate import FileRow, FoundRow, GateAnswer
from gateline.model.token_count import tokens_of
from support.repositories import Repository

WRONG = BASE + "\n\ndef run(text):\n    return eval(text)\n"
WRITING = (
    "checkpoint",
    "task",
    "savepoint",
    "remember",
    "recall",
    "compare",
    "refine_start",
    "refine_status",
)
"""Tools that write records of gateline's own."""
BROKEN = BASE.replace("def price(name: str) -> int:", "def price(name: str) -> int")


def digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def test_each_tool_says_what_it_takes_and_what_it_answers(agent: Agent) -> None:
    tools = {tool.name: tool for tool in agent.tools()}
    assert list(tools) == [
        *("gate_check", "gate_status", "checkpoint", "explain", "propose_fix", "context"),
        *("task", "worklog", "savepoint", "restore_preview", "remember", "recall", "compare"),
        *("refine_start", "refine_status"),
    ]
    for tool in tools.values():
        answers = tool.output_schema["properties"]
        assert {"content_hash", "fresh", "next_action", "handle", "after", "warning"} <= answers.keys()
        assert tool.input_schema["additionalProperties"] is False
        assert tool.annotations.read_only_hint is (tool.name not in WRITING)


def test_a_text_is_judged_before_it_is_written_and_after(agent: Agent, shop: Repository) -> None:
    thought = agent.call("gate_check", texts=[{"path": "shop.py", "text": WRONG}])
    assert thought["judged"] == "proposed" and thought["fresh"]
    assert "GTL301" in {row["code"] for row in thought["findings"]}
    assert (shop.folder / "shop.py").read_text() == BASE
    assert agent.call("gate_check")["findings"] == []

    shop.write("shop.py", WRONG)
    written = agent.call("gate_check")
    assert written["judged"] == "written" and written["fresh"]
    assert written["findings"] == thought["findings"]
    assert written["content_hash"] == thought["content_hash"]
    assert written["files"] == [{"path": "shop.py", "hash": digest(WRONG)}]
    assert agent.call("gate_status")["content_hash"] == written["content_hash"]
    shop.write("shop.py", BASE)
    assert not agent.call("gate_status")["fresh"]


def test_a_patch_is_judged(agent: Agent) -> None:
    patch = "--- a/shop.py\n+++ b/shop.py\n@@ -6 +6 @@\n-    return len(name)\n+    return eval(name)\n"
    answer = agent.call("gate_check", patch=patch)
    assert [(row["code"], row["line"]) for row in answer["findings"]] == [("GTL301", 6)]


def test_a_finding_is_explained_and_repaired(agent: Agent, shop: Repository) -> None:
    shop.write("shop.py", BROKEN)
    found = agent.call("gate_check")["findings"][0]
    told = agent.call("explain", finding=found["id"])
    assert (told["code"], told["path"], told["fresh"]) == ("GTL101", "shop.py", True)
    assert agent.call("explain", code="complex-function")["code"] == "GTL401"
    fix = agent.call("propose_fix", finding=found["id"], wait=60)
    assert fix["found"] and fix["fresh"] and fix["proof"] == "V1"
    assert "+def price(name: str) -> int:" in fix["diff"].splitlines()
    assert (shop.folder / "shop.py").read_text() == BROKEN
    assert agent.call("gate_check", patch=fix["diff"] + "\n")["findings"] == []


def test_long_answers_come_in_pages(agent: Agent, shop: Repository) -> None:
    shop.write("many.py", '"""Many."""\n\n' + "".join(f"eval(input('{n}'))\n" for n in range(60)))
    whole, after = [], ""
    for _ in range(60):
        answer = agent.call("gate_check", budget=900, after=after)
        whole += [row["id"] for row in answer["findings"]]
        assert tokens_of(agent.result("gate_check", budget=900, after=after).content[0].text) <= 900
        after = answer["after"]
        if not after:
            break
    assert len(whole) == len(set(whole)) >= 60
    assert tokens_of(agent.result("gate_check").content[0].text) <= 2000
    assert "starts again" in agent.call("gate_check", after="0123456789ab")["warning"]


def test_who_does_not_wait_gets_a_handle(agent: Agent, shop: Repository) -> None:
    shop.write("shop.py", WRONG)
    soon = agent.call("gate_check", level="final", wait=0)
    assert soon["handle"] and soon["running"] and not soon["fresh"] and soon["score"] is None
    then = agent.call("gate_check", handle=soon["handle"])
    assert then["fresh"] and then["level"] == "final" and not then["handle"]
    assert "unknown or expired" in agent.refusal("gate_check", handle="0123456789ab")


def test_the_report_is_that_of_the_command_line(agent: Agent, shop: Repository) -> None:
    shop.write("shop.py", WRONG)
    agent.call("gate_check", level="final")
    command = [*GATELINE, "check", "--level", "final", "--output", "json", "--exit-zero", "--no-cache"]
    done = subprocess.run(command, cwd=shop.folder, capture_output=True, text=True, check=True)
    assert agent.read("gateline://report") == done.stdout
    assert "GTL301" in agent.read("gateline://rules")
    series = {row["name"] for row in json.loads(agent.read("gateline://metrics"))["series"]}
    assert {"gateline_queue_depth", "gateline_lessons"} <= series
    assert agent.read("gateline://rules/GTL301").startswith("# GTL301")


def test_a_task_from_goal_to_worklog(agent: Agent, shop: Repository) -> None:
    agent.call("task", action="start", goal="Prices", todos=["round", "test"])
    shop.write("shop.py", WRONG)
    agent.call("task", action="update", done=["round"])
    shown = agent.call("task")
    assert (shown["done"], shown["of"], shown["next_action"]) == (1, 2, "test")
    kept = agent.call("savepoint", label="before daring")["savepoints"][0]
    shop.write("shop.py", BASE)
    preview = agent.call("restore_preview", savepoint=kept["id"])
    assert [(row["path"], row["action"]) for row in preview["steps"]] == [("shop.py", "change")]
    assert preview["command"] == f"gateline restore {kept['id']} --write"
    assert (shop.folder / "shop.py").read_text() == BASE
    assert "shop.py" in agent.call("savepoint", action="compare", before=kept["id"])["files"]
    assert kept["id"] in {row["id"] for row in agent.call("savepoint", action="list")["savepoints"]}
    shop.write("shop.py", WRONG)
    assert agent.call("checkpoint", iteration=10, iterations=10)["level"] == "final"
    log = agent.call("worklog", whole=True)
    assert "Prices" in log["page"] and "allows" in log["warning"]
    assert agent.call("task", action="finish")["outcome"] == "completed"
    assert agent.call("task", action="list")["tasks"][0]["goal"] == "Prices"


def test_passages_are_those_of_the_files(agent: Agent, shop: Repository) -> None:
    shop.write("shop.py", BASE.replace("def price", "def cost"))
    for _ in range(50):  # the index takes a moment until it has what was written
        answer = agent.call("context", query="cost of a name")
        if answer["fresh"] and any("def cost" in row["text"] for row in answer["passages"]):
            break
        time.sleep(0.2)
    else:
        raise AssertionError(answer)
    assert agent.call("context", path="shop.py", line=5)["passages"]


def test_only_some_files(agent: Agent, shop: Repository) -> None:
    shop.write("shop.py", WRONG)
    shop.write("other.py", '"""Another."""\n\neval(input())\n')
    assert {row["path"] for row in agent.call("gate_check", files=["other.py"])["findings"]} == {"other.py"}


def test_a_finding_of_a_proposed_text_is_explained_and_repaired_before_it_is_written(
    agent: Agent, shop: Repository
) -> None:
    text = BROKEN.replace("price", "never_seen")  # no verdict before this one has its findings
    texts = [{"path": "shop.py", "text": text}]
    found = agent.call("gate_check", texts=texts)["findings"][0]
    told = agent.call("explain", finding=found["id"])
    assert (told["code"], told["message"], told["fresh"]) == ("GTL101", found["message"], False)
    assert told["content_hash"] == "" and "and what you proposed" in told["next_action"]
    fix = agent.call("propose_fix", finding=found["id"])
    assert not fix["found"] and not fix["fresh"] and fix["diff"] == ""
    assert "is of a text of shop.py that is not written" in fix["error"]
    assert fix["next_action"].startswith("call propose_fix with the same finding, and the texts")
    fix = agent.call("propose_fix", finding=found["id"], texts=texts, wait=60)
    assert fix["found"] and fix["fresh"] and fix["proof"] == "V1"
    assert fix["content_hash"] == agent.call("gate_check", texts=texts)["content_hash"]
    assert fix["next_action"] == "apply the difference to what you proposed, then call gate_check"
    assert agent.call("gate_check", texts=texts, patch=fix["diff"] + "\n")["findings"] == []
    assert (shop.folder / "shop.py").read_text() == BASE
    shop.write("shop.py", text)
    assert agent.call("gate_check")["fresh"]
    assert agent.call("explain", finding=found["id"])["fresh"]
    assert agent.call("propose_fix", finding=found["id"], wait=60)["found"]


def test_who_does_not_wait_for_a_repair_of_what_is_proposed_gives_it_once(
    agent: Agent, shop: Repository
) -> None:
    patch = "--- a/shop.py\n+++ b/shop.py\n@@ -6 +6 @@\n-    return len(name)\n+    return len(name\n"
    found = agent.call("gate_check", patch=patch)["findings"][0]
    soon = agent.call("propose_fix", finding=found["id"], patch=patch, wait=0)
    assert soon["running"] and not soon["fresh"]
    fix = agent.call("propose_fix", handle=soon["handle"], wait=60)
    assert fix["found"] and fix["fresh"] and "+    return len(name)" in fix["diff"].splitlines()
    shop.write("shop.py", BASE.replace("price", "cost"))
    assert not agent.call("propose_fix", handle=soon["handle"], wait=60)["fresh"]


def test_a_repair_beside_a_file_that_is_proposed_to_be_deleted_says_so(
    agent: Agent, shop: Repository
) -> None:
    shop.write("other.py", '"""Another."""\n')
    texts = [{"path": "shop.py", "text": BROKEN}, {"path": "other.py", "text": None}]
    found = next(f for f in agent.call("gate_check", texts=texts)["findings"] if f["path"] == "shop.py")
    fix = agent.call("propose_fix", finding=found["id"], texts=texts, wait=60)
    assert fix["found"] and fix["warning"].startswith("verified without the deletion of other.py: ")
    alone = agent.call("propose_fix", finding=found["id"], texts=texts[:1], wait=60)
    assert alone["found"] and "deleted" not in alone["warning"]


def test_texts_for_a_repair_go_with_their_own_finding(agent: Agent, shop: Repository) -> None:
    texts = [{"path": "shop.py", "text": WRONG}]
    told = agent.refusal("propose_fix", finding="0123456789ab", texts=texts, wait=60)
    assert "is not a finding of these texts at the checkpoint early; give the texts that were judged" in told
    assert "need the ID of a finding" in agent.refusal("propose_fix", traceback="E", texts=texts)
    outside = [{"path": "../shop.py", "text": WRONG}]
    assert "is not inside" in agent.refusal("propose_fix", finding="0123456789ab", texts=outside, wait=60)


def test_the_frame_of_an_answer_does_not_count_toward_the_bound() -> None:
    """LIGHT allows 60 tokens in a task: the frame alone of one answer has more."""
    clean = GateAnswer(
        content_hash="0" * 32,
        fresh=True,
        judged="written",
        level="early",
        decision="continue",
        status="PASS",
        score=100.0,
        base="HEAD of the default branch main",
        tests="there are no tests",
        files=(FileRow(path="shop.py", hash="0" * 32),),
        next_action="go on; call gate_check with level final before you say that you are done",
    )
    assert clean.content <= 0.8 * 60 < 60 < clean.tokens
    message = "Incompatible return value type (got str, expected int)"
    found = FoundRow(
        id="0" * 12,
        code="GTL110",
        path="shop.py",
        line=6,
        message=message,
        severity="error",
        novelty="new",
        tool="mypy: return-value",
        points=9.0,
    )
    more = clean.with_(findings=(found,)).content - clean.content
    assert tokens_of(message) < more < 2.5 * tokens_of(message), "what it tells counts"


def test_a_light_task_is_checked_without_a_warning_and_warned_when_it_is_told_much(
    agent: Agent, shop: Repository
) -> None:
    shop.git("checkout", "--quiet", "-b", "light")
    try:
        shop.write(
            "shop.py", BASE.replace('"""The price."""', '"""What it costs."""\n    name = name.strip()')
        )
        assert agent.call("task", action="start", goal="Strip names")["goal"] == "Strip names"
        assert agent.call("gate_check")["warning"] == ""
        warned = [agent.call("explain", code="complex-function")["warning"] for _ in range(2)][-1]
        assert "of the 60 tokens that LIGHT allows" in warned
    finally:
        shop.git("checkout", "--quiet", "--force", "main")


def test_a_test_that_would_be_weakened_is_told_with_what_the_final_gate_says(
    agent: Agent, shop: Repository
) -> None:
    test = "from shop import price\n\n\ndef test_price():\n    assert price('tea') == 3\n"
    shop.commit("a test", **{"test_shop.py": test})
    weak = {"path": "test_shop.py", "text": test.replace("== 3", "is not None")}
    for level in ("early", "middle"):
        answer = agent.call("gate_check", texts=[weak], level=level)
        assert answer["findings"][0]["code"] == "GTL604"
        assert answer["next_action"].startswith(
            "do not make this edit: it weakens how the change is judged, and the final gate refuses it: GTL6"
        )
    shop.write(**weak)
    assert agent.call("gate_check", level="final")["status"] == "FAIL"


def test_what_was_not_measured_has_no_score(agent: Agent, shop: Repository) -> None:
    shop.write("notes.md", "Nothing of Python.\n")
    assert agent.call("gate_check", level="early")["score"] is None
    answers = agent.tools()[0].output_schema["properties"]
    assert {"type": "null"} in answers["score"]["anyOf"]


def test_nothing_of_it_is_asked_where_the_sdk_is_not_there(shop: Repository, tmp_path: Path) -> None:
    (tmp_path / "mcp.py").write_text("raise ImportError\n")
    command = [GATELINE[0], "-c", "from gateline.__main__ import main; main()", "mcp"]
    environment = {"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        command, cwd=shop.folder, capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 2 and "gateline[agents]" in done.stderr


def test_what_was_learned_is_remembered_and_recalled(agent: Agent) -> None:
    said = "price counts letters on purpose: the till of the museum charges by the letter"
    stored = agent.call("remember", text=said, tags=["till"], path="shop.py", symbol="price")
    assert (stored["outcome"], stored["fresh"]) == ("create", True)
    again = agent.call("remember", text=f"{said.upper()}.", path="shop.py", symbol="price")
    assert (again["outcome"], again["id"]) == ("noop", stored["id"])
    found = agent.call("recall", query="why does the till charge by letters")
    assert [(row["id"], row["about"], row["source"]) for row in found["lessons"]] == [
        (stored["id"], "shop.py:price", "agent")
    ]
    assert agent.call("recall", path="shop.py")["lessons"][0]["id"] == stored["id"]
    assert agent.call("recall", query="kubernetes ingress certificates")["lessons"] == []
    assert agent.call("recall", helped=[stored["id"]])["lessons"] == []
    history = subprocess.run(
        [*GATELINE, "recall"], cwd=agent.root, capture_output=True, text=True, check=True
    ).stdout
    assert "helped 1×" in history


def test_an_agent_is_refused_what_is_no_lesson_and_cannot_forget(agent: Agent) -> None:
    assert "secret" in agent.refusal("remember", text="the key is AKIA" + "IOSFODNN7REALKEY")
    assert "outside the workspace" in agent.refusal("remember", text="Mind it", path="../other.py")
    assert "gone.py is gone" in agent.refusal("remember", text="Mind it", path="gone.py")
    assert "give a query" in agent.refusal("recall")
    assert "forget" not in {tool.name for tool in agent.tools()}
