"""No note about a question is denied: it is told, or counted with the place to look for it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.requirements import requirement
from tests.store.support import app_of, learn, opened

from twiceshy.core.note import KINDS, STATUSES
from twiceshy.core.scope import Scope
from twiceshy.notes.write import change_note
from twiceshy.recall.request import brief_scope

TEXTS = (
    "Flyway migrations are numbered by hand.",
    "Renew the certificate of the proxy in June.",
    "数据库迁移合并后不能修改",
)
kept = st.tuples(st.sampled_from(TEXTS), st.sampled_from(sorted(KINDS)), st.sampled_from(STATUSES))


@requirement("T171")
@settings(max_examples=60)
@given(notes=st.lists(kept, min_size=1, max_size=3, unique_by=lambda one: one[0]), data=st.data())
def test_a_note_that_is_asked_for_in_its_own_words_is_always_told_or_counted(
    tmp_path_factory: pytest.TempPathFactory,
    notes: list[tuple[str, str, str]],
    data: st.DataObject,
) -> None:
    with opened(tmp_path_factory.mktemp("home")) as store:
        app = app_of(store)
        for text, kind, status in notes:
            tag = text[:6] if kind == "page" else ""
            note = learn(store, text, kind=kind, subtype="", tag=tag, scope=Scope("demo"))
            change_note(app, "activate", note, status=status, reason="")
        text, kind, status = data.draw(st.sampled_from(notes))

        answer = brief_scope(app, Scope("demo"), text, tell=pytest.fail, tokens=None)

        told = [note.text for note in answer.brief.notes]
        if status == "active" and kind != "rule":
            assert text in told
            assert answer.fit == "good"
        else:
            assert text not in told
            assert answer.said is not None
            assert answer.said.reason == "withheld"
