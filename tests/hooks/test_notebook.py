"""Before a task the hook reminds the agent of the rules that fit: nobody has to remember to ask."""

from pathlib import Path

from tests.hooks.conftest import Client, Memory
from tests.person import run_as_person
from tests.requirements import requirement

from twiceshy.core.note import Note
from twiceshy.core.text import estimate_tokens
from twiceshy.safety.signing import Signature

USE = 'Write "use", not "utilize".'
TASK = "Explain in the README why we utilize a cache."


def a_rule(memory: Memory, text: str = USE) -> Note:
    return memory.learn(text, skill="", kind="rule", subtype="correction", tag="prose")


def crowd(memory: Memory) -> None:
    """Learn more rules than a session can be told when it begins."""
    for number in range(30):
        a_rule(
            memory, f'Write "plain word {number}", not "foreign word {number}" in any sentence.'
        )


@requirement("U155", "E31")
def test_before_a_task_the_hook_reminds_of_the_active_rules_that_fit(
    memory: Memory, client: Client
) -> None:
    rule = a_rule(memory)
    crowd(memory)
    started = client.start()

    reminded = client.prompt(TASK)

    assert rule.handle not in started
    assert reminded == (
        f'<twiceshy-note id="{rule.handle}">A rule that the user approved: {USE}</twiceshy-note>'
    )
    assert estimate_tokens(reminded) <= 180


def test_the_same_conversation_is_not_reminded_again(memory: Memory, client: Client) -> None:
    a_rule(memory)
    crowd(memory)
    client.start()
    client.prompt(TASK)

    assert client.prompt(TASK) == ""
    assert client.prompt("Say again why we utilize it, please") == ""


def test_after_a_compaction_the_agent_is_reminded_again(memory: Memory, client: Client) -> None:
    a_rule(memory)
    crowd(memory)
    client.start()
    client.prompt(TASK)

    client.start("compact")

    assert USE in client.prompt(TASK)


def test_what_was_told_at_the_start_is_not_told_again(memory: Memory, client: Client) -> None:
    a_rule(memory)

    assert USE in client.start()
    assert client.prompt(TASK) == ""


@requirement("U155", "E31")
def test_a_rule_that_was_cleared_is_told_no_more(
    memory: Memory, client: Client, project: Path
) -> None:
    rule = a_rule(memory)
    crowd(memory)
    cleared = run_as_person("correct", "--clear", rule.handle, cwd=project)
    client.start()

    assert cleared[0] == 0, cleared
    assert client.prompt(TASK) == ""


@requirement("U155", "E31")
def test_a_prompt_about_something_else_is_answered_with_nothing(
    memory: Memory, client: Client
) -> None:
    a_rule(memory)
    crowd(memory)
    client.start()

    assert client.prompt("fix the login page") == ""


def test_a_rule_whose_approval_was_taken_back_is_not_told(memory: Memory, client: Client) -> None:
    rule = a_rule(memory)
    crowd(memory)
    memory.store.drop_records(Signature, rule.id)
    client.start()

    assert client.prompt(TASK) == ""
