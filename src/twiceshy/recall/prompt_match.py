"""Tell notes about what a prompt names: a command, a file, an error that was pasted, or a subject.

A few words in common are no reason to speak unasked. A prompt must hold the command itself, the words
of the program side by side, or the file's own path, echo an error that the note quotes, or have many
of the words of a note that a person or an agent wrote.
"""

from __future__ import annotations

from twiceshy.core.text import keep_both_ends
from twiceshy.core.trigger import FILES, may_still_fail

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Note
    from twiceshy.core.trigger import Trigger, TriggerMatch
    from twiceshy.recall.event_context import EventContext

_MAX_PROMPT = 20_000  # characters, at both ends
_MAX_WORDS = 2_000  # that are looked up, 1 µs each
_MOST = 2
_MIN_WORDS = 2
_FEWEST_TELLING, _TELLING = 4, 3  # words of so many letters, without which a prompt has no subject
_MARKS = ".,:;!?()[]{}<>'\"`*"
_WRITTEN = ("user", "agent", "import")
_QUOTING = frozenset("`\"'“「:\n0123456789")  # what is quoted has one of these in or around it
_SIGNS = """rror xception fail fatal cannot unable found such denied refused already invalid unknown
missing unexpected conflict timeout timed""".split()


def tell_at_prompt(context: EventContext, prompt: str) -> str:
    """Return notes about what a prompt names, and mistakes that it invites, if telling them pays."""
    text = keep_both_ends(prompt, most=_MAX_PROMPT)
    told = context.told_notes()
    named = [match for match in _match_named(context, text) if match.note.id not in told]
    learned = [match for match in named if match.note.source == "detector"]
    notes = [
        *_find_quoting(context, text),
        *_choose_lessons(context, learned),
        *(match.note for match in named if match.note.source in _WRITTEN),
        *_find_about(context, text),
    ]
    fresh = [
        note
        for note in dict.fromkeys(notes)
        if note.id not in told and note.kind != "rule" and context.may_tell(note)
    ]
    return context.tell_notes(
        fresh[:_MOST],
        channel="prompt",
        tokens=context.app.config.integer("brief.call_tokens"),
    )


def _match_named(context: EventContext, text: str) -> list[TriggerMatch]:
    """Return the notes whose command or file a prompt names.

    A mistake that no hook would meet is named by its words, in any order.
    """
    store, projects = context.store, context.visible_projects()
    sentences = [_split_words(line) for line in text.replace(". ", "\n").split("\n")]
    words = list(dict.fromkeys(word for sentence in sentences for word in sentence))
    asked = [*words, *(pair for word in words if "/" in word for pair in _path_tail(word))]
    found = store.match_triggers(projects, None, asked[:_MAX_WORDS]) if asked else []
    unseen = store.match_triggers(projects, which="unseen")
    return [
        *(match for match in unseen if _names_words(match, words)),
        *(
            match
            for match in found
            if any(_names_call(match.trigger, sentence) for sentence in sentences)
        ),
    ]


def _choose_lessons(context: EventContext, named: Sequence[TriggerMatch]) -> list[Note]:
    """Return the lesson worth most that a prompt names, if it pays for itself."""
    tellable = [match for match in named if context.may_tell(match.note)]
    if not tellable:
        return []
    from twiceshy.core.lesson_value import choose_lessons, value_at_prompt
    from twiceshy.recall.first_use import read_prices_left

    prices = read_prices_left(context)
    chosen = choose_lessons(tellable, prices, value=value_at_prompt)
    return [match.note for match, _ in chosen[:1]]


def _find_quoting(context: EventContext, text: str) -> list[Note]:
    """Return the notes that echo an error in a prompt; lessons only while such calls fail."""
    if not _may_quote_error(text):
        return []
    from twiceshy.recall.prompt_error import find_notes_for_prompt_error

    store, projects = context.store, context.visible_projects()
    found = find_notes_for_prompt_error(store, projects, text)
    if all(note.source != "detector" for note in found):
        return found
    holding = {
        match.note.id
        for match in store.match_triggers(projects, which="learned")
        if may_still_fail(match)
    }
    return [note for note in found if note.source != "detector" or note.id in holding]


def _find_about(context: EventContext, text: str) -> list[Note]:
    """Return the note of a person or an agent that a prompt is about; a short prompt is about none."""
    if text.isascii() and sum(len(word) >= _TELLING for word in text.split()) < _FEWEST_TELLING:
        return []
    from twiceshy.recall.prompt_subject import find_note_about_prompt

    projects = context.visible_projects()
    found = find_note_about_prompt(context.store, projects, text, sources=_WRITTEN)
    if not found or not _may_quote_error(text):
        return found
    from twiceshy.recall.prompt_error import drop_other_names, split_sentences

    return drop_other_names(found, list(split_sentences(text)))


def _may_quote_error(text: str) -> bool:
    """False for plain prose, for which the rules of errors are not loaded."""
    if not _QUOTING.isdisjoint(text) or any(word.isupper() for word in text.split()):
        return True
    lower = text.lower()
    return any(sign in lower for sign in _SIGNS)


def _names_words(match: TriggerMatch, words: Sequence[str]) -> bool:
    """True if a prompt has every word of a trigger."""
    said = {word.lower() for word in words}
    return all((term.partition("=")[2] or term).lower() in said for term in match.trigger.words)


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
