"""A hook and a command know a call by its arguments, whatever their order; a call of somebody else's by none."""

from hypothesis import given
from hypothesis import strategies as st

from twiceshy.core.call_claim import SHELL, build_claim, build_claim_from_payload

PLAIN = st.none() | st.text(max_size=20)
ARGUMENTS = st.dictionaries(st.text(max_size=8), PLAIN | st.lists(PLAIN, max_size=3), max_size=5)


@given(ARGUMENTS)
def test_the_order_of_arguments_does_not_matter(arguments: dict[str, object]) -> None:
    turned = dict(reversed(arguments.items()))

    assert build_claim(arguments) == build_claim(turned)


@given(ARGUMENTS, ARGUMENTS)
def test_other_arguments_are_another_call(
    one: dict[str, object], other: dict[str, object]
) -> None:
    assert (build_claim(one) == build_claim(other)) is (one == other)


def test_tools_of_our_server_and_our_command_are_ours() -> None:
    arguments = {"action": "write", "status": "half done"}

    assert build_claim_from_payload(
        "mcp__plugin_twiceshy_twiceshy__handoff", arguments, ""
    ) == build_claim(arguments)
    assert build_claim_from_payload("Bash", {}, "cd x && twiceshy handoff --status y") == SHELL
    assert build_claim_from_payload("mcp__github__handoff", arguments, "") == ""
    assert build_claim_from_payload("Bash", {}, "ls twiceshy") == ""
    assert build_claim_from_payload("Write", {}, "twiceshy notes.md") == ""
