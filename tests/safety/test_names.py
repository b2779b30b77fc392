"""No name of a skill, a session or a file can act as something else."""

import ntpath
import posixpath
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from tests.requirements import requirement

import twiceshy
from twiceshy.core.errors import UnsafeNameError
from twiceshy.safety.names import (
    MAX_FOLDER,
    check_name,
    check_relative_path,
    check_session_id,
    encode_directory_name,
)

SOURCES = Path(twiceshy.__file__).resolve().parents[1]

GOOD_NAMES = [
    "release",
    "Release",
    "plugin:skill",
    "my.skill_2",
    "c++",
    "deploy@eu",
    "code review",
    "发布",
    "релиз",
    "έκδοση",
    "リリース-notes",
    "배포 skill",
    "इन्दौर",
    "ภาษาไทยทำ",
    "שחרור",
    "Straße",
    "naïve",
    "বাংলা৪",
    "二〇二六",
    "\U00017000",  # Tangut: Python 3.11 knows the letters, not their names
]

BAD_NAMES = [
    ("", "empty"),
    (" \n", "empty"),
    (".", "begins with '.'"),
    ("..", "begins with '.'"),
    (".hidden", "begins with '.'"),
    ("--help", "begins with '-'"),
    (":skill", "begins with ':'"),
    ("skill.", "ends with '.'"),
    ("plugin:", "ends with ':'"),
    ("../CHECKPOINTS.md", "separates paths"),
    ("/etc/passwd", "separates paths"),
    ("a\\b", "separates paths"),
    ("C:\\Windows", "separates paths"),
    ("c:skill", "begins like a drive"),
    ("skill\0", "contains '\\x00'"),
    ("skill\x1b[2J", "contains '\\x1b'"),
    ("two\nlines", "contains '\\n'"),
    ("two  spaces", "two spaces in a row"),
    ("a" * 101, "too long"),
    ("字" * 67, "too long"),
    ("\u0958" * 40, "too long"),  # two letters each in canonical form, and six bytes
    ("what?", "contains '?'"),
    ("con", "device on Windows"),
    ("Nul.txt", "device on Windows"),
    ("COM1:x", "device on Windows"),
    ("lpt9 .md", "device on Windows"),
    ("a\u2215b", "DIVISION SLASH"),
    ("a\u2044b", "FRACTION SLASH"),
    ("a\uff0fb", "FULLWIDTH SOLIDUS"),
    ("a\u29f8b", "BIG SOLIDUS"),
    ("a\uff3cb", "FULLWIDTH REVERSE SOLIDUS"),
    ("é/b", "path separator"),
    ("a\u0338b", "not part of a letter"),
    ("字-\u0301", "not part of a letter"),
    ("\u0301a", "not part of a letter"),
    ("re\u200blease", "ZERO WIDTH SPACE, which cannot be seen"),
    ("re\u202elease", "RIGHT-TO-LEFT OVERRIDE, which cannot be seen"),
    ("re\ufeaflease", "passes for another letter"),
    ("re\u00adlease", "SOFT HYPHEN, which cannot be seen"),
    ("a\u3164b", "HANGUL FILLER, which cannot be seen"),
    ("a\ufe0f", "VARIATION SELECTOR-16, which cannot be seen"),
    ("a\u00a0b", "NO-BREAK SPACE, which cannot be seen"),
    ("\ud800x", "cannot be seen"),
    ("a\ue000", "cannot be seen"),
    ("☃", "neither a letter nor a digit"),
    ("re\u02d0lease", "neither a letter nor a digit"),
    ("ｒelease", "FULLWIDTH LATIN SMALL LETTER R, which passes for another letter"),
    ("𝐫elease", "MATHEMATICAL BOLD SMALL R, which passes for another letter"),
    ("ﬁx", "LATIN SMALL LIGATURE FI, which passes for another letter"),
    ("ﾃｽﾄ", "HALFWIDTH KATAKANA LETTER TE, which passes for another letter"),
    ("COM¹", "neither a letter nor a digit"),
    ("r\u0435lease", "U+0435 CYRILLIC SMALL LETTER IE among other letters"),
    ("rel\u03b5ase", "U+03B5 GREEK SMALL LETTER EPSILON among other letters"),
    ("release-\u0441\u043e\u0440\u0443", "CYRILLIC SMALL LETTER ES among other letters"),
    ("\u0430\u03b1", "GREEK SMALL LETTER ALPHA among other letters"),
    ("re\u13a0", "CHEROKEE LETTER A among other letters"),
    ("re\u0570", "ARMENIAN SMALL LETTER HO among other letters"),
    ("字ह-x", "DEVANAGARI LETTER HA among other letters"),
    ("release\u09ea", "BENGALI DIGIT FOUR among other letters"),
]

# Texts that come close to being names: letters that fold, combine, hide or look like others.
TRICKY = "aAbBkKzZ09-_.:+@ /\\~=!ßẞſıIiİσςΣϐаАеЕжЖřŘǆǅẖH\u0331\u0301\u0307\u0338ﬁｒ字の한ह्ৎ४\u200d\u202e\u2215\u2025．\u212a\0"
anything = st.text() | st.text(TRICKY) | st.text(TRICKY, max_size=6)


def accepted(check: Callable[[str], str], text: str) -> str | None:
    """Return what a check makes of a text; none if it refuses."""
    try:
        return check(text)
    except UnsafeNameError:
        return None


def stays_below(name: str) -> bool:
    posix = posixpath.normpath(posixpath.join("/srv/home", name))
    windows = ntpath.normpath(ntpath.join("C:\\home", name))
    return "\0" not in name and posix.startswith("/srv/home/") and windows.startswith("C:\\home\\")


def as_seen_by_a_careless_file_system(folder: str) -> set[str]:
    """How macOS and Windows may compare names: without case, and composed or taken apart."""
    return {
        unicodedata.normalize("NFC", unicodedata.normalize("NFD", folder).casefold()),
        unicodedata.normalize("NFC", folder.upper()).casefold(),
    }


def decoded(folder: str) -> str:
    """Read a folder's name back, as its documentation says it is spelt."""
    name, rest = "", iter(folder)
    for character in rest:
        if character != "=":
            name += character
            continue
        match next(rest):
            case "=":
                name += ":"
            case "_":
                name += " "
            case "0":
                digits = ""
                while (digit := next(rest)) != "=":
                    digits += digit
                name += chr(int(digits, 16))
            case small:
                name += small.upper()
    return name


LETTERS = [
    ["a", "A", "k", "K", "s", "S", "ß", "ẞ", "ı", "i", "İ", "ř", "Ř", "ẖ", "H\u0331", "0"],
    ["ß", "ž", "Ž"],
    ["ж", "Ж", "ё", "Ё", "й", "1"],
    ["σ", "ς", "Σ", "ά", "Ά", "α\u0331"],
    ["字", "の", "한", "a", "B"],
]


@st.composite
def safe_names(draw: st.DrawFn) -> str:
    letters = st.sampled_from(draw(st.sampled_from(LETTERS)))
    words = st.lists(letters, min_size=2, max_size=20).map("".join)
    name = draw(words)
    for word in draw(st.lists(words, max_size=4)):
        name += draw(st.sampled_from("-_.:+@ ")) + word
    assume(len(name) <= 100 and len(name.encode()) <= 200)
    return check_name(name)


@requirement("U031")
@pytest.mark.parametrize("name", GOOD_NAMES)
def test_a_skill_may_be_named_in_any_language(name: str) -> None:
    assert check_name(f"  {name}\n") == unicodedata.normalize("NFC", name)


@requirement("U031", "A06")
@pytest.mark.parametrize(("name", "why"), BAD_NAMES)
def test_a_name_that_could_be_something_else_is_refused_with_the_reason(
    name: str, why: str
) -> None:
    with pytest.raises(UnsafeNameError, match=r"the topic name") as refusal:
        check_name(name, what="topic")

    assert why in str(refusal.value)
    assert refusal.value.hint


@requirement("U031", "A06")
@given(anything)
@example("c:x")
@example("\u212a:x")
def test_a_name_stays_below_its_root_or_is_refused(text: str) -> None:
    name = accepted(check_name, text)

    assert name is None or (stays_below(name) and check_name(name) == name)


@given(anything, st.sampled_from([check_name, check_session_id, check_relative_path]))
def test_a_refusal_can_be_printed_and_says_what_to_do(
    text: str, check: Callable[[str], str]
) -> None:
    assume(accepted(check, text) is None)

    with pytest.raises(UnsafeNameError) as refusal:
        check(text)

    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 400
    assert refusal.value.hint


def test_two_spellings_of_one_letter_are_one_name() -> None:
    assert check_name("re\u0301sume\u0301") == check_name("r\u00e9sum\u00e9")


def test_a_plain_name_costs_a_hook_no_table_of_characters() -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(SOURCES)!r})\n"
        "from twiceshy.safety.names import encode_directory_name, check_relative_path, check_session_id\n"
        "encode_directory_name('Plugin:skill'); check_relative_path('a/b'); check_session_id('0f-1')\n"
        "print(sorted({'hashlib', 're', 'unicodedata'} & set(sys.modules)))"
    )

    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout == "[]\n"


@requirement("U031", "A06")
@pytest.mark.parametrize(
    "session", ["b5d4c1f0-9a52-4a7e-8d3c-1f2e3d4c5b6a", "ses_7Qx", "2026-11-02.1", "x" * 128]
)
def test_the_session_ids_of_runtimes_are_accepted_as_they_are(session: str) -> None:
    assert check_session_id(session) == session


@requirement("U031", "A06")
@pytest.mark.parametrize(
    "session",
    ["", "../../x", "a/b", "a\\b", "a b", "-rf", ".x", "..", "x" * 129, "a\0", "é", "nul", "a:b"],
)
def test_a_session_id_that_is_no_id_is_refused(session: str) -> None:
    with pytest.raises(UnsafeNameError, match=r"the session"):
        check_session_id(session)


@requirement("U031", "A06")
@given(anything)
def test_a_session_stays_below_its_root_or_is_refused(text: str) -> None:
    session = accepted(check_session_id, text)

    assert session is None or (session == text and stays_below(session))


@requirement("U031")
@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("release", "release"),
        ("Release", "=release"),
        ("my_skill.v2", "my_skill.v2"),
        ("plugin:skill", "plugin==skill"),
        ("code review", "code=_review"),
        ("c++", "c++"),
        ("发布", "发布"),
        ("Релиз", "=релиз"),
        ("Straße", "=stra=0df=e"),
        ("İzmir", "=0130=zmir"),
    ],
)
def test_a_folder_can_be_read_as_the_name_it_belongs_to(name: str, folder: str) -> None:
    assert encode_directory_name(name) == folder


@requirement("U031", "A06")
@given(safe_names())
@example("ß" * 100)
@example("Ж" * 100)
def test_a_folder_is_one_that_every_system_can_make(name: str) -> None:
    folder = encode_directory_name(name)

    assert len(folder.encode()) <= MAX_FOLDER
    assert not set(folder) & set('<>:"/\\|?* ')
    assert folder[-1] != "."
    assert stays_below(folder)


@requirement("U031")
@given(safe_names())
@example("H\u0331")
@example("\u1e96")
@example("ſ".upper())
def test_a_folder_is_told_back_even_by_a_file_system_without_case(name: str) -> None:
    folder = encode_directory_name(name)
    assume(not folder.startswith("=~"))

    for seen in as_seen_by_a_careless_file_system(folder):
        assert unicodedata.normalize("NFC", decoded(seen)) == name


@requirement("U031")
@given(safe_names(), st.data())
def test_no_two_names_share_a_folder(name: str, data: st.DataObject) -> None:
    variants = [name.swapcase(), name.upper(), name.lower(), name.casefold(), name.title()]
    known = {accepted(check_name, text) for text in (*variants, data.draw(safe_names()))}

    mine = as_seen_by_a_careless_file_system(encode_directory_name(name))

    for other in known - {name, None}:
        theirs = as_seen_by_a_careless_file_system(encode_directory_name(other or ""))
        assert mine.isdisjoint(theirs)


def test_a_folder_is_made_of_safe_names_only() -> None:
    with pytest.raises(UnsafeNameError, match=r"separates paths"):
        encode_directory_name("../x")


@requirement("U011", "A06")
@pytest.mark.parametrize(
    ("path", "normal"),
    [
        ("src/app.py", "src/app.py"),
        ("src\\win\\app.py", "src/win/app.py"),
        ("./src//app.py", "src/app.py"),
        ("src/../docs/a.md", "docs/a.md"),
        ("docs/", "docs"),
        (".github/workflows", ".github/workflows"),
        ("src/aux.c:12", "src/aux.c:12"),
        ("资料/说明.md", "资料/说明.md"),
        ("Screenshot 3.45\u202fPM.png", "Screenshot 3.45\u202fPM.png"),
        ("cafe\u0301.md", "caf\u00e9.md"),
        ("½ cup.md", "½ cup.md"),
        ("~$letter.docx", "~$letter.docx"),
    ],
)
def test_a_file_inside_the_project_has_one_spelling(path: str, normal: str) -> None:
    assert check_relative_path(path) == normal


@requirement("U011", "A06")
@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/etc/passwd", "is absolute"),
        ("\\\\server\\share", "is absolute"),
        ("~/.ssh/id_rsa", "is absolute"),
        ("C:\\Users\\u", "names a drive"),
        ("c:secret", "names a drive"),
        ("x/../c:secret", "names a drive"),
        ("..", "leaves its root"),
        ("../../x", "leaves its root"),
        ("a/../../x", "leaves its root"),
        ("a\\..\\..\\x", "leaves its root"),
        ("a/.. /x", "dots to Windows"),
        ("a/.../x", "dots to Windows"),
        ("a/\u2025/x", "looks like dots"),
        ("a/．．/x", "looks like dots"),
        ("a\u2215..\u2215x", "DIVISION SLASH"),
        ("a／b", "FULLWIDTH SOLIDUS"),
        ("\u2100", "ACCOUNT OF"),
        ("", "names nothing"),
        ("./", "names nothing"),
        ("a/..", "names nothing"),
        ("a\0b", "invisible U+0000"),
        ("a\nb", "invisible U+000A"),
        ("a\u202eb", "invisible U+202E"),
        ("a\u2028b", "invisible U+2028"),
        ("caf\udce9", "invisible U+DCE9"),
        ("a/" * 2049, "is too long"),
        ("字" * 1366, "is too long"),
    ],
)
def test_a_file_outside_the_project_is_refused_with_the_reason(path: str, why: str) -> None:
    with pytest.raises(UnsafeNameError, match=r"the page path") as refusal:
        check_relative_path(path, what="page")

    assert why in str(refusal.value)


@requirement("U011", "A06")
@given(anything)
@example("a/./c:x")
@example("\u212a:x")
@example("..\\..\\x")
def test_a_file_stays_below_its_root_or_is_refused(text: str) -> None:
    path = accepted(check_relative_path, text)

    assert path is None or (stays_below(path) and check_relative_path(path) == path)
