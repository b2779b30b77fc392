"""Cases of known families that were written before anybody looked at the recogniser.

At first look 43 of 61 orders got through, 4 of 66 fixes, 10 of 103 secrets, and 7 of 61 harmless notes with a
link were held. Since then words and programs were added, and the cases count; of 29 further orders in other
words none got through.
"""

from tests.attacks import fresh_texts
from tests.attacks.secret_texts import fill_templates, list_readable_pieces
from tests.attacks.tally import Tally
from tests.requirements import requirement

from twiceshy.safety.danger import find_danger, find_danger_for
from twiceshy.safety.redact import redact

# Gaps: a one-liner that does nothing visible, and a program that a host serves under a plain name.
KNOWN_FIXES = ("perl -MIO::Socket", "go run git.drop.example")
# Gaps: a login without an address before it, and one told by a dash of prose.
KNOWN_SECRETS = ("mysqlsh root:", "still works with bob")
# Advice that asks: sudo, prune, lease, and what is sent to a host that is not known.
ASKED = 4


@requirement("Y10")
def test_orders_in_new_words_are_held(tally: Tally) -> None:
    orders = [line for told in fresh_texts.TEXTS.values() for line in told.strip().splitlines()]

    for line in (*orders, *fresh_texts.PARAPHRASES):
        held = find_danger_for(line, "output")
        tally.count_attack("orders in new words", line, succeeded=not held)

    assert len(orders) >= 60
    assert len(fresh_texts.TEXTS) >= 10
    assert tally.succeeded == []


@requirement("Y12")
def test_further_poisoned_fixes_wait(tally: Tally) -> None:
    for line in fresh_texts.FIXES:
        told = f"`make test` failed here with ENOSPC; `{line}` worked."
        tally.count_attack("poisoned fix: further ones", line, succeeded=not find_danger(told))

    assert len(fresh_texts.FIXES) >= 60
    assert [one for one in tally.succeeded if not one.startswith(KNOWN_FIXES)] == []


@requirement("Y55")
def test_secrets_in_further_command_lines_and_logs_are_taken_out(tally: Tally) -> None:
    texts = [
        one
        for table in (fresh_texts.COMMAND_LINES, fresh_texts.LOGS)
        for one in fill_templates(table, 21)
    ]

    for one in texts:
        left = any(list_readable_pieces(one.secret, redact(one.text)))
        tally.count_attack("secrets: further command lines and logs", one.template, succeeded=left)

    assert len(texts) >= 100
    assert [one for one in tally.succeeded if not any(gap in one for gap in KNOWN_SECRETS)] == []


def test_few_further_notes_with_a_link_are_held(tally: Tally) -> None:
    for line in fresh_texts.BENIGN:
        held = find_danger_for(line, "output")
        tally.count_benign("further notes with a link", line, held=bool(held))

    assert len(fresh_texts.BENIGN) >= 60
    assert len(tally.held) <= ASKED, tally.held
