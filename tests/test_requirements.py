"""The table of promises is complete, and no test claims one that it does not prove."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.older_systems import SYSTEMS, list_promises
from tests.requirements import (
    GROUPS,
    REQUIREMENTS,
    TESTS,
    Claim,
    claims,
    main,
    report,
    requirement,
)

# The contract's rows; numbers between the ranges were never given out.
ROWS = [
    *(f"U{n:03}" for first, last in [(1, 17), (20, 31), (40, 64), (70, 97)] for n in range(first, last + 1)),
    *(f"U{n:03}" for first, last in [(100, 122), (130, 157), (160, 170), (180, 199)] for n in range(first, last + 1)),
    *(f"A{n:02}" for n in range(1, 21)),
    # what we promise beside the contract, numbered as it comes
    *(f"L{n:02}" for n in range(1, len(GROUPS["Learning"]) + 1)),
    *(f"R{n:02}" for n in range(1, len(GROUPS["Every runtime"]) + 1)),
    *(f"H{n:02}" for n in range(1, len(GROUPS["Busy machines"]) + 1)),
    *(f"T{n:02}" for n in range(60, 60 + len(GROUPS["What people say"]))),
    *(f"T{n:02}" for n in range(90, 90 + len(GROUPS["Asked and recognised"]))),
    *(f"T{n:02}" for n in range(70, 70 + len(GROUPS["Session start"]))),
    *(f"T{n:02}" for n in range(40, 40 + len(GROUPS["True figures"]))),
    *(f"T{n:02}" for n in range(10, 10 + len(GROUPS["What travels"]))),
    *(f"T{n:02}" for n in range(1, 1 + len(GROUPS["What is learned"]))),
    *(f"T{n:02}" for n in range(20, 20 + len(GROUPS["Stops"]))),
    *(f"T{n}" for n in range(50, 50 + len(GROUPS["Growth"]))),
    *(f"T{n:02}" for n in range(80, 80 + len(GROUPS["Notes of people and agents"]))),
    *(f"T{n}" for n in range(101, 101 + len(GROUPS["Nothing in silence"]))),
    *(f"T{n}" for n in range(109, 109 + len(GROUPS["Told when it concerns"]))),
    *(f"T{n}" for n in range(150, 150 + len(GROUPS["The same at any size"]))),
    *(f"T{n}" for n in range(120, 120 + len(GROUPS["Asked is answered"]))),
    *(f"T{n}" for n in range(130, 130 + len(GROUPS["Languages"]))),
    *(f"T{n}" for n in range(140, 140 + len(GROUPS["Supersession"]))),
    *(f"B{n:02}" for n in range(1, 1 + len(GROUPS["Background work"]))),
    *(f"T{n}" for n in range(160, 160 + len(GROUPS["Ageing"]))),
    *(f"T{n}" for n in range(170, 170 + len(GROUPS["Who asks"]))),
    *(f"T{n}" for n in range(240, 240 + len(GROUPS["Clocks and copies"]))),
    *(f"T{n}" for n in range(310, 310 + len(GROUPS["Copies and damage"]))),
    *(f"T{n}" for n in range(340, 340 + len(GROUPS["The vault"]))),
    *(f"Y{n:02}" for n in range(1, 1 + len(GROUPS["Supply and surface"]))),
    *(f"Y{n}" for n in range(45, 45 + len(GROUPS["Forgetting"]))),
    *(f"Y{n:02}" for n in range(10, 10 + len(GROUPS["Dangerous texts"]))),
    *(f"Y{n}" for n in range(30, 30 + len(GROUPS["Devices and bundles"]))),
    *(f"Y{n:02}" for n in range(65, 65 + len(GROUPS["Whose checkout it is"]))),
    *(f"Y{n}" for n in range(75, 75 + len(GROUPS["Agents stay agents"]))),
    *(f"Y{n}" for n in range(55, 55 + len(GROUPS["Secrets"]))),
    *(f"Y{n}" for n in range(20, 20 + len(GROUPS["One gate"]))),
    *(f"N{n:02}" for n in range(1, 1 + len(GROUPS["First hour"]))),
    *(f"V{n:02}" for n in range(1, 1 + len(GROUPS["One audit"]))),
    *(key for rows in SYSTEMS.values() for key in list_promises(rows)),
]  # fmt: skip

UNDECORATED = re.compile(r"(?<!@)\brequirement\(")  # few files have it, if only in a comment
bind = requirement  # under another name, so that what we do to it here is not read as a claim


def test_the_table_holds_the_rows_of_the_contract_and_no_others() -> None:
    assert list(REQUIREMENTS) == ROWS
    assert sum(map(len, GROUPS.values())) == len(ROWS)


def test_every_promise_is_a_sentence_one_can_read_in_a_breath() -> None:
    clumsy = {
        key: text
        for key, text in REQUIREMENTS.items()
        if not text[0].isupper() or not text.endswith(".") or len(text) > 200
    }

    assert clumsy == {}
    assert len(set(REQUIREMENTS.values())) == len(REQUIREMENTS)


@requirement("U198")
def test_every_promise_is_either_proven_by_a_test_or_reported_as_a_gap() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "tests.requirements", "--json"],
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    ).stdout

    shown = json.loads(printed)

    assert shown["covered"].keys() | shown["gaps"].keys() == REQUIREMENTS.keys()
    assert shown["covered"].keys().isdisjoint(shown["gaps"].keys())
    assert shown["gaps"].items() <= REQUIREMENTS.items()
    assert shown["covered"].keys() == {key for claim in claims() for key in claim.ids}
    assert sum(group["covered"] for group in shown["groups"].values()) == len(shown["covered"])


def test_no_test_claims_a_promise_that_nobody_made() -> None:
    assert report(claims()).unknown == {}


def test_no_test_claims_a_promise_without_proving_anything() -> None:
    assert [f"{claim.test} {why}" for claim in claims() for why in flaws(claim)] == []


def test_a_promise_is_claimed_by_decorating_a_test_and_in_no_other_way() -> None:
    stray = [
        f"{path.relative_to(TESTS.parent)}:{node.lineno}: only a decorator is counted"
        for path in sorted(TESTS.rglob("*.py"))
        if UNDECORATED.search(text := path.read_text(encoding="utf-8"))
        for node in stray_calls(ast.parse(text))
    ]

    assert stray == []


def test_what_the_report_reads_is_what_pytest_runs(request: pytest.FixtureRequest) -> None:
    read = {claim.test: set(claim.ids) for claim in claims()}

    for item in request.session.items:
        marked = {key for mark in item.iter_markers("requirement") for key in mark.args}

        assert marked == read.get(item.nodeid.partition("[")[0], set()), item.nodeid


@pytest.mark.parametrize("ids", [("U000",), ("U001", "A21"), ("u001",), ()])
def test_a_promise_that_is_not_in_the_table_cannot_be_claimed(ids: tuple[str, ...]) -> None:
    with pytest.raises(LookupError, match="promise"):
        bind(*ids)


def test_the_report_names_each_gap_with_its_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    result = report(claims())

    code = main([])

    lines = capsys.readouterr().out.splitlines()
    assert code == 0
    assert {f"{key}  {text}" for key, text in result.gaps.items()} <= set(lines)
    covered, gaps = len(result.covered), len(result.gaps)
    assert lines[-1] == f"covered {covered} of {len(REQUIREMENTS)}, gaps {gaps}"


def test_the_report_names_the_tests_behind_a_promise(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--covered"])

    printed = capsys.readouterr().out
    assert f"U198  {REQUIREMENTS['U198']}" in printed
    assert "tests/test_requirements.py::test_every_promise_is_either_proven" in printed


SAMPLE = """
@requirement("U001", "U002")
def test_alone(): assert answer()

@pytest.mark.parametrize("n", [1])
@requirement("U003")
async def test_parametrised(n): assert n

def test_without_claim(): assert answer()

@requirement("U004")
class TestTogether:
    def test_first(self): assert answer()
    @requirement("U005")
    def test_second(self): assert answer()
    def a_note(self): return 1

class TestPlain:
    @requirement(*IDS)
    def test_computed(self): assert answer()
"""


def test_claims_are_found_on_functions_on_methods_and_on_whole_classes(tmp_path: Path) -> None:
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "test_sample.py").write_text(SAMPLE, encoding="utf-8")

    found = claims(folder)

    assert {claim.test.removeprefix("tests/test_sample.py::"): claim.ids for claim in found} == {
        "test_alone": ("U001", "U002"),
        "test_parametrised": ("U003",),
        "TestTogether::test_first": ("U004",),
        "TestTogether::test_second": ("U004", "U005"),
        "TestPlain::test_computed": ("*IDS",),
    }
    assert report(found).unknown == {"*IDS": ["tests/test_sample.py::TestPlain::test_computed"]}


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("def test_x(): run()", "asserts nothing"),
        ("def test_x(): assert True", "asserts nothing"),
        ("def test_x(): raises(KeyError)", "asserts nothing"),
        ("@pytest.mark.skip\ndef test_x(): assert run()", "is not run, or may fail"),
        ("@pytest.mark.xfail(reason='later')\ndef test_x(): assert run()", "is not run, or may fail"),
        ("def check_x(): assert run()", "is no test that pytest collects"),
        ("class TestX: pass", "is no test that pytest collects"),
        ("def test_x(): assert run()", None),
        ("def test_x():\n  with pytest.raises(KeyError): run()", None),
        ("def test_x(): assert_same(run(), 1)", None),
        ("@pytest.mark.skipif(WINDOWS, reason='modes')\ndef test_x(): assert run()", None),
    ],
)  # fmt: skip
def test_a_hollow_test_cannot_claim_a_promise(source: str, why: str | None) -> None:
    node = ast.parse(source).body[0]
    assert isinstance(node, ast.FunctionDef | ast.ClassDef)

    found = flaws(Claim("test_x", ("U001",), node))

    assert found == ([why] if why else [])


def test_a_promise_claimed_outside_a_decorator_is_noticed() -> None:
    tree = ast.parse('pytestmark = requirement("U001")\n@requirement("U002")\ndef test_x(): ...')

    assert [node.lineno for node in stray_calls(tree)] == [1]


def flaws(claim: Claim) -> list[str]:
    """Say why a test does not count as a proof."""
    node = claim.node
    if isinstance(node, ast.ClassDef) or not node.name.startswith("test"):
        return ["is no test that pytest collects"]
    marks = " ".join(ast.unparse(mark) for mark in node.decorator_list)
    found = []
    if re.search(r"\bmark\.(skip|xfail)\b", marks):
        found.append("is not run, or may fail")
    if not any(checks(part) for part in ast.walk(node)):
        found.append("asserts nothing")
    return found


def checks(node: ast.AST) -> bool:
    """Tell whether a piece of a test can make it fail."""
    match node:
        case ast.Assert(test=claimed):
            return not isinstance(claimed, ast.Constant)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="pytest"), attr="raises")):
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name.startswith("assert_")
        case _:
            return False


def stray_calls(tree: ast.Module) -> list[ast.Call]:
    """Return the uses of ``requirement`` that are no decorators."""
    counted = {
        id(mark)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        for mark in node.decorator_list
    }
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "requirement"
        and id(node) not in counted
    ]
