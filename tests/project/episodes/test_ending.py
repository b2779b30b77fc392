"""How a session ended is read from its last steps: commits, changed files, open items, last words."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.core.text import estimate_tokens
from twiceshy.core.transcript import (
    AgentMessage,
    CallStep,
    InterruptStep,
    ResultStep,
    Step,
    UserMessage,
)
from twiceshy.project.episodes.closing_words import (
    choose_open_sentence,
    list_sentences,
)
from twiceshy.project.episodes.ending import MAX_ENDING, MAX_TOKENS
from twiceshy.project.episodes.work_segment import WorkSegmentBuilder
from twiceshy.safety.redact import redact

ROOT = "/home/u/shop"
MADE = "[main 3f2a1bc] Keep the token\n 1 file changed"
SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


class Work:
    """A session, step by step."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def said(self, text: str) -> "Work":
        self.steps.append(UserMessage(**self._common(), text=text))
        return self

    def answered(self, text: str) -> "Work":
        self.steps.append(AgentMessage(**self._common(), text=text))
        return self

    def called(
        self, tool: str, result: str = "ok", *, failed: bool = False, **given: object
    ) -> "Work":
        common = self._common()
        self.steps.append(CallStep(**common, tool=tool, arguments=json.dumps(given)))
        self.steps.append(ResultStep(**common, text=result, failed=failed))
        return self

    def ran(self, command: str, result: str = "ok", *, failed: bool = False) -> "Work":
        return self.called("Bash", result, failed=failed, command=command)

    def edited(self, path: str) -> "Work":
        return self.called("Edit", file_path=path, old_string="a", new_string="b")

    def stopped(self) -> "Work":
        self.steps.append(InterruptStep(**self._common()))
        return self

    def ended(self) -> str:
        fold = WorkSegmentBuilder(redact=redact, root=ROOT)
        for step in self.steps:
            fold.add_step(step)
        return fold.build_segment().ending

    def _common(self) -> dict[str, Any]:
        number = len(self.steps)
        return {"id": f"t{number}", "session": "s1", "cwd": ROOT, "at": number + 1}


HEREDOC = """git commit -q -F - <<'EOF' && git push
Keep the token

Body.
EOF"""


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("git add -A && git commit -m 'Keep the token'", "ok"),
        ("git -c user.name=u commit -qam 'Keep the token'", ""),
        (HEREDOC, ""),
        ("git commit -m \"$(cat <<'EOF'\nKeep the token\n\nBody.\nEOF\n)\"", ""),
        (f"cd {ROOT}/api && git commit --amend --no-edit", "[main 3f2a1bc] Keep the token"),
        ("git cherry-pick 82353e3", MADE),
    ],
)
def test_the_last_commit_is_told_by_its_subject(command: str, output: str) -> None:
    ended = Work().edited(f"{ROOT}/login.py").ran(command, output).ended()

    assert ended in ('committed "Keep the token"', 'committed 3f2a1bc "Keep the token"')


@pytest.mark.parametrize(
    "command",
    [
        "cd /tmp/x && git commit -m init",
        "git -C /tmp/x commit -m init",
        "d=$(mktemp -d); cd $d; git commit -m init",
        "python3 - <<'E'\nimport sys  # git commit -m init\nE",
        "git log --grep commit",
        'echo "git commit -m init"',
    ],
)
def test_a_commit_elsewhere_or_only_mentioned_is_none(command: str) -> None:
    assert Work().edited(f"{ROOT}/login.py").ran(command).ended() == (
        "changed login.py, not committed"
    )


def test_a_commit_that_failed_is_none() -> None:
    work = Work().edited(f"{ROOT}/login.py").ran("git commit -m 'x'", "hook failed", failed=True)

    assert work.ended() == "changed login.py, not committed; `git commit -m x` failed"


def test_files_changed_after_the_commit_are_named_and_those_elsewhere_are_not() -> None:
    work = Work().edited(f"{ROOT}/a.py").ran("git commit -m 'Keep the token'", MADE)
    work.edited(f"{ROOT}/api/b.py").edited("/home/u/.claude/plans/wild-plan.md")

    assert work.ended() == ('committed 3f2a1bc "Keep the token"; changed b.py, not committed')


def test_who_says_to_have_committed_is_not_contradicted() -> None:
    work = Work().edited(f"{ROOT}/a.py").answered("Committed and pushed it to the branch.")

    assert "not committed" not in work.ended()


def test_of_a_script_that_commits_nobody_knows_where_nothing_is_claimed() -> None:
    work = Work().edited(f"{ROOT}/a.py").ran("make release", f"building\n{MADE}")

    assert work.ended() == "changed a.py"


def test_a_pull_request_is_told_with_its_commit() -> None:
    work = Work().ran("git commit -m 'Keep the token'", MADE)
    work.ran("gh pr create --fill", "https://github.com/u/shop/pull/22\n")

    assert work.ended() == 'committed 3f2a1bc "Keep the token" (PR #22)'


def test_open_items_are_told_and_what_was_under_way_only_if_it_broke_off() -> None:
    todos = [
        {"content": "Read it", "status": "completed"},
        {"content": "Mend it", "status": "in_progress"},
        {"content": "Test it", "status": "pending"},
    ]
    broken = Work().answered("I look at it.").called("TodoWrite", todos=todos)
    created = Work().called("TaskCreate", "Task #7 created", subject="Ship it")

    assert broken.ended() == 'open: "Mend it", "Test it"'
    assert broken.answered("It is mended.").ended() == 'open: "Test it"'
    assert created.ended() == 'open: "Ship it"'
    assert created.called("TaskUpdate", taskId="7", status="completed").ended() == ""


def test_the_last_thing_the_agent_said_it_would_do_is_told() -> None:
    work = (
        Work()
        .said("Fix the login form")
        .answered(
            "The form is fixed. Next I will move the token to the session store. Want me to go on?"
        )
    )

    assert work.ended() == '"Next I will move the token to the session store."'


def test_a_check_that_failed_last_is_told_until_it_works_or_is_committed() -> None:
    work = Work().ran("cd api && make test-unit", "1 failed", failed=True).ran("git diff")

    assert work.ended() == "`make test-unit` failed"
    assert work.ran("rg -n token src", "", failed=True).ended() == "`make test-unit` failed"
    assert work.ran("npx vitest run", "ok").ended() == ""
    assert Work().ran("gradle check", "x", failed=True).ran("git commit -m 'Keep it'").ended() == (
        'committed "Keep it"'
    )


def test_a_last_command_that_failed_is_told_unless_it_only_reads() -> None:
    work = Work().ran("fly deploy --remote-only", "no such app", failed=True)

    assert (
        work.answered("The deploy needs a token.").ended() == "`fly deploy --remote-only` failed"
    )
    assert work.ran("fly status", "ok").ended() == ""
    assert Work().ran("cat missing.txt", "no such file", failed=True).ended() == ""


@pytest.mark.parametrize(
    "question",
    [
        "Should the cache live in Redis or in the process?",
        "Which of the two invoice numbers is the legal one?",
        "缓存应该放在 Redis 里还是放在进程里？",
    ],
)
def test_an_open_question_is_told(question: str) -> None:
    work = Work().said("Look at the cache.").answered(f"I read the code. {question}")

    assert work.ended() == f'"{question}"'
    assert work.said("In Redis.").answered("Moved.").ended() == ""


@pytest.mark.parametrize(
    "question",
    [
        "Would you like me to add more examples to the page?",
        "Is there anything else you want me to look at today?",
        "Should I go ahead and commit the whole change now?",
        "Do you think that would be fine for all of them?",
        "需要我继续吗？",
    ],
)
def test_an_offer_is_no_open_question(question: str) -> None:
    assert Work().answered(f"The page is done. {question}").ended() == ""


@pytest.mark.parametrize(
    "said",
    [
        "Done:\n- REST calls\n\nStill open:\n- socket retries\n- old client",
        "## Remaining work\n\n1. socket retries\n2. ~~docs~~\n3. old client",
        "**Not done yet**\n* [x] docs\n* [ ] socket retries\n* old client",
    ],
)
def test_a_list_of_open_items_in_the_last_message_is_told(said: str) -> None:
    assert Work().answered(said).ended() == 'open: "socket retries", "old client"'


def test_a_list_of_what_was_done_leaves_nothing_open() -> None:
    said = "Remaining:\n- socket retries\n\nAnd now:\n- old client removed"

    assert Work().answered("Changes:\n- socket retries\n- old client").ended() == ""
    assert Work().answered(said).ended() == 'open: "socket retries"'


def test_an_interruption_in_the_middle_of_work_is_told() -> None:
    work = Work().said("Rename it.").edited(f"{ROOT}/a.py").ran("rg -l old src").stopped()

    assert work.ended() == "changed a.py, not committed; interrupted after `rg -l old src`"
    assert work.said("Use new.").answered("Renamed.").ended() == "changed a.py, not committed"
    assert Work().said("Hello").answered("Hello.").stopped().ended() == ""


def test_an_ending_in_a_dense_script_keeps_its_tokens() -> None:
    work = Work().edited(f"{ROOT}/a.py")
    work.answered("导出功能已经修复。" + "下一步我会修复分页的边界情况，" * 3 + "然后更新文档。")

    assert estimate_tokens(work.ended()) <= MAX_TOKENS
    assert work.ended() == "changed a.py, not committed"


def test_a_session_that_changed_nothing_and_left_nothing_open_has_no_ending() -> None:
    work = (
        Work()
        .said("Where is the token kept?")
        .ran("grep -r token")
        .answered("The token is kept in the session store. Let me know if you need more!")
    )

    assert work.ended() == ""


def test_the_first_prompt_is_never_told() -> None:
    asked = "I will need you to fix the login form, next step is the token."

    assert asked not in Work().said(asked).edited(f"{ROOT}/a.py").ended()


def test_no_secret_is_told() -> None:
    work = Work().ran(f"git commit -m 'Use {SECRET} for it'", "")
    work.answered(f"Next I will log in with {SECRET} and try it.")

    assert SECRET[:14] not in work.ended()


PROSE = st.text(alphabet='ab .!?`"()\n-*#|。…’', max_size=300)
PIECES = st.lists(
    st.sampled_from(
        [
            "I will mend the login form next.",
            "I've moved the token, e.g. to `store.py`, and more.",
            "Here's a summary:",
            "- Added the token to the session store",
            "Updated the form, and",
            "- **Next:** run `make ship` in v1.2.3 of it.",
            "```\nI will not be told from code.\n```",
            "All 12 tests pass, and nothing is left.",
            "接下来我会修改登录表单。",
            "a" * 200 + ".",
        ]
    ),
    max_size=6,
).map("\n".join)


@given(text=PROSE | PIECES, limit=st.integers(0, 200))
def test_a_chosen_sentence_is_always_whole_and_never_too_long(text: str, limit: int) -> None:
    sentences = list_sentences(text)
    still_open = choose_open_sentence(text, limit=limit)

    assert len(still_open) <= limit
    assert still_open == "" or still_open in sentences


@given(
    said=PROSE | PIECES,
    names=st.lists(st.text(alphabet="abc_-./", min_size=1, max_size=80), max_size=6),
    items=st.lists(st.text(max_size=200), max_size=4),
    subject=st.text(max_size=200),
)
def test_an_ending_is_always_one_line_within_its_length(
    said: str, names: list[str], items: list[str], subject: str
) -> None:
    work = Work().ran("git commit -F msg", f"[main 3f2a1bc] {subject}")
    for name in names:
        work.edited(f"{ROOT}/{name}")
    todos = [{"content": item, "status": "pending"} for item in items]
    ended = work.called("TodoWrite", todos=todos).answered(said).ended()

    assert len(ended) <= MAX_ENDING
    assert len(ended.splitlines()) <= 1
