"""What one session learned about files and tools is told in the next, as processes of the client see it."""

from pathlib import Path
from typing import Any

import pytest
from tests.hooks.attack import fire
from tests.hooks.sessions import Session, after, twiceshy
from tests.requirements import requirement
from tests.runtimes.claude_code.transcript_lines import a_file, a_record, a_return, a_use

TOO_LARGE = (
    "File content (85812 tokens) exceeds maximum allowed tokens (25000). Use offset and limit"
    " parameters to read specific portions of the file, or search for specific content instead."
)
REFUSED = (
    "InputValidationError: mcp__hub__search failed due to the following issues:\n"
    "The required parameter `jql` is missing\nAn unexpected parameter `query` was provided"
)
SEARCH = "mcp__hub__search"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def study(session: Session, *calls: tuple[str, dict[str, Any], str]) -> None:
    """Write the transcript of calls with their errors, empty for those that worked, and learn from it."""
    records: list[object] = []
    for number, (tool, given, error) in enumerate(calls):
        call = f"toolu-{session.name}-t{number}"
        made = a_use(call, tool, **given)
        came = a_return(call, error or "done", is_error=bool(error))
        for kind, content in (("assistant", made), ("user", came)):
            records.append(
                a_record(
                    kind,
                    f"{session.name}-{len(records)}",
                    message={"role": kind, "content": [content]},
                    sessionId=session.name,
                    cwd=str(session.project),
                    timestamp=after(len(records)),
                )
            )
    session.start()
    a_file(session.project.parent / "transcripts" / f"{session.name}.jsonl", *records)
    fire(b"", env={"TWICESHY_NOW": session.now}, arguments=["learn", session.name, "over"])


def fail(session: Session, tool: str, error: str, **given: Any) -> str:
    """Have made a call that failed, and return what is told about it."""
    call = session.call(tool, **given)
    return session.told("PostToolUseFailure", **call, error=error, is_interrupt=False)


@requirement("T06")
def test_a_file_that_was_too_large_is_told_of_when_it_is_read_whole_again(
    home: Path, project: Path
) -> None:
    path = f"{project}/data/orders.json"
    part = {"file_path": path, "offset": 1, "limit": 50}
    study(Session(project), ("Read", {"file_path": path}, TOO_LARGE), ("Read", part, ""))

    told = fail(Session(project, "session-2"), "Read", TOO_LARGE, file_path=path)
    other = fail(
        Session(project, "session-3"), "Read", TOO_LARGE, file_path=f"{project}/data/carts.json"
    )

    line = "Read `data/orders.json` with `offset` and `limit`: it is too large to read whole"
    assert line in told
    assert other == ""
    assert line in twiceshy(project, "review")


@requirement("T06")
def test_a_command_on_a_large_file_says_nothing_about_reading_it_whole(
    home: Path, project: Path
) -> None:
    path = f"{project}/data/orders.json"
    study(
        Session(project),
        ("Read", {"file_path": path}, TOO_LARGE),
        *(("Bash", {"command": f"sed -n {n},9p {path}"}, "") for n in range(1, 7)),
        *(("Grep", {"pattern": "id", "path": path}, "") for _ in range(6)),
    )

    assert "data/orders.json" in fail(
        Session(project, "session-2"), "Read", TOO_LARGE, file_path=path
    )


@requirement("T07")
def test_the_right_name_of_an_argument_is_told_when_a_tool_refuses_it_again(
    home: Path, project: Path
) -> None:
    study(
        Session(project),
        (SEARCH, {"query": "status = open and assignee = nobody at all, in any order"}, REFUSED),
        (SEARCH, {"jql": "status = open"}, ""),
    )

    told = fail(Session(project, "session-2"), SEARCH, REFUSED, query="carts " * 40)

    assert (
        f"{SEARCH}: argument `jql`, not `query`: The required parameter 'jql' is missing" in told
    )
