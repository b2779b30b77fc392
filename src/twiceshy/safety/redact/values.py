"""Tell secrets from words, placeholders and code in the place of a secret."""

from __future__ import annotations

from itertools import pairwise

from twiceshy.core.patterns import compile_pattern

_PARTS = r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+"
# Which letter follows which: the 340 commonest pairs of 676 make up 98 % of the pairs in words and
# identifiers of 18 MB of code and prose; half of all pairs drawn at random are none of them.
_FOLLOWS = {
    "a": "bcdfgiklmnprstuvwxy", "b": "aceijloprstuy", "c": "acehiklmoprstuy", "d": "abcdefgilnorstuy",
    "e": "abcdefghiklmnopqrstuvwxy", "f": "aefilorstuy", "g": "aeghilmnorsu", "h": "aeilorstu",
    "i": "abcdefgklmnoprstvxz", "j": "aeosu", "k": "aeilnps", "l": "acdefilnopstuvy",
    "m": "abdeilmopstu", "n": "abcdefghiklmnoprstuvwy", "o": "abcdefgiklmnoprstuvwx",
    "p": "adehiloprstuy", "q": "u", "r": "abcdefgiklmnoprstuvwy", "s": "acdefhiklmnopqrstuwy",
    "t": "abcdefghilmnoprstuwy", "u": "abcdefgilmnoprst", "v": "aeio", "w": "aehinors", "x": "ceipt",
    "y": "eilmnopst", "z": "aei",
}  # fmt: skip
_SHORT = frozenset(
    """a am an api as at aws be by cd cfg cfn cgi ci cli cmd cpp cpu css csv ctx cwd db dbg dns do fmt ftp
    gcp gid git go gpu gui he hmac html http https i id idx if img in io ip is it jpeg jpg js json jwt
    kwargs llm mcp md msg my no npm num nvm obj of ok on or os pdf pid pkg png ppc pr psql ptr pwd py
    rgb rpc rs rsa sdk sha sql src ssh ssl std str svg tar tcp tls tmp to ts tsx txt udp ui uid up url
    us utf uuid vm vpc we xml yaml yml""".split()
)
_EDGES = ".,;:!?()[]{}\"'`*_-"
_CJK = "\u2e80"  # nobody types a secret in these scripts; 密码 is where one would stand
_MASK = frozenset("*xX.•·…●-_#?0 ")
_SAMPLES = (
    "your", "example", "placeholder", "changeme", "change-me", "change_me", "replace", "insert",
    "dummy", "redacted",
)  # fmt: skip
_LEFT_OUT = ("...", "xxxxx", "****", "…", "&lt;", "&#")
_WORDS = frozenset(
    """absent accepted any argon2 argon2id array auth base64 basic bcrypt bearer bool boolean byte
    bytes changed char check checked confirm confirmation const credential credentials custom
    data default deleted digest disabled email empty enabled encrypted enter error expired
    false field file float forbidden forgot generated global hash hashed hidden hide id ignored
    incorrect input insecure int integer invalid json key keyring length let list login managed
    mandatory manual masked match matches max md5 min mismatch missing must my name needed
    never new nil no none null number oauth2 object off ok old on optional pass passed
    passphrase passwd password pbkdf2 plain plaintext present private prompt property protected
    provided public pwd read rejected required reset same saved scrypt secret secure self
    sensitive sent sha1 sha256 sha512 show shown static stdin stored str string strong
    supported symbol temp text this token too true type unchanged undefined unknown unset
    unsupported update updated user username utf8 valid validate value var varchar verified
    visible void weak with write wrong yes""".split()
)
# Something to be filled in: ${NAME}, $(command), {name}, [name], <name>, (name), %s, %NAME%.
_FILLED_IN = (
    r"\$\{[^}]*\}?|\$\([^)]*\)?|\$[A-Z_][A-Z0-9_]*|\{[^{}]*\}|\[[^\[\]]*\]|<[^<>]*>|\([^()]*\)"
    r"|%[sdrv]|%\(\w+\)s|%[A-Z_]+%"
)
_REFERENCE = r"[!?@&*][A-Za-z_#][A-Za-z_.:]*\W*$|\\"  # !vault, ?unset, @inject, &str, *alias, \S+
_CALL = r"[A-Za-z_$][\w$.:]{0,80}[(\[{]|\$[A-Za-z_]\w*(?:->|::|[.\[(]|[,;)-]*$)|arn:|qr?/|/[^/\s]{0,40}[\^\[(\\$*]"
_CHAIN = r"[A-Za-z_$][\w$]*+(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*+)++[,;:)]*+$"
_PATH = r"(?:~|\.{0,2})/[\w.@-]|[A-Za-z]:\\|[a-z][a-z0-9+.-]{1,12}://|file:|unix:"
_DISGUISED = r"[A-Za-z][0-9!#$%^&*]+[A-Za-z]"
_SIGNS = frozenset("0123456789!@#$%^&*+=?~")
_NAME_PARTS = r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])"
_NAMES = frozenset(
    "auth cred credential key keys passwd password secret secrets token tokens".split()
)


def is_plain_word(piece: str) -> bool:
    """True if a piece is a single word or number, as in running text."""
    word = piece.strip(_EDGES)
    if not word.isalpha():
        return not word or word.isdigit()
    one_case = word.islower() or word.isupper() or word[1:].islower()
    return one_case and (len(word) < 6 or not word.isascii() or _is_word_like(word.lower()))


def is_wordy(value: str, *, share: float = 0.8) -> bool:
    """True if a value consists of words, as identifiers and sentences do."""
    parts: list[str] = compile_pattern(_PARTS).findall(value)
    digits = sum(len(part) for part in parts if part.isdigit())
    letters = sum(map(len, parts)) - digits
    words = sum(len(part) for part in parts if _is_word_like(part.lower()))
    return words >= share * letters and digits <= 0.3 * len(value)


def _is_word_like(part: str) -> bool:
    """True if letters follow each other as in words; a long word may break the rule once."""
    if len(part) < 3 or part in _SHORT:
        return part in _SHORT
    odd = sum(after not in _FOLLOWS.get(letter, "") for letter, after in pairwise(part))
    return odd <= (len(part) - 1) // 5


def is_random_looking(value: str) -> bool:
    """True if a value with a telling name looks random."""
    body = value.strip("=")
    if len(body) < 8 or not any(map(str.isalpha, body)) or is_wordy(body):
        return False
    return any(map(str.isdigit, body)) or len(body) >= 12


def is_placeholder(value: str) -> bool:
    """True if a value is a mask, a variable or a placeholder word."""
    if (
        set(value) <= _MASK
        or compile_pattern(_REFERENCE).match(value)
        or max(value, default="") >= _CJK
    ):
        return True
    folded = value.lower()
    return (
        not any(map(str.isalnum, compile_pattern(_FILLED_IN).sub("", value)))
        or folded.strip(".,;:!?)]}\"'") in _WORDS
        or any(gap in folded for gap in _LEFT_OUT)
        # among words only: one random token in ten thousand spells "your"
        or (any(sample in folded for sample in _SAMPLES) and is_wordy(value, share=0.6))
    )


def is_code(value: str) -> bool:
    """True if a bare value is an expression, a path or an address."""
    if compile_pattern(_CALL).match(value):
        return True
    outside = compile_pattern(_CHAIN).match(value) or compile_pattern(_PATH).match(value)
    return outside is not None and not is_random_looking(value)


def _is_not_secret(value: str, *, quoted: bool) -> bool:
    """True if a value is no text of a secret."""
    if is_placeholder(value) or "://" in value:
        return True
    variable = "_" in value and value.isidentifier() and not any(map(str.isdigit, value))
    return not quoted and (variable or is_code(value))


def is_chosen_secret(value: str, *, quoted: bool) -> bool:
    """True if a value after a word like password is secret; people choose freely."""
    if _is_not_secret(value, quoted=quoted):
        return False
    if " " in value:  # a message, unless a word of it is disguised
        return compile_pattern(_DISGUISED).search(value) is not None
    if value.isdigit():
        return len(value) >= 6
    if any(map(str.isalpha, value)) and not _SIGNS.isdisjoint(value):
        return len(value) >= 4 and not _is_validation_rule(value)
    chosen_word = quoted and len(value) >= 5 and (is_plain_word(value) or not is_wordy(value))
    return chosen_word or (len(value) >= 12 and is_random_looking(value))


def _is_validation_rule(value: str) -> bool:
    """True if a value is a validation rule such as ``min:8|max:20``."""
    return ("|" in value or ":" in value) and is_wordy(value)


def is_generated_secret(value: str, *, quoted: bool) -> bool:
    """True if a value after a word like token is secret; machines generate tokens."""
    if " " in value or _is_not_secret(value, quoted=quoted):
        return False
    return is_random_looking(value) and not is_secret_name(value)


def is_secret_name(value: str) -> bool:
    """True if a value is the name of a secret, such as ``gitlab_token_v2``."""
    if _NAMES.isdisjoint(map(str.lower, compile_pattern(_NAME_PARTS).findall(value))):
        return False
    runs: list[str] = compile_pattern(r"[A-Za-z0-9]{12,}").findall(value)
    return not any(map(is_random_looking, runs))
