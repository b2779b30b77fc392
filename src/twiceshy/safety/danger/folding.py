"""Fold obfuscated text to plain letters, in linear time, for matching only."""

from __future__ import annotations

import re
import unicodedata

# Cyrillic, Greek and a few others that look like the letter below them.
_LETTERS = {
    "аɑαᎪ": "a", "ЬᏏ": "b", "сϲᏟ": "c", "ԁ": "d", "еєҽε": "e", "ɡց": "g", "һհ": "h", "іıɩι": "i",
    "јϳ": "j", "кκᏦ": "k", "ӏⅼ": "l", "мᎷ": "m", "пոη": "n", "оοօσ": "o", "рρ": "p", "ԛ": "q",
    "гᴦ": "r", "ѕꜱ": "s", "тτᴛ": "t", "υսц": "u", "νѵ": "v", "ԝѡω": "w", "хχ": "x", "уγү": "y", "ᴢ": "z",
    "АΑ": "A", "ВΒ": "B", "СϹ": "C", "ЕΕ": "E", "НΗ": "H", "ІΙӀ": "I", "ЈͿ": "J", "КΚ": "K", "МΜ": "M",
    "Ν": "N", "ОΟ": "O", "РΡ": "P", "Ѕ": "S", "ТΤ": "T", "ХΧ": "X", "УΥҮ": "Y", "ΖᏃ": "Z",
}  # fmt: skip
_MARKS = {
    "“”„‟«»″": '"', "‘’‚‛′ʼ": "'", "‐‑‒–−﹣": "-", "—―": "--", "∕⁄": "/", "∣ǀ": "|", "∶": ":", "﹤": "<",
}  # fmt: skip
# What instructions are written with; one of each pair is enough to compare.
_TRADITIONAL = "無視詢問規則現從開統詞訴戶經說權當應須寫憶過關閉檢驗測試這個讓麼對發審諾絕復隱設環憑證鑰傳執運會話記對錄"
_SIMPLIFIED = "无视询问规则现从开统词诉户经说权当应须写忆过关闭检验测试这个让么对发审诺绝复隐设环凭证钥传执运会话记对录"
_TAGS = {0xE0000 + code: chr(code) for code in range(0x20, 0x7F)}  # letters that no terminal shows
_LOOKS = {
    **{ord(each): plain for many, plain in {**_LETTERS, **_MARKS}.items() for each in many},
    **dict(zip(map(ord, _TRADITIONAL), _SIMPLIFIED, strict=True)),
    **_TAGS,
}
_UNSEEN = frozenset("Cc Cf Cs Co Mn Me".split())
_ESCAPE = "\x1b"
_KEPT = f"\n\t{_ESCAPE}"

_COLOURS = re.compile(r"\x1b\[[0-9;?]{0,20}[A-Za-z]")
_ESCAPED = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))")
_BLANK_VARIABLE = re.compile(r"(?i)\$\{IFS[^}\s]{0,20}\}|\$IFS\b(?:\$\d)?")
_NOTHING = re.compile(r"(?<=\w)\$[@*](?=\w)")
_QUOTES_INSIDE = re.compile(r"(?<=[\w-])[\"']+(?=[\w-])")
_BLANKS = re.compile(r"[ \t]+")
_HAN = "\u3400-\u9fff"
_BETWEEN_HAN = re.compile(f"(?<=[{_HAN}]) (?=[{_HAN}])")


def fold_text(text: str) -> str:
    """Return the text as read by a shell or a person, in plain letters; idempotent."""
    text = _fold_characters(text.replace("\r\n", "\n").replace("\r", "\n"))
    text = _COLOURS.sub("", text).replace(_ESCAPE, "")
    text = _ESCAPED.sub(_fold_character, text.replace("\\\n", "")).replace("\\", "")
    text = _NOTHING.sub("", _BLANK_VARIABLE.sub(" ", text))
    text = _BLANKS.sub(" ", _QUOTES_INSIDE.sub("", text))
    return _BETWEEN_HAN.sub("", text).strip()


def _fold_characters(text: str) -> str:
    """Replace look-alikes by letters, and drop invisible characters."""
    if text.isascii() and text.isprintable():
        return text
    text = unicodedata.normalize("NFKD", text).translate(_LOOKS)
    return text.translate(
        {ord(each): _replacement_table(each) for each in set(text) if each not in _KEPT}
    )


def _replacement_table(each: str) -> str:
    category = unicodedata.category(each)
    if category in ("Zl", "Zp"):
        return "\n"
    if category == "Zs":
        return " "
    return "" if category in _UNSEEN else each


def _fold_character(found: re.Match[str]) -> str:
    return _fold_characters(chr(int(found[1] or found[2], 16))).replace(_ESCAPE, "")
