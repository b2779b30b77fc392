"""German words find each other in every form and inside compounds, and English stays as it was."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import phrases

import twiceshy
from twiceshy.language.compounds import _PARTS, is_german_noun, split_compound
from twiceshy.language.german import bend_german, stem_german
from twiceshy.language.stem import stem_word
from twiceshy.language.terms import index_terms, query_terms
from twiceshy.language.tongue import GERMAN, ROMANCE

FAMILIES = """
    Datenbank Datenbanken
    Haus Häuser Hauses
    Tabelle Tabellen
    Datei Dateien
    Fehler Fehlern Fehlers
    Server Servern Servers
    starten startet gestartet starte
    löschen löscht gelöscht Löschung lösche
    Migration Migrationen migrieren migriert
    Konfiguration konfigurieren konfiguriert
    Zeile Zeilen
    Sperre sperren gesperrt
    prüfen Prüfung geprüft prüft Prüfungen
    ändern Änderung geändert Änderungen
    anlegen angelegt anzulegen
    Schlüssel Schlüsseln Schluessel
    Nachricht Nachrichten
    Verbindung Verbindungen verbinden verbunden
    Rolle Rollen
    Benutzer Benutzern Benutzers
    hochladen hochgeladen
    Projekt Projekte Projekten
    Dienst Dienste Diensten
    Sicherung sichern Sicherungen gesichert
    Zertifikat Zertifikate Zertifikaten
    Container Containern
    Feld Felder Feldern
    Recht Rechte Rechten
    Ablauf Abläufe Abläufen
    installieren installiert Installation
    Skript Skripte Skripten
    Test Tests testen getestet testet
    Version Versionen
    exportieren Export exportiert
    Umgebung Umgebungen
    Passwort Passwörter Passwörtern
    Schnittstelle Schnittstellen
    Warteschlange Warteschlangen
""".strip().split("\n")
COMPOUNDS = {
    "datenbankmigration": ("datenbank", "migration"),
    "lagerdatenbankmigration": ("lager", "datenbank", "migration"),
    "schreibzugriff": ("schreib", "zugriff"),
    "zertifikatsfehler": ("zertifikat", "fehler"),
    "konfigurationsdateien": ("konfiguration", "datei"),
    "rechnungsprufung": ("rechnung", "prufung"),
    "logdatei": ("log", "datei"),
}
german_words = st.text("abcdefghilmnoprstuwzäöüß", min_size=1, max_size=18)
german_texts = st.lists(german_words | st.sampled_from(sorted(_PARTS)), max_size=6).map(
    lambda words: " ".join(["wenn der", *words])
)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_forms_of_a_word_are_one_term(family: str) -> None:
    stems = [query_terms(f"wird der {word} nicht")[-1] for word in family.split()]

    assert len(set(stems)) == 1


def test_different_words_stay_different() -> None:
    firsts = [stem_german(family.split()[0].casefold()) for family in FAMILIES]

    assert len(set(firsts)) == len(firsts)


@pytest.mark.parametrize(("word", "parts"), COMPOUNDS.items())
def test_a_compound_is_taken_apart_at_its_links(word: str, parts: tuple[str, ...]) -> None:
    assert split_compound(word) == parts


@pytest.mark.parametrize(
    ("note", "question"),
    [
        ("Die Datenbankmigration läuft nur nachts.", "Migration der Datenbank"),
        ("Vor der Migration der Datenbank sichern.", "wie geht die Datenbankmigration?"),
        ("Der Anmeldefehler kommt vom Gateway.", "Fehler bei der Anmeldung"),
        ("Schlüssel nie einchecken.", "wo ist der Schluessel"),
        ("Die Mandantentrennung ist Pflicht.", "Trennung der Mandanten"),
    ],
)
def test_every_telling_word_of_a_question_is_found_in_a_note(note: str, question: str) -> None:
    telling = set(query_terms(question)) - {"datenbankmigr", "geh", "gehe"}

    assert telling
    assert telling <= set(index_terms(note))


@pytest.mark.parametrize(
    "word", "information container environment understand important performance".split()
)
def test_an_english_word_is_no_compound(word: str) -> None:
    assert split_compound(word) == ()


@given(phrases)
def test_an_english_text_has_the_terms_that_it_had(text: str) -> None:
    words = f"the {text.casefold()}".split()
    if all(word.isalpha() and word.isascii() for word in words) and not (
        GERMAN | ROMANCE
    ).intersection(words):
        assert index_terms(" ".join(words)) == [stem_word(word) for word in words]


@given(german_texts)
def test_what_is_looked_for_in_a_text_is_always_found_in_it(text: str) -> None:
    assert set(query_terms(text)) <= set(index_terms(text))


@given(german_texts)
def test_a_note_in_another_language_keeps_the_english_stems(text: str) -> None:
    plain = [word for word in text.split() if word.isascii()]

    assert {stem_word(word) for word in plain} <= set(index_terms(text))


@given(german_words.filter(str.isascii))
def test_a_word_has_always_a_stem(word: str) -> None:
    assert all(bend_german(word))


@given(st.sampled_from(sorted(_PARTS)), st.sampled_from(sorted(_PARTS)))
def test_two_nouns_in_one_are_always_taken_apart(one: str, other: str) -> None:
    together = one + other
    if len(other) >= 4 and len(together) >= 8:
        assert split_compound(together) or is_german_noun(together)


@given(german_words)
def test_parts_are_never_empty_and_never_longer_than_their_word(word: str) -> None:
    for boldly in (False, True):
        parts = split_compound(word, boldly=boldly)
        assert all(parts)
        assert len("".join(parts)) <= len(word)


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("The configuration of the container fails at night.", False),
        ("Die Konfiguration ist falsch", True),
        ("Größe", True),
        ("café déjà vu für", True),
    ],
)
def test_the_tables_are_loaded_for_german_texts_only(text: str, needed: bool) -> None:
    source = str(Path(twiceshy.__file__).parents[1])
    program = (
        f"import sys; sys.path.insert(0, {source!r})\n"
        f"from twiceshy.language.terms import index_terms, query_terms\n"
        f"index_terms({text!r}); query_terms({text!r})\n"
        "print('twiceshy.language.compounds' in sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == str(needed)
