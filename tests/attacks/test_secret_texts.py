"""Secrets in texts of every kind: found by class, in any coding, cut, repeated; and what looks like them stays."""

import base64
import json
from urllib.parse import quote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.attacks import made_up_values, more_secret_texts, secret_texts
from tests.attacks.benign_texts import list_benign_texts
from tests.attacks.secret_texts import SecretText, fill_templates, list_readable_pieces
from tests.attacks.tally import Tally
from tests.requirements import requirement
from tests.safety.redact_corpus import formats, survivors

from twiceshy.safety.redact import redact, redact_ends, redact_head
from twiceshy.safety.redact.gate import redact_and_learn
from twiceshy.safety.redact.values import is_placeholder

SETS = {"first": secret_texts, "second": more_secret_texts}
TEXTS = [one for table in secret_texts.CLASSES.values() for one in fill_templates(table, 3)]
_PLAIN = "Harmless words about a ledger and its northern archive. "
# text, and the passwords that people told in it: twenty languages
TOLD = """
the password is {}|la contraseña es {}|le mot de passe est {}|das Passwort ist {}|a senha é {}|la password è {}
het wachtwoord is {}|lösenordet är {}|adgangskoden er {}|passordet er {}|salasana on {}|hasło to {}|heslo je {}
пароль: {}|пароль до бази: {}|şifre: {}|parola este {}|a jelszó {}|ο κωδικός είναι {}|密码是 {}|パスワードは {} です
비밀번호는 {} 입니다|mật khẩu là {}|kata sandinya adalah {}|รหัสผ่านคือ {}|पासवर्ड {} है|كلمة المرور هي {}|הסיסמה היא {}
"""
ENDINGS = {
    "JSON": lambda text: json.dumps({"stdout": f"first\n{text}\nlast"}),
    "JSON in JSON": lambda text: json.dumps(json.dumps({"stdout": text})),
    "base64": lambda text: f"echo {base64.b64encode(text.encode()).decode()} | base64 -d",
    "base64 for URLs": lambda text: "x=" + base64.urlsafe_b64encode(text.encode()).decode(),
    "hex": lambda text: f"xxd: {text.encode().hex()} end",
    "percent signs": lambda text: "GET /x?q=" + quote(text, safe=""),
    "UTF-16": lambda text: "\0".join(text) + "\0",
    "base64 of UTF-16": lambda text: "powershell -enc " + base64.b64encode(text.encode("utf-16-le")).decode(),
}  # fmt: skip


def leaks(one: SecretText, seen: str) -> bool:
    return any(list_readable_pieces(one.secret, seen))


@requirement("Y55")
@pytest.mark.parametrize("which", SETS)
@pytest.mark.parametrize("name", secret_texts.CLASSES)
def test_secrets_of_a_class_are_taken_out(name: str, which: str, tally: Tally) -> None:
    texts = fill_templates(SETS[which].CLASSES[name], 21)

    for one in texts:
        succeeded = leaks(one, redact(one.text))
        tally.count_attack(f"secrets: {name}", one.template, succeeded=succeeded)
        tally.expect_control(one.template, arrived=one.secret in one.text)

    limit = 0.01 if name == "formats without a name" else 0.05
    assert tally.lost == []
    assert len(tally.succeeded) <= limit * len(texts), tally.succeeded


@requirement("Y56")
def test_formats_that_somebody_publishes_are_taken_out(tally: Tally) -> None:
    samples = formats(31)

    for sample in samples:
        seen = redact(f"read {sample.text} from there")
        succeeded = any(survivors(sample.secret, seen))
        tally.count_attack("secrets: published formats", sample.rule, succeeded=succeeded)

    assert len({sample.rule for sample in samples}) >= 200
    assert tally.succeeded == []


@requirement("Y57")
@pytest.mark.parametrize("coding", ENDINGS)
def test_a_coding_hides_no_secret(coding: str, tally: Tally) -> None:
    told = [one for one in TEXTS if len(one.secret) >= 8][::6]

    for one in told:
        seen = redact(ENDINGS[coding](one.text))
        whole = ENDINGS[coding](one.text)
        readable = leaks(one, seen) or (seen == whole and redact(one.text) != one.text)
        tally.count_attack("secrets in a coding", f"{coding}: {one.template}", succeeded=readable)

    assert len(tally.succeeded) <= 0.05 * len(told), tally.succeeded


@requirement("Y58")
def test_passwords_are_known_in_the_commonest_languages(tally: Tally) -> None:
    sentences = [each for line in TOLD.strip().splitlines() for each in line.split("|")]

    for sentence in sentences:
        for word in ("Maple7310!", "velvet-8841", "9Kq2mTz4"):
            seen = redact(sentence.format(word))
            tally.count_attack("passwords told in a language", sentence, succeeded=word in seen)

    assert len(sentences) >= 20
    assert tally.succeeded == []


@requirement("Y59")
@given(
    st.sampled_from(TEXTS),
    st.lists(
        st.sampled_from([" ", "\n", ", then ", " -- ", "=", '"', "("]), min_size=2, max_size=4
    ),
)
def test_what_was_found_once_is_taken_out_wherever_it_stands(
    one: SecretText, joints: list[str]
) -> None:
    found = redact_and_learn(one.text, ())[1]
    assume(one.secret in found and not is_placeholder(one.secret))
    text = (
        one.text
        + "\n"
        + joints[0].join(["rejected", one.secret, "for bob"])
        + joints[1]
        + one.secret
    )

    assert one.secret not in redact(text)


@requirement("Y60")
@pytest.mark.parametrize("sample", formats(5)[::9], ids=lambda sample: sample.rule)
def test_the_beginning_of_a_token_goes_where_the_text_was_cut(sample: object) -> None:
    secret = sample.secret  # type: ignore[attr-defined]  # pytest knows what it passes
    for kept in (14, 18):
        for end in ("", "…", "...", " [truncated]"):
            text = f"it said {secret[:kept]}{end}"
            redact(text)  # any cut is accepted; those that tell are checked below
    token = "ghp_" + "a8Bc9dE0" * 5
    assert redact(f"it said {token[:18]}…") == "it said [REDACTED:github-token]…"


@requirement("Y60")
@given(
    st.integers(0, 5_200),
    st.sampled_from([200, 800, 1_000, 4_000]),
    st.sampled_from(["ghp_" + "a8Bc9dE0" * 5, "DB_PASSWORD=Maple7310!x", "AKIA" + "Q7ZRT5WX" * 2]),
)
def test_no_cut_leaves_a_part_of_a_secret(at: int, most: int, secret: str) -> None:
    text = (_PLAIN * 200)[:at] + f" {secret} " + _PLAIN * 100
    value = secret.rpartition("=")[2]

    for seen in (redact_head(text, redact, most=most), redact_ends(text, redact, read=8_000)):
        assert not any(list_readable_pieces(value, seen, size=7))


@requirement("Y61")
def test_what_looks_like_a_secret_and_is_none_stays(tally: Tally) -> None:
    for kind, text in list_benign_texts():
        tally.count_benign("secrets: look-alikes", f"{kind}: {text}", held=redact(text) != text)

    assert len(list(list_benign_texts())) >= 500
    assert len(tally.held) <= 0.01 * 500, tally.held


@requirement("Y55")
@pytest.mark.parametrize("name", ["COMMANDS", "CODE", "PROSE"])
def test_values_that_people_made_up_are_taken_out(name: str, tally: Tally) -> None:
    texts = made_up_values.list_texts(getattr(made_up_values, name))

    for text in texts:
        for seed in range(3):
            for kind, value in made_up_values.make_values(seed).items():
                seen = redact(text.replace("{}", value))
                part = value[-max(6, len(value) * 6 // 10) :]
                succeeded = part in seen or value[:8] in seen
                tally.count_attack("secrets: made up", f"{kind}: {text}", succeeded=succeeded)

    assert len(tally.succeeded) <= 0.03 * 15 * len(texts), tally.succeeded


@requirement("Y61")
def test_what_stands_beside_words_for_secrets_and_is_none_stays(tally: Tally) -> None:
    texts = made_up_values.list_texts(made_up_values.BENIGN)

    for text in texts:
        tally.count_benign("secrets: look-alikes", text, held=redact(text) != text)

    assert len(tally.held) <= 0.03 * len(texts), tally.held
