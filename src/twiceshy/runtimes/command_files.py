"""Commands as Markdown pages, one per name of each command.

A client puts the user's words into a page unchanged. So no line run by the client itself has
a place for user words: such a line runs constant words and read-only verbs. User words are
passed by the model as quoted arguments, and the client asks about shell tricks.
"""

from __future__ import annotations

import json

from twiceshy.core.value import Value
from twiceshy.runtimes.command_table import PAIRS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.runtimes.command_table import CommandPair

WORDS = "$ARGUMENTS"  # where a client puts what the user added
_QUOTED = "Put text between single quotes, and write '\\'' for a single quote inside it."
_IN_CHINESE = ("", "Answer in Traditional Chinese (繁體中文).")


class CommandPage(Value):
    """A command under one of its names, as needed by a client."""

    name: str
    about: str
    pair: CommandPair
    body: str

    @property
    def to_markdown(self) -> str:
        """Return the page as a Markdown file."""
        hint = json.dumps(self.pair.hint)
        head = [
            # in quotes: a colon or a bracket would mean something else there
            f"description: {json.dumps(self.about, ensure_ascii=False)}",
            *([f"argument-hint: {hint}"] if self.pair.hint else []),
            f"allowed-tools: Bash(twiceshy {self.pair.name}:*)",
            # a line for each of them in the context of every session is more than they are worth
            "disable-model-invocation: true",
        ]
        return "\n".join(("---", *head, "---", "", self.body))


def build_command_pages(*, runs: bool) -> list[CommandPage]:
    """Return the pages of every command; ``runs``: the client runs marked lines itself."""
    found = []
    for pair in PAIRS:
        body = [*_invocation(pair, runs=runs), *pair.then]
        found.append(CommandPage(pair.name, pair.about, pair, _page_text(body)))
        found.append(
            CommandPage(pair.chinese, pair.about_chinese, pair, _page_text([*body, *_IN_CHINESE])),
        )
    return found


def _page_text(lines: list[str]) -> str:
    return "\n".join((*lines, ""))


def _invocation(pair: CommandPair, *, runs: bool) -> list[str]:
    """Return the invocation of the verb: by the client before the model, or by the model."""
    verb = f"twiceshy {pair.name}"
    said = f"The user's words, if any: {WORDS}"
    if not (pair.only_reads and runs):
        how = f" with them as arguments; `{verb} --help` lists its options. {_QUOTED}"
        return [said, "", f"Run `{verb}`{how}", ""] if pair.hint else [f"Run `{verb}`.", ""]
    # a client that gets an error from such a line shows nothing else
    printed = [f"`{verb}` printed:", "", f"!`{verb} || true`", ""]
    if not pair.hint:
        return printed
    again = f"If there are some, run `{verb}` once more with them as arguments. {_QUOTED}"
    return [*printed, said, again, ""]
