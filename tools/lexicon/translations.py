"""Harvest translations: what one message says in English and in another language.

    python -m tools.lexicon.translations ARCHIVE... --out translations.jsonl.gz

An ARCHIVE is a wheel or a package of npm. Read are gettext catalogues, JSON files of one shape for each
language, and the message tables of two editors. The same archives give the same lines.
"""

from __future__ import annotations

import argparse
import gettext
import gzip
import io
import json
import os
import re
import tarfile
import zipfile
from collections import defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    Message = tuple[str, str, str]  # language, English, translation

ENGLISH = "en"
LANGUAGES = {
    ENGLISH: ENGLISH,
    "en_us": ENGLISH,
    "de": "de",
    "de_de": "de",
    "ru": "ru",
    "ru_ru": "ru",
    "fr": "fr",
    "fr_fr": "fr",
    "es": "es",
    "es_es": "es",
    "zh": "zh",
    "zh_cn": "zh",
    "zh_hans": "zh",
    "zh_hans_cn": "zh",
}
# One archive must not drown the others: home automation has more strings than all editors.
MOST_PER_ARCHIVE = 9_000
LONGEST = 400
LANGUAGE_PACK = "monaco-vscode-language-pack-"
# what stands for a value, markup, and the sign before a shortcut's letter
HOLES = re.compile(r"%\(\w+\)[sd]|%[sd\d]|\$?\{\{?[^{}]*\}?\}|<[^>]*>|\[/?%[^\]]*\]|&&|&\w+;")
TYPESCRIPT = re.compile(r'diag\(\d+, \d+ [^,]*, "([^"]+)", "((?:[^"\\]|\\.)*)"')
NUMBERED = re.compile(r"""localize2?\(\s*(\d+),\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")


def main() -> None:
    """Write the messages of all archives into one file."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("archives", nargs="+")
    parser.add_argument("--out", required=True)
    given = parser.parse_args()
    seen: set[Message] = set()
    numbered = numbered_messages(given.archives)
    with gzip.open(given.out, "wt", encoding="utf-8") as out:
        for path in sorted(given.archives, key=os.path.basename):
            counted: dict[str, int] = defaultdict(int)
            for found in messages_of(path, numbered):
                message = (found[0], bare(found[1]), bare(found[2]))
                if message in seen or not _telling(message):
                    continue
                seen.add(message)
                language, english, said = message
                counted[language] += 1
                if counted[language] <= MOST_PER_ARCHIVE:
                    line = {"lang": language, "en": english, "said": said}
                    out.write(json.dumps(line, ensure_ascii=False) + "\n")
            print(f"{os.path.basename(path)}: {dict(sorted(counted.items()))}", flush=True)


def messages_of(path: str, numbered: dict[int, str]) -> Iterator[Message]:
    """Yield the messages of an archive, by what it is."""
    name = os.path.basename(path)
    if LANGUAGE_PACK in name:
        yield from _language_pack(path, numbered)
    elif name.startswith("typescript-"):
        yield from _compiler_messages(path)
    else:
        yield from _catalogues(path)
        yield from _twin_files(path)


def numbered_messages(paths: list[str]) -> dict[int, str]:
    """Return the English messages that language packs know by number."""
    found: dict[int, str] = {}
    for path in paths:
        if "monaco-vscode-api-" in path:
            for _, content in files(path, ".js"):
                for number, quoted in NUMBERED.findall(content.decode("utf-8", "replace")):
                    found[int(number)] = _unquoted(quoted)
    return found


def bare(text: str) -> str:
    """Leave out what stands for values, and markup."""
    return " ".join(HOLES.sub(" ", text).replace("&", "").split())


def _language_pack(path: str, numbered: dict[int, str]) -> Iterator[Message]:
    stem = os.path.basename(path).partition(LANGUAGE_PACK)[2]
    language = LANGUAGES[re.split(r"-\d", stem)[0].replace("-", "_")]
    for name, content in files(path, "main.i18n.json.js", ".i18n.json"):
        text = content.decode("utf-8")
        if name.endswith(".js"):
            listed = text[text.index("[") : text.rindex("]") + 1]
            # the list may end with a comma, and its first place is empty
            plain = re.sub(r",\s*\]$", "]", listed.replace("\tundefined,", "\tnull,"))
            for number, said in enumerate(json.loads(plain)):
                if said and number in numbered:
                    yield language, numbered[number], said
        else:
            bundle = json.loads(text)["contents"].get("bundle", {})
            yield from ((language, english, said) for english, said in bundle.items())


def _compiler_messages(path: str) -> Iterator[Message]:
    ((_, script),) = files(path, "lib/typescript.js")
    english = {
        key: json.loads(f'"{said}"') for key, said in TYPESCRIPT.findall(script.decode("utf-8"))
    }
    for name, content in files(path, "diagnosticMessages.generated.json"):
        language = LANGUAGES.get(name.split("/")[-2].replace("-", "_"))
        if language:
            for key, said in json.loads(content).items():
                if key in english:
                    yield language, english[key], said


def _catalogues(path: str) -> Iterator[Message]:
    for name, content in files(path, ".mo"):
        language = _language_in(name)
        if not language or language == ENGLISH:
            continue
        known: dict[Any, str] = vars(gettext.GNUTranslations(io.BytesIO(content)))["_catalog"]
        for key, said in known.items():
            english = key[0] if isinstance(key, tuple) else key
            yield language, english.rpartition("\x04")[2], said


def _twin_files(path: str) -> Iterator[Message]:
    """Yield the messages of JSON files whose paths differ in the language alone."""
    twins: dict[str, dict[str, bytes]] = defaultdict(dict)
    for name, content in files(path, ".json"):
        if language := _language_in(name):
            twins[_without_language(name)][language] = content
    for _, tongues in sorted(twins.items()):
        if ENGLISH in tongues and len(tongues) > 1:
            english = dict(_leaves(json.loads(tongues[ENGLISH])))
            for language, content in sorted(tongues.items()):
                if language != ENGLISH:
                    for key, said in _leaves(json.loads(content)):
                        yield language, english.get(key, ""), said


def _leaves(value: Any, at: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, f"{at}/{key}")
    elif isinstance(value, str):
        yield at, value


def _language_in(path: str) -> str:
    for part in reversed(path.removesuffix(".json").split("/")):
        if found := LANGUAGES.get(part.lower().replace("-", "_")):
            return found
    return ""


def _without_language(path: str) -> str:
    parts = path.removesuffix(".json").split("/")
    return "/".join(part for part in parts if part.lower().replace("-", "_") not in LANGUAGES)


def files(path: str, *endings: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an archive with these endings, by name."""
    if path.endswith(".whl"):
        with zipfile.ZipFile(path) as archive:
            for name in sorted(archive.namelist()):
                if name.endswith(endings):
                    yield name, archive.read(name)
        return
    with tarfile.open(path) as packed:
        for member in sorted(packed.getmembers(), key=lambda one: one.name):
            content = packed.extractfile(member) if member.name.endswith(endings) else None
            if content is not None:
                yield member.name, content.read()


def _unquoted(quoted: str) -> str:
    inner = quoted[1:-1]
    if quoted[0] == "'":
        inner = inner.replace("\\'", "'").replace('"', '\\"')
    try:
        said: str = json.loads(f'"{inner}"')
    except ValueError:
        return ""
    return said


def _telling(message: Message) -> bool:
    _, english, said = message
    letters = any(char.isalpha() for char in english) and any(char.isalpha() for char in said)
    short = len(english) <= LONGEST and len(said) <= LONGEST
    return letters and short and english.lower() != said.lower()


if __name__ == "__main__":
    main()
