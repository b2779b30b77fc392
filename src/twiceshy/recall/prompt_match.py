"""Tell notes about what a prompt names: a command, a file, or an error that was pasted.

Words in common are no reason to speak unasked. A prompt must hold the command itself, the words of
the program side by side, or the file's own path, or echo an error that the note quotes.
"""

from __future__ import annotations

from twiceshy.core.text import keep_both_ends
from twiceshy.core.trigger import FILES

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.core.store import HookStore
    from twiceshy.core.trigger import Trigger, TriggerMatch
    from twiceshy.recall.event_context import EventContext

_WRITTEN = ("user", "agent", "import")  # lessons that were learned have channels of their own
_MAX_PROMPT = 8_000  # characters, at both ends
_MAX_WORDS = 400
_MOST = 2
_MIN_WORDS = 2
_MARKS = ".,:;!?()[]{}<>'\"`*"
_ERROR_SIGNS = ("rror", "xception", "ailed", "atal", "annot", "not found", "denied", "refused")


def tell_at_prompt(context: EventContext, prompt: str) -> str:
    """Return notes about what a prompt names, and mistakes it invites that no hook would meet."""
    projects, told = context.visible_projects(), context.told_notes()
    unseen = context.store.match_triggers(projects, which="unseen")
    invited = [match.note for match in unseen if _names_words(match, prompt)]
    named = [*invited[:1], *find_notes_for_prompt(context.store, projects, prompt)]
    fresh = [
        note
        for note in dict.fromkeys(named)
        if note.id not in told and note.kind != "rule" and context.may_tell(note)
    ]
    return context.tell_notes(
        fresh[:_MOST],
        channel="prompt",
        tokens=context.app.config.integer("brief.call_tokens"),
    )


def find_notes_for_prompt(store: HookStore, projects: Sequence[str], prompt: str) -> list[Note]:
    """Return notes that people and agents wrote about a command, file or error in a prompt."""
    text = keep_both_ends(prompt, most=_MAX_PROMPT)
    sentences = [_split_words(line) for line in text.replace(". ", "\n").split("\n")]
    words = list(dict.fromkeys(word for sentence in sentences for word in sentence))
    asked = [*words, *(pair for word in words if "/" in word for pair in _path_tail(word))]
    found = store.match_triggers(projects, None, asked[:_MAX_WORDS]) if asked else []
    named = [
        match.note
        for match in found
        if any(_names_call(match.trigger, sentence) for sentence in sentences)
    ]
    if any(sign in text for sign in _ERROR_SIGNS):
        from twiceshy.recall.error_match import find_notes_for_error

        named = [*find_notes_for_error(store, projects, text), *named]
    return [note for note in dict.fromkeys(named) if note.source in _WRITTEN]


def _names_words(match: TriggerMatch, prompt: str) -> bool:
    """True if a prompt contains every word of a trigger."""
    words = {word.lower() for word in _split_words(prompt)}
    return all((term.partition("=")[2] or term).lower() in words for term in match.trigger.words)


def _names_call(trigger: Trigger, words: Sequence[str]) -> bool:
    """True if a sentence holds the call of a trigger: its words side by side, and its flags."""
    if trigger.tool == FILES:
        (path,) = trigger.words[:1]
        return any(word == path or word.endswith(f"/{path}") for word in words)
    if set(trigger.absent).intersection(words):
        return False
    flags = {word for word in trigger.words if word[0] == "-"}
    plain = set(trigger.words) - flags
    if len(trigger.words) < _MIN_WORDS or not flags.issubset(words) or not plain:
        return False
    bare = [word for word in words if word[0] != "-"]
    return any(
        plain == set(bare[at : at + len(plain)]) for at in range(len(bare) - len(plain) + 1)
    )


def _split_words(text: str) -> list[str]:
    words = (word.strip(_MARKS) for word in text.split())
    return [word for word in words if word]


def _path_tail(path: str) -> list[str]:
    names = path.rpartition(":")[0].split("/") if path[-1:].isdigit() else path.split("/")
    return ["/".join(names[-2:]), names[-1]]
