"""An edit is read as what took the place of what; all else says nothing about how to write."""

from difflib import unified_diff

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.core.errors import NoteError
from twiceshy.project.notebook.diffs import (
    EditedText,
    TextChange,
    UnifiedDiff,
    WordSwap,
    find_changes,
    find_deleted_words,
    find_swaps,
    read_diff,
    split_words,
)
from twiceshy.safety.redact import redact

GIT = """\
diff --git a/docs/a.md b/docs/a.md
index 1234567..89abcde 100644
--- a/docs/a.md
+++ b/docs/a.md
@@ -1,3 +1,3 @@ heading
 # Cache
-We utilize the cache.
+We use the cache.
 end
diff --git a/logo.png b/logo.png
index 1111111..2222222 100644
Binary files a/logo.png and b/logo.png differ
diff --git a/new.md b/new.md
new file mode 100644
--- /dev/null
+++ b/new.md
@@ -0,0 +1 @@
+We utilize it.
"""


def replaced(before: str, after: str, file: str = "a.md") -> list[tuple[str, str]]:
    found = find_changes([EditedText(file, before, after)], redact)
    return [(change.removed, change.added) for change in found]


def test_a_diff_of_git_is_read_file_by_file_with_the_version_it_began_from() -> None:
    diff = read_diff(GIT)

    before, after = "# Cache\nWe utilize the cache.\nend", "# Cache\nWe use the cache.\nend"
    assert diff.edited[0] == EditedText("docs/a.md", before, after, "1234567")
    assert diff.skipped == ("logo.png",)


def test_what_is_new_or_gone_corrects_nothing() -> None:
    diff = read_diff(GIT)

    assert [change.file for change in find_changes(diff.edited, redact)] == ["docs/a.md"]


def test_a_diff_of_the_diff_program_is_read_as_well() -> None:
    text = "--- a.md\t2026-11-02\n+++ b.md\t2026-11-03\n@@ -1 +1 @@\n-teh end\n+the end\n\\ No newline\n"

    assert read_diff(text).edited == (EditedText("b.md", "teh end", "the end"),)


def test_lines_of_a_hunk_that_look_like_headings_are_lines() -> None:
    text = "--- a\n+++ b\n@@ -1,2 +1,2 @@\n--- old rule\n+++ new rule\n same\n"

    assert read_diff(text).edited == (EditedText("b", "-- old rule\nsame", "++ new rule\nsame"),)


def test_several_hunks_are_several_parts() -> None:
    text = "--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n"

    assert [part.before for part in read_diff(text).edited] == ["a", "c"]


@pytest.mark.parametrize("text", ["what is this?", "-a\n+b\n", "a\0b"])
def test_what_is_no_diff_is_refused_with_a_hint(text: str) -> None:
    with pytest.raises(NoteError) as refused:
        read_diff(text)

    assert refused.value.hint


def test_an_empty_diff_is_a_diff() -> None:
    assert read_diff("\n") == UnifiedDiff((), ())


def test_lines_side_by_side_are_changes_of_their_own() -> None:
    before = "We utilize a cache.\nThey utilize a queue.\n"

    assert len(replaced(before, before.replace("utilize", "use"))) == 2


def test_a_paragraph_that_was_broken_anew_is_one_change() -> None:
    before = "We utilize the cache because\nit is fast and small."
    after = "We use the cache because it\nis fast and\nsmall."

    [(removed, added)] = replaced(before, after)

    assert find_swaps(removed, added) == [WordSwap("utilize", "use", "We", "the")]


def test_blanks_alone_are_no_change() -> None:
    assert replaced("a b\nc d", "  a   b\n    c d") == []


def test_a_stretch_written_from_scratch_is_no_correction() -> None:
    assert replaced("The cache is fast and small.", "Nobody knows what else they may want.") == []
    assert replaced("x\n" + "a b c\n" * 80, "x\n" + "a b d\n" * 80) == []


def test_a_word_alone_on_its_line_may_be_replaced() -> None:
    assert replaced("- utilize\n", "- use\n") == [("- utilize", "- use")]


def test_words_replaced_come_with_their_neighbours() -> None:
    assert find_swaps("in order to go", "to go") == []
    assert find_deleted_words("in order to go", "to go") == ["in order"]
    assert find_swaps("Run `npm install` now", "Run `pnpm install` now") == [
        WordSwap("npm", "pnpm", "`", "install")
    ]


@pytest.mark.parametrize(
    ("before", "after", "pair"),
    [
        ("請看視頻。", "請看影片。", ("視頻", "影片")),
        ("每個用户都要登入", "每個使用者都要登入", ("用户", "使用者")),
        ("重啟服务器吧", "重啟伺服器吧", ("服务", "伺服")),
    ],
)
def test_chinese_words_are_replaced_as_words(
    before: str, after: str, pair: tuple[str, str]
) -> None:
    [swap] = find_swaps(before, after)

    assert (swap.wrong, swap.right) == pair


def test_options_and_words_with_hyphens_are_words() -> None:
    assert split_words("git push --force well-known don't a.b") == [
        *("git", "push", "--force", "well-known", "don't", "a", ".", "b")
    ]


def test_secrets_never_leave_the_gate() -> None:
    token = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"

    [(removed, added)] = replaced(f"token {token} utilize it", f"token {token} use it")

    assert token not in removed + added
    assert find_swaps(removed, added)[0].wrong == "utilize"


def test_a_private_passage_is_no_matter_where_a_hunk_begins() -> None:
    inside = "my salary is {}\nand more\n</private>\nWe {} it here."

    [(removed, added)] = replaced(inside.format("low", "utilize"), inside.format("high", "use"))

    assert "salary" not in removed + added
    assert "utilize" in removed


@given(
    before=st.lists(st.sampled_from(["a b c", "a b d", "x y z", ""]), max_size=6),
    after=st.lists(st.sampled_from(["a b c", "a b d", "x y z", ""]), max_size=6),
)
def test_a_diff_says_what_the_two_files_say(before: list[str], after: list[str]) -> None:
    diff = "\n".join(unified_diff(before, after, "f", "f", n=99, lineterm=""))

    parts = read_diff(diff).edited

    from_files = find_changes([EditedText("f", "\n".join(before), "\n".join(after))], redact)
    assert find_changes(parts, redact) == from_files


@given(st.text(), st.text())
def test_any_two_texts_can_be_compared(before: str, after: str) -> None:
    for change in find_changes([EditedText("f", before, after)], redact):
        assert isinstance(change, TextChange)
        assert all(swap.wrong and swap.right for swap in find_swaps(change.removed, change.added))


@given(st.text(max_size=300))
def test_any_text_is_read_as_a_diff_or_refused(text: str) -> None:
    try:
        diff = read_diff(f"--- a\n+++ b\n@@ -1,3 +1,3 @@\n{text}")
    except NoteError:
        return

    assert isinstance(diff, UnifiedDiff)
