"""Offers at the first install: a model, starter notes, and lessons from old sessions."""

import os
import sys
from contextlib import suppress

import click

from twiceshy.app import App, load_settings
from twiceshy.cli.config import set_setting
from twiceshy.cli.options import open_app
from twiceshy.cli.output import STOPPED, print_message, print_worded
from twiceshy.cli.progress import progress_bar
from twiceshy.config.resolved import Config
from twiceshy.core.filter import NoteFilter
from twiceshy.core.store_learning import find_progress
from twiceshy.files.json_cache import JsonCache
from twiceshy.learning.learn import LearningReport, learn_from_transcripts
from twiceshy.learning.sources import TranscriptSource, list_all_sources
from twiceshy.notes.starter import add_starter_notes, count_starter_notes

MODELS = ("none", "claude-cli", "openai")
_MEGABYTE = 1 << 20
_BACKEND = "distiller.backend"
LATER = "hint: to learn from the transcripts of earlier sessions: twiceshy distill --all"
QUESTIONS = ("model", "history")
_ANSWERS = "questions.json"
_EVERY_NOTE = NoteFilter(statuses=())


def choose_model(config: Config, named: str | None, *, ask: bool) -> Config:
    """Set the named distiller model, or ask the user once."""
    asking = named is None and ask and sys.stdin.isatty() and config.text(_BACKEND) == "none"
    if asking and "model" not in _answers(config).read_document():
        print_message(
            "Lessons are found by rules, without a model. A model may refine them; it then sees"
        )
        print_message(
            "redacted pieces of your sessions, and every call is in the ledger (twiceshy cost)."
        )
        named = str(click.prompt("Which one", type=click.Choice(MODELS), default="none", err=True))
        keep_answers(config, "model")
    if named is None or named == config.text(_BACKEND):
        return config
    set_setting(_BACKEND, named)
    print_message(
        f"{_BACKEND} is {named} now; `twiceshy config set {_BACKEND} none` switches it off"
    )
    return load_settings()


def count_new_starters(config: Config) -> dict[str, int]:
    """Count the addable starter notes per skill, without creating a store."""
    if not os.path.exists(config.store):
        return count_starter_notes(None)
    with open_app(config) as app:
        return count_starter_notes(app)


def add_wanted_starters(config: Config) -> dict[str, int]:
    """Add the starter notes of skills that have no notes, and return their number by skill."""
    notes = count_new_starters(config)
    if not notes:
        print_message("no starter notes were added: each of those skills has notes already")
        return {}
    with open_app(config) as app:
        added = add_starter_notes(app)
    print_message(f"added {len(added)} starter notes; `twiceshy undo` takes them back")
    return notes


def learn_from_history(config: Config, *, wanted: bool, ask: bool) -> dict[str, int]:
    """Learn from existing transcripts if requested, or offer it once."""
    offered = ask and sys.stdin.isatty() and "history" not in _answers(config).read_document()
    if not wanted and not offered:
        return {}
    with open_app(config) as app:
        new = [one for one in list_all_sources(app) if find_progress(app.store, one.path) is None]
        if not new:
            if wanted:
                print_message("there are no transcripts that were not read yet")
            return {}
        agreed = wanted or _confirm_learning(new)
        keep_answers(config, "history")
        if not agreed:
            print_message(LATER)
            return {}
        with app.learning_lock(patience=60.0) as mine:
            if not mine:
                print_message("another process is learning already; nothing is lost")
                return {}
            studied = read_transcripts(app, new)
    print_message(describe_learning(studied))
    if studied.learned.new:
        print_message("hint: look at them with: twiceshy review; and try: twiceshy replay")
    fields = studied.learned.fields()
    return {"files": studied.files} | {name: int(str(value)) for name, value in fields.items()}


def keep_answers(config: Config, *questions: str) -> None:
    """Note which questions are answered, by default all: an interrupted install asks the others again."""
    answers = _answers(config)
    answers.write_document(answers.read_document() | dict.fromkeys(questions or QUESTIONS, "done"))


def forget_answers(config: Config) -> None:
    """Remove the file of answered questions, and a home that holds nothing else."""
    with suppress(OSError):
        os.unlink(os.path.join(config.home, _ANSWERS))
        os.rmdir(config.home)


def _answers(config: Config) -> JsonCache:
    return JsonCache(os.path.join(config.home, _ANSWERS))


def read_transcripts(app: App, sources: list[TranscriptSource]) -> LearningReport:
    """Learn from transcripts and show a progress bar; Ctrl-C says what was learned until then."""
    size = sum(source.size for source in sources)
    before = app.store.count_notes(_EVERY_NOTE)
    try:
        with progress_bar("learning", length=size) as update:
            return learn_from_transcripts(app, sources, close=True, progress=update)
    except KeyboardInterrupt:
        written = app.store.count_notes(_EVERY_NOTE) - before
        print_worded(
            "stopped; {count} new notes were written before; the rest is read the next time",
            count=written,
        )
        raise click.exceptions.Exit(STOPPED) from None


def describe_learning(studied: LearningReport) -> str:
    """Summarise the lessons of a run in one sentence."""
    learned = studied.learned
    if not studied.files:
        return "nothing new since the last time"
    captured = f" ({studied.captured:,} from captured calls)" if studied.captured else ""
    return (
        f"{studied.files:,} transcripts{captured} with {learned.calls:,} calls of tools: "
        f"{learned.errors:,} errors, {learned.corrections:,} corrections; "
        f"{learned.new:,} new notes, {learned.again:,} times something known"
        + (f"; {studied.unread:,} could not be read" if studied.unread else "")
    )


def _confirm_learning(sources: list[TranscriptSource]) -> bool:
    size = sum(source.size for source in sources) / _MEGABYTE
    question = (
        f"Learn from the {len(sources):,} transcripts that are there ({size:,.1f} MB)? "
        "They are read here and stay here; no model is asked."
    )
    return click.confirm(question, default=True, err=True)
