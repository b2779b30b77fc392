"""The plain memories that we compare with: one line for each mistake, shown at the usual moments."""

from tests.replay.failing import again, failure

from twiceshy.replay.policies import (
    BASELINES,
    ByCall,
    ByPrompt,
    InjectAll,
    MistakeList,
    Oracle,
    PendingCall,
    Policy,
    RepairExact,
    StartWithin,
    Strongest,
    build_line,
)
from twiceshy.replay.words import recognisable_words

BUN = failure(0, "rtk bun run test", "error: unrecognized subcommand 'bun'", "bun run test")
STAT = failure(0, "gh pr diff --stat", "unknown flag: --stat", "gh pr diff --name-only")
CAT = failure(0, "cat -A app.ts", "cat: illegal option -- A")


def a_shelf() -> MistakeList:
    """Bun failed in sessions 0, 1 and 2; the flag in session 3, cat in session 4."""
    shelf = MistakeList()
    for number, failed in enumerate((BUN, BUN, BUN, STAT, CAT)):
        shelf.learn_failures([failed, failed], number)
    return shelf


def keys(lines: object) -> list[str]:
    assert isinstance(lines, list | tuple)
    return [line.key for line in lines]


def test_a_mistake_is_one_line_that_counts_sessions() -> None:
    shelf = a_shelf()

    [line] = [line for line in shelf.newest_lines(9) if line.key == BUN.signature]

    assert (line.hits, line.last) == (3, 2)
    assert line.text == (
        "- [Bash] `rtk bun run test` failed: \"error: unrecognized subcommand 'bun'\"."
        " `bun run test` worked."
    )


def test_what_works_is_added_when_it_is_known_and_never_lost() -> None:
    shelf = MistakeList()
    bare = failure(0, "rtk bun run test", "error: unrecognized subcommand 'bun'")
    other = BUN.but(fixed="bun test")
    for number, failed in enumerate((bare, BUN, bare, other)):
        shelf.learn_failures([failed], number)

    [line] = shelf.newest_lines(9)

    assert line.text.endswith(" `bun run test` worked.")
    assert line.hits == 4
    assert keys(shelf.matching_lines(recognisable_words("bun"), 3)) == [BUN.signature]


def test_the_newest_come_by_age_and_the_strongest_by_use() -> None:
    shelf = a_shelf()

    assert keys(shelf.newest_lines(2)) == [CAT.signature, STAT.signature]
    assert keys(shelf.strongest_lines(2, 5)) == [BUN.signature, CAT.signature]


def test_words_find_lines_of_the_same_tool_that_were_not_shown_yet() -> None:
    shelf = a_shelf()
    query = recognisable_words("gh pr diff --stat 9")

    assert keys(shelf.matching_lines(query, 3)) == [STAT.signature]
    assert keys(shelf.matching_lines(query, 3, tool="Read")) == []
    assert keys(shelf.matching_lines(query, 3, but=[STAT.signature])) == []
    assert keys(shelf.matching_lines(recognisable_words("nothing of that"), 3)) == []


def test_each_policy_speaks_at_its_own_moment_only() -> None:
    shelf = a_shelf()
    words = recognisable_words("gh pr diff --stat 9")

    said = {
        policy: (
            len((own := policy(shelf, 5, [again(1)])).at_start()),
            len(own.at_prompt("what does gh pr diff say")),
            len(own.before_call(PendingCall("Bash", words))),
            len(own.at_failure(BUN)),
        )
        for policy in BASELINES
    }

    assert said == {
        Policy: (0, 0, 0, 0),
        InjectAll: (3, 0, 0, 0),
        Strongest: (3, 0, 0, 0),
        ByPrompt: (0, 1, 0, 0),
        ByCall: (0, 0, 1, 0),
        RepairExact: (0, 0, 0, 1),
        StartWithin: (3, 0, 0, 1),
        Oracle: (1, 0, 0, 0),
    }


def test_a_budget_at_the_start_is_kept() -> None:
    tight = type("Tight", (StartWithin,), {"room": 40})

    lines = tight(a_shelf(), 5).at_start()

    assert 0 < sum(line.tokens for line in lines) <= 40


def test_only_the_first_prompt_is_looked_at() -> None:
    policy = ByPrompt(a_shelf(), 5)

    assert len(policy.at_prompt("gh pr diff")) == 1
    assert len(policy.at_prompt("gh pr diff")) == 0


def test_the_oracle_shows_the_case_that_was_put_right_and_nothing_else() -> None:
    assert Oracle(a_shelf(), 5).at_start() == []
    assert Oracle(MistakeList(), 0, [again(3)]).at_start() == [build_line(again(3).earlier[0])]
