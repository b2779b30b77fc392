"""Changes of other devices that wait for an answer: what they would do, and the answer."""

from twiceshy.app import App
from twiceshy.cli.options import open_app
from twiceshy.cli.output import flatten_text, print_message, print_result, print_worded
from twiceshy.notes.person import require_person
from twiceshy.sync.devices import answer_changes, describe_change, list_asked_changes
from twiceshy.wording import worded

_LONGEST = 5_000  # characters: a person reads the whole of a rule before agreeing


def print_asked_changes(app: App) -> None:
    """Print the changes that wait, and how to answer."""
    asked = list_asked_changes(app)
    for one in asked:
        print_message(flatten_text(describe_change(app, one), limit=_LONGEST))
    if asked:
        print_worded(
            "{count} changes of other devices wait for your answer: twiceshy review --accept-all changes, or --reject-all changes",
            count=len(asked),
        )


def answer_asked_changes(*, yes: bool, as_json: bool) -> None:
    """Take in all changes that wait, or leave them out for good."""
    with open_app() as app:
        asked = list_asked_changes(app)
        require_person(
            "decide", [flatten_text(describe_change(app, one), limit=_LONGEST) for one in asked]
        )
        if asked:
            answer_changes(app, yes=yes)
        plain = {"answered": len(asked), "accepted": yes}
        print_result(plain, (), talk=[_describe_answer(len(asked), yes=yes)], as_json=as_json)


def _describe_answer(count: int, *, yes: bool) -> str:
    if not count:
        return worded("no change of another device waits for an answer")
    if yes:
        return worded(
            "{count} changes were taken in; twiceshy undo takes back all but what was forgotten",
            count=count,
        )
    return worded("{count} changes were left out", count=count)
