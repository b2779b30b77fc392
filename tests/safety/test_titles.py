"""A title becomes a file name that every file system takes, and that no other title has."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.requirements import requirement

from twiceshy.safety.names import is_device_name, is_separator
from twiceshy.safety.titles import fold_name, name_all, name_by_title

TITLES = st.text(max_size=400) | st.sampled_from(
    [
        "con",
        "AUX.txt",
        "lpt1 .md",
        "..",
        ".hidden",
        "-rf",
        "a/b\\c",
        "x" * 300,
        "記憶" * 200,
        "\u202e",
        "👩‍💻" * 60,
    ]
)


@requirement("T344")
@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Fix the parser", "Fix the parser"),
        ("feature/login: step 2?", "feature login step 2"),
        ("修正登入的錯誤", "修正登入的錯誤"),
        ("🚀 Ship it", "🚀 Ship it"),
        ("con", "con_"),
        ("Aux.md", "Aux_md"),
        ("../../etc/passwd", "etc passwd"),
        ("C# [draft] #1 ^x | y", "C draft 1 x y"),
        ("", "untitled"),
        ("\u202e...", "untitled"),
    ],
)
def test_a_title_is_readable_in_its_name(title: str, name: str) -> None:
    assert name_by_title(title) == name


@requirement("T344")
@given(TITLES)
def test_a_name_is_always_fit_for_a_file_system(title: str) -> None:
    name = name_by_title(title)

    assert 0 < len(name) <= 80
    assert len(name.encode()) <= 165
    assert not any(is_separator(one) or one in '<>:"|?*#^[]`%' for one in name)
    assert name == name.strip() == name.strip(".")
    assert name[0] not in "-~"
    assert not is_device_name(name)
    assert not any("\ud800" <= one <= "\udfff" or one < " " for one in name)


@requirement("T344")
@given(st.lists(TITLES, max_size=12))
def test_no_two_titles_have_one_name_and_a_known_name_stays(titles: list[str]) -> None:
    subjects = {str(number): title for number, title in enumerate(titles)}

    first = name_all(subjects, {})
    later = name_all({"new": "new", **dict(reversed(subjects.items()))}, first)

    assert len(set(map(fold_name, later.values()))) == len(subjects) + 1
    assert {subject: later[subject] for subject in subjects} == first


@requirement("T344")
@given(st.lists(TITLES, min_size=1, max_size=6))
def test_every_name_can_be_a_folder_and_a_file(
    tmp_path_factory: pytest.TempPathFactory, titles: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("names")
    for name in name_all({str(at): title for at, title in enumerate(titles)}, {}).values():
        (folder / name).mkdir()
        (folder / name / f"{name}.md").write_text("x")

    assert len(os.listdir(folder)) == len(titles)
    assert all(Path(folder, one).is_dir() for one in os.listdir(folder))
