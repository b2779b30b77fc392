"""The gate: no secret gets through, nothing else is touched, and passing twice is passing once."""

import random
import re

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.requirements import requirement
from tests.safety.benign_corpus import documents
from tests.safety.redact_corpus import (
    TURNS,
    Sample,
    Turn,
    armoured,
    as_it_is,
    formats,
    recognisable,
    surrounded,
    survivors,
    wrapped,
)
from tests.sizes import sized

from twiceshy.safety.redact import RULES_VERSION, list_secret_values, redact
from twiceshy.safety.redact.contexts import CONTEXTS, MAKERS
from twiceshy.safety.redact.formats import FORMATS
from twiceshy.safety.redact.quick_check import list_suspect_values

SHAPED = {rule[0] for rule in FORMATS}
TOKEN = formats()[0].secret

# What the rules look for, in pieces, so that chance puts together what nobody would think of.
FRAGMENTS = [
    *(sample.secret for sample in formats()[::7]),
    *(sample.secret[:12] for sample in formats()[::5]),
    *(sample.text for sample in surrounded()[::4]),
    *("password", "DB_PASSWORD", "token", "api_key", "secret", "Authorization", "密码", "пароль"),
    *("=", ": ", ":", " is ", " => ", "是", "：", "==", " ", "\t", "/", "//", "@", "://", "bob:"),
    *(
        '"',
        "'",
        "`",
        '\\"',
        "\\",
        "\\\\",
        "“",
        "”",
        "<",
        ">",
        "</",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "$",
    ),
    *("\n", "\r\n", "\n    ", "\\\n", "\\n", "\\\\n", "\x1b[31m", "\x1b[0m", "[0m", "\\u001b[1m"),
    *(
        "<private>",
        "</private>",
        "<PRIVATE >",
        "\\u003cprivate\\u003e",
        "&lt;private&gt;",
        "private",
    ),
    *("[PRIVATE]", "[REDACTED:jwt]", "[REDACTED:", "[REDACTED:nothing]", "REDACTED", "]"),
    *("-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----", "-----BEGIN ", "-----"),
    *(
        "curl -u ",
        "mysql -p",
        "--password ",
        "--token=",
        "Bearer ",
        "Cookie: a=",
        "login x password ",
    ),
    *(
        "hunter2",
        "correct horse",
        "A1b2C3d4E5f6",
        "x" * 80,
        "0" * 40,
        "İ",
        "\u200b",
        "\ud800",
        "é",
    ),
]
pieces = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=4), max_size=14).map("".join)


def test_the_rules_have_a_version() -> None:
    assert RULES_VERSION >= 1


class TestSecrets:
    @requirement("U161", "A07")
    @pytest.mark.parametrize("sample", formats() + surrounded() + armoured(), ids=lambda s: s.rule)
    def test_each_secret_is_taken_out_by_the_rule_that_is_there_for_it(
        self, sample: Sample
    ) -> None:
        seen = redact(sample.text)

        assert f"[REDACTED:{sample.rule}]" in seen
        assert seen.endswith(sample.after)
        assert not list(survivors(sample.secret, seen))

    @requirement("U161", "A07")
    @pytest.mark.parametrize("turn", TURNS, ids=lambda turn: turn.__name__)
    def test_no_secret_gets_through_however_it_turns_up(self, turn: Turn) -> None:
        texts = [
            (sample, turn(sample.before, sample.secret, sample.after))
            for sample in recognisable(turn)
        ]

        leaks = [text for sample, text in texts if any(survivors(sample.secret, redact(text)))]

        assert texts
        assert leaks == []

    @requirement("U161", "A07")
    @pytest.mark.parametrize("column", range(70, 80))
    def test_a_terminal_may_wrap_a_known_format_anywhere(self, column: int) -> None:
        texts = [
            (sample, wrapped(column, "  ")(sample.before, sample.secret, ""))
            for sample in formats(column)
        ]

        leaks = [text for sample, text in texts if any(survivors(sample.secret, redact(text)))]

        assert leaks == []

    @requirement("U161", "A07")
    @pytest.mark.parametrize("back", [0, 2, 3, 5])
    def test_a_terminal_may_wrap_the_name_of_a_secret(self, back: int) -> None:
        texts = [
            (sample, wrapped(80 + back, "")(sample.before, sample.secret, sample.after))
            for sample in surrounded(back)
            if not sample.before[len(sample.before) - back :].startswith(" ")
        ]

        leaks = [text for sample, text in texts if any(survivors(sample.secret, redact(text)))]

        assert leaks == []

    def test_every_rule_has_a_sample_and_every_sample_a_rule(self) -> None:
        rules = SHAPED | {rule[0] for rule in CONTEXTS}
        general = {"assigned-secret", "high-entropy", "url-credentials"}

        sampled = {sample.rule for sample in formats() + surrounded()}

        assert sampled == rules | general

    def test_every_beginning_of_a_token_has_a_sample(self) -> None:
        begun = " ".join(sample.text for sample in formats())

        missing = [
            literal for rule in FORMATS for literal in rule[1].split() if literal not in begun
        ]

        assert missing == []

    def test_the_table_knows_far_more_than_sixty_formats(self) -> None:
        assert len(SHAPED) + len(MAKERS) >= 150

    def test_the_name_stays_and_the_value_goes(self) -> None:
        assert redact("DB_PASSWORD=hunter2!") == "DB_PASSWORD=[REDACTED:assigned-secret]"

    @pytest.mark.parametrize(
        "text",
        [
            "DB_PASS=swordfish",
            "POSTGRES_PASSWORD=swordfish psql",
            "login?user=bob&password=swordfish&next=home",
            "db:\n  user: bob\n  password: swordfish\n",
            '"db:\\n  password: swordfish\\n"',
            '{"password": "swordfish"}',
            "deploy --password swordfish",
            "密码是swordfish。",
        ],
    )
    def test_a_word_is_a_password_where_it_can_be_nothing_else(self, text: str) -> None:
        assert redact(text) == text.replace("swordfish", "[REDACTED:assigned-secret]")

    def test_what_stands_around_a_token_stays(self) -> None:
        text = f"first\n  push with {TOKEN}, then\nrest"

        seen = redact(text)

        assert seen == "first\n  push with [REDACTED:aws-access-key], then\nrest"

    def test_the_next_line_is_not_taken_for_the_rest_of_a_token(self) -> None:
        token = next(sample.secret for sample in formats() if sample.rule == "anthropic-key")

        seen = redact(f"using {token}\nDone in 3 s\\nAll good")

        assert seen == "using [REDACTED:anthropic-key]\nDone in 3 s\\nAll good"

    def test_a_private_key_that_is_cut_short_goes_as_far_as_it_goes(self) -> None:
        key = armoured()[0].secret
        head = "\n".join(key.splitlines()[:4])

        seen = redact(f"$ head -4 key.pem\n{head}\n$ ")

        assert seen == "$ head -4 key.pem\n[REDACTED:private-key]\n$ "

    def test_a_long_value_goes_to_its_end(self) -> None:
        value = "".join(random.Random(3).choices("abcdefghijkmnpqrstuvwxyz23456789", k=3000))

        assert redact(f"API_TOKEN={value} ok") == "API_TOKEN=[REDACTED:assigned-secret] ok"

    def test_text_that_is_made_to_uncover_a_secret_at_every_pass_is_dropped_whole(self) -> None:
        assert redact("AKIA" * 200) == "[REDACTED:unsettled]"


class TestPrivatePassages:
    @requirement("U160", "A07")
    @pytest.mark.parametrize(
        ("text", "seen"),
        [
            ("a <private>b</private> c", "a [PRIVATE] c"),
            ("a <private>b\n\nb</private> c <private>d</private>", "a [PRIVATE] c [PRIVATE]"),
            ("a <PRIVATE>b</Private > c", "a [PRIVATE] c"),
            ('a <private reason="x">b</private> c', "a [PRIVATE] c"),
            ("a <private>b <private>c</private> d</private> e", "a [PRIVATE] e"),
            ("a <private>b <private>c</private> d", "a [PRIVATE]"),
            ("a <private>b", "a [PRIVATE]"),
            ("a <private>", "a [PRIVATE]"),
            ("<private></private>", "[PRIVATE]"),
            (
                '{"t": "a \\u003cprivate\\u003eb\\u003c/private\\u003e c"}',
                '{"t": "a [PRIVATE] c"}',
            ),
            ("a &lt;private&gt;b&lt;/private&gt; c", "a [PRIVATE] c"),
            ("a <pri\x1b[1mvate>b</private> c", "a [PRIVATE] c"),
            ("a</private> b", "a</private> b"),
            ("the private parts, <privateer>", "the private parts, <privateer>"),
        ],
    )
    def test_what_is_private_is_taken_out(self, text: str, seen: str) -> None:
        assert redact(text) == seen

    @requirement("U160")
    @given(inside=pieces)
    def test_a_closed_passage_is_hidden_whatever_it_is(self, inside: str) -> None:
        text = f"kept <private>{re.sub('(?i)v', '', inside)}</private> kept"

        assert redact(text) == "kept [PRIVATE] kept"

    @requirement("U160")
    @given(inside=pieces)
    def test_an_unclosed_tag_hides_the_rest_whatever_it_is(self, inside: str) -> None:
        text = "kept <private>" + inside.replace("/", "")

        assert redact(text) == "kept [PRIVATE]"


class TestOrdinaryText:
    @requirement("U161")
    def test_ordinary_text_passes_unchanged(self) -> None:
        texts = documents()

        changed = [text for text in texts if redact(text) != text]

        assert len(texts) >= 400
        assert len(changed) <= 0.01 * len(texts), changed

    @pytest.mark.parametrize(
        "text",
        [
            'password=""',
            "password: ********",
            "token = get_token()",
            "password: str",
            'api_key=os.environ["X"]',
            "SECRET_KEY=${SECRET}",
            "Authorization: Bearer <your-token>",
            "the password is checked by the server",
            "token limit is 4096",
            "passwords_test.py",
            "tokens: 500",
            "max_tokens=1500",
            "secret santa",
            "密码是由服务器校验的",
            "",
        ],
    )
    def test_talk_about_secrets_is_not_taken_for_one(self, text: str) -> None:
        assert redact(text) == text


class TestAlways:
    @settings(max_examples=300)
    @given(text=pieces | st.text())
    @example("-u [REDACTED:jwt]:")
    @example("[REDACTED:[REDACTED:jwt]")
    def test_redacting_twice_is_redacting_once(self, text: str) -> None:
        once = redact(text)

        assert redact(once) == once

    @settings(max_examples=200)
    @given(
        text=pieces, known=st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=12), max_size=3)
    )
    def test_redacting_twice_is_redacting_once_with_known_secrets_too(
        self, text: str, known: list[str]
    ) -> None:
        once = redact(text, known=known)

        assert redact(once, known=known) == once

    @settings(max_examples=200)
    @given(secret=st.text(min_size=4, max_size=20), before=pieces, after=pieces)
    @example(secret="x[REDACTED:j", before="", after="")
    def test_a_known_secret_never_survives(self, secret: str, before: str, after: str) -> None:
        assume(len(secret.strip()) >= 4)

        seen = redact(f"{before}{secret}{after}", known=[secret])

        assert not [
            at for at in occurrences(secret, seen) if not in_a_mark(at, at + len(secret), seen)
        ]

    @given(sample=st.sampled_from(formats()), before=pieces, after=pieces)
    def test_a_token_never_survives_beside_whatever_stands_there(
        self, sample: Sample, before: str, after: str
    ) -> None:
        seen = redact(f"{before} {sample.text} {after}")

        assert sample.secret not in seen

    @pytest.mark.parametrize(
        "unit",
        ["a", "=", "<private>", "-----BEGIN ", "eyJ", "-eyJ", "password=", "token='", "密码是", "\\",
         "\x1b[", "://a:b", "api key: ", "curl -u ", "cookie: a=", "sk-ant-a", "\n", "[REDACTED:jwt]"],
    )  # fmt: skip
    def test_a_very_long_text_of_anything_passes(self, unit: str) -> None:
        text = unit * (sized(20_000, 10**6) // len(unit))

        assert isinstance(redact(text), str)


def occurrences(secret: str, seen: str) -> list[int]:
    """Return where the secret stands."""
    return [at for at in range(len(seen)) if seen.startswith(secret, at)]


def in_a_mark(start: int, end: int, seen: str) -> bool:
    """Tell whether a stretch is part of what the gate itself has written."""
    marks = re.finditer(r"\[(?:PRIVATE|REDACTED:[a-z0-9-]+)\]", seen)
    return any(mark.start() <= start and end <= mark.end() for mark in marks)


class TestKnownSecrets:
    def test_a_known_secret_is_found_as_it_is(self) -> None:
        assert redact("it is swordfish.", known=["swordfish"]) == "it is [REDACTED:known-secret]."

    @pytest.mark.parametrize(
        "text",
        ['"say \\"sword\\" now"', 'say \\\n  "sword" now', 'say \x1b[1m"sword" now'],
    )
    def test_a_known_secret_is_found_escaped_and_over_lines(self, text: str) -> None:
        seen = redact(text, known=['say "sword" now'])

        assert "sword" not in seen

    def test_a_known_secret_of_several_lines_is_found_in_json(self) -> None:
        assert (
            redact('{"k": "one\\ntwo"}', known=["one\ntwo"]) == '{"k": "[REDACTED:known-secret]"}'
        )

    def test_the_longer_of_two_known_secrets_goes_whole(self) -> None:
        assert (
            redact("swordfish42", known=["swordfish", "swordfish42"]) == "[REDACTED:known-secret]"
        )

    def test_a_text_too_short_to_be_a_secret_is_left_alone(self) -> None:
        assert redact("a cat sat", known=["", "a", "cat", "   a"]) == "a cat sat"

    def test_variables_with_telling_names_hold_secrets(self) -> None:
        environ = {
            "GITHUB_TOKEN": "first-secret-value",
            "PGPASSWORD": "swordfish",
            "MYSQL_PWD": "mackerel-9",
            "AWS_SECRET_ACCESS_KEY": "third/secret+value",
            "SENTRY_DSN": "https://abc123@sentry.example.com/1",
            "npm_config__authToken": "fifth-secret-value",
        }

        assert set(list_secret_values(environ)) == set(environ.values())
        assert list(map(len, list_secret_values(environ))) == sorted(
            map(len, environ.values()), reverse=True
        )

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("PWD", "/home/ada/projects/shop"),
            ("OLDPWD", "/home/ada/projects"),
            ("SSH_AUTH_SOCK", "/tmp/agent.sock"),
            ("GIT_ASKPASS", "/usr/lib/askpass.sh"),
            ("TOKENIZERS_PARALLELISM", "disabled-always"),
            ("API_KEY_FILE", "secrets/api-key.txt"),
            ("AUTH_URL", "https://auth.example.com/login"),
            ("AUTH_ENDPOINT", "https://auth.example.com/login"),
            ("SECRET_TTL", "3600000000"),
            ("TOKEN_LIMIT", "20000000"),
            ("MAX_TOKENS", "200000000"),
            ("DB_PASSWORD", "short"),
            ("AUTHOR_NAME", "Ada Lovelace"),
            ("KEYBOARD_LAYOUT", "german-nodeadkeys"),
            ("SESSION_KEY_USER", "adalovelace"),
            ("AUTH_BACKEND", "kerberos-realm"),
            ("TOKEN_STORE", "keychain"),
            ("EDITOR", "/usr/bin/vim --noplugin"),
        ],
    )
    def test_other_variables_do_not(self, name: str, value: str) -> None:
        assert list_secret_values({name: value}) == ()

    @pytest.mark.parametrize(
        "word",
        """postgres localhost Password changeme development production username disabled required
        database administrator placeholder changeme123""".split(),
    )
    def test_a_word_of_every_text_is_no_secret(self, word: str) -> None:
        environ = {"DB_PASSWORD": word, "POSTGRES_PASSWORD": f" {word}", "API_TOKEN": word}

        assert list_secret_values(environ) == list_suspect_values(environ) == ()
        assert list_secret_values({"DB_PASSWORD": "swordfish"}) == ("swordfish",)

    def test_the_users_own_name_is_no_secret(self) -> None:
        assert list_secret_values({"USER": "adalovelace", "AUTH": "adalovelace"}) == ()


def test_turns_leave_the_secret_where_a_reader_finds_it() -> None:
    unfound = [
        (sample.rule, turn.__name__)
        for sample in formats()
        for turn in TURNS
        if not any(survivors(sample.secret, turn(sample.before, sample.secret, sample.after)))
    ]

    assert unfound == []
    assert as_it_is in TURNS
