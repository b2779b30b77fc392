"""A patch is the edit of its first file, as other clients would call it."""

from hypothesis import given
from hypothesis import strategies as st

from twiceshy.runtimes.codex.calls import parse_file_change, parse_patch

UPDATE = """\
*** Begin Patch
*** Update File: lids/box.txt
@@ class Box
 red
-green
+gold
*** Add File: other.txt
+never looked at
*** End Patch
"""


def test_an_update_is_an_edit_with_both_sides_of_it() -> None:
    tool, given_ = parse_patch(UPDATE, "/home/u/shop")

    assert tool == "Edit"
    assert given_ == {
        "file_path": "/home/u/shop/lids/box.txt",
        "old_string": "red\ngreen",
        "new_string": "red\ngold",
    }


def test_a_new_file_is_written() -> None:
    patch = "*** Begin Patch\n*** Add File: /home/u/a.txt\n+one\n+two\n*** End Patch\n"

    assert parse_patch(patch, "/home/u/shop") == (
        "Write",
        {"file_path": "/home/u/a.txt", "content": "one\ntwo"},
    )


def test_what_is_no_patch_is_an_edit_of_nothing() -> None:
    assert parse_patch("one", "/home/u") == ("Edit", {"patch": "one"})


def test_what_a_rollout_says_was_done_is_the_same_edit() -> None:
    diff = "--- a/box.txt\n+++ b/box.txt\n@@ -1,2 +1,2 @@\n red\n-green\n+gold\n"

    assert parse_file_change("/x/box.txt", {"type": "update", "unified_diff": diff}) == (
        "Edit",
        {"file_path": "/x/box.txt", "old_string": "red\ngreen", "new_string": "red\ngold"},
    )
    assert parse_file_change("/x/a", {"type": "add", "content": "one\n"}) == (
        "Write",
        {"file_path": "/x/a", "content": "one\n"},
    )
    assert parse_file_change("/x/a", {"type": "delete"}) == ("Edit", {"file_path": "/x/a"})


@given(st.text(), st.text(max_size=5))
def test_any_text_can_be_looked_at(patch: str, cwd: str) -> None:
    assert parse_patch(patch, cwd)[0] in ("Edit", "Write")
