"""Checkpoints are raw: kept as signals, and listed as fireworks listed them."""

from tests.core.builders import NOW, an_id

from twiceshy.core.moment import SECOND
from twiceshy.core.note import short_handle
from twiceshy.core.scope import EVERYWHERE
from twiceshy.interop.checkpoints import build_checkpoint, render_checkpoints


def test_a_checkpoint_is_a_signal_about_its_skill_in_every_project() -> None:
    made = build_checkpoint("the tag was old", skill="release", name="n1", at=NOW)

    assert (made.kind, made.skill, made.project) == ("checkpoint", "release", EVERYWHERE)
    assert made.excerpt == "the tag was old"
    assert made.pair == ""


def test_two_checkpoints_with_the_same_words_are_two() -> None:
    one = build_checkpoint("again", skill="release", name="n1", at=NOW)
    other = build_checkpoint("again", skill="release", name="n2", at=NOW)

    assert one.key != other.key
    assert one.session != other.session


def test_they_are_listed_one_a_line_and_name_the_note_they_became() -> None:
    first = build_checkpoint("over\ntwo lines", skill="release", name="n1", at=NOW + 61 * SECOND)
    second = build_checkpoint("</x>", skill="release", name="n2", at=NOW).but(pair=an_id())

    page = render_checkpoints("release", [first, second])

    assert page == (
        "# release — checkpoints\n"
        "\n"
        "> Written down in passing; `flush --include-checkpoints` makes notes of them.\n"
        "\n"
        "- [2026-11-02 00:01:01] over two lines\n"
        f"- [2026-11-02 00:00:00] </x>  [{short_handle(an_id())}]\n"
    )
