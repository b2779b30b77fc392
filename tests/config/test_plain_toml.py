"""Plain settings files are read as Python's reader of TOML reads them, and others are left to it."""

import tomllib

from hypothesis import example, given
from hypothesis import strategies as st

from twiceshy.config.plain_toml import parse_plain_toml

PIECES = st.sampled_from(
    [
        *(
            "[brief]",
            "[hook]",
            "[ hook ]",
            "[[hook]]",
            "[a.b]",
            "[]",
            "[",
            "[x",
            "tokens",
            "notes",
        ),
        *("a.b", '"quoted"', "=", " = ", "==", "\n", "\r\n", "\r", " ", "\t", "#", "# words", ","),
        *(
            "true",
            "false",
            "True",
            "5",
            "10_000",
            "1__0",
            "_1",
            "1_",
            "007",
            "0",
            "-3",
            "+3",
            "0x1f",
        ),
        *(
            "0.5",
            "1.",
            ".5",
            "1_0.5",
            "1.5_0",
            "1e3",
            "inf",
            "1979-05-27",
            "123456789012345678901",
        ),
        *(
            '"text"',
            "'text'",
            '""',
            "''",
            '"""',
            "'''",
            '"a\\n"',
            '"a"b"',
            "'a\"b'",
            '"ä,ö"',
            '"a\tb"',
        ),
        *(
            "[]",
            "[ ]",
            "[\"a\", 'b']",
            '["a",]',
            '["a", 1]',
            '["a,b"]',
            "[1, 2]",
            "[[1]]",
            "{a = 1}",
        ),
        *("\x00", "\x7f", "\u00a0", "\ufeff", "\u2028", "ü"),
    ]
)
VALUES = st.one_of(
    st.booleans().map(lambda one: str(one).lower()),
    st.integers(0, 10**16).map(str),
    st.floats(0, 1e9).map(lambda one: f"{one:.3f}"),
    st.text(max_size=8).map(lambda one: f'"{one}"'),
    st.lists(st.sampled_from(["'a'", '"b c"', "'*.pem'"]), max_size=3).map(
        lambda many: f"[{', '.join(many)}]"
    ),
)
LINES = st.tuples(st.sampled_from(["tokens", "notes", "mode-2", "3"]), VALUES).map(" = ".join)
FILES = st.lists(LINES | st.sampled_from(["[brief]", "[hook]", "", "# more"]), max_size=8).map(
    "\n".join
)


def read_by_python(text: str) -> object:
    try:
        return tomllib.loads(text)
    except ValueError:
        return None


@given(st.one_of(st.lists(PIECES, max_size=14).map("".join), FILES, st.text(max_size=30)))
@example("[a]\nb = 1\n[a]\nc = 2")
@example("a = 1\n[a]\nb = 2")
@example("a = 1\na = 1")
@example('a = "\ud7ff"')
def test_a_file_is_read_as_python_reads_it_or_not_at_all(text: str) -> None:
    found = parse_plain_toml(text)

    assert found is None or repr(found) == repr(read_by_python(text))


@given(FILES)
def test_files_as_people_write_them_are_read(text: str) -> None:
    def is_plain(line: str) -> bool:
        return line.isprintable() and line.count('"') <= 2 and "\\" not in line

    longest = max((len(line) for line in text.split("\n")), default=0)
    expected = read_by_python(text) is not None and all(map(is_plain, text.split("\n")))

    assert (parse_plain_toml(text) is not None) is expected or longest > 20


def test_the_settings_of_a_manual_are_plain() -> None:
    text = '# mine\n[brief]\nskill_notes = 5\n\n[hook]\r\ndeadline_ms = 10_000\n[guards]\nprotected = [".env", "*.pem"]\n'

    assert parse_plain_toml(text) == tomllib.loads(text)
