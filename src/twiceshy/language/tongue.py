"""Tell the language of a text by its small words, and bend its other words accordingly.

English needs none of this; a text in another language is told by words that English does not have.
"""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.language.stem import stem_word

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

GERMAN = frozenset(
    """aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis
    bitte brauche braucht da dabei dafur damit danach dann daran darauf darf darfst darum das dass dem den
    denn der des deshalb die dies diese diesem diesen dieser dieses doch dort du durch durfen ein
    eine einem einen einer eines er erst es etwas euch fur fuer gegen gibt haben hat hatte hier ich ihm
    ihn ihr ihre im immer in ist ja jede jedem jeden jeder jedes jetzt kann kannst kein keine
    keinem keinen konnen koennen konnte machen mal man mehr mein meine mich mir mit muss musst mussen
    muessen nach nachher neben neu neue neuen nicht nichts nie niemals noch nun nur ob oder ohne
    schon sein seine seit selbst sich sie sind so sobald soll sollen sollte sondern sonst sowie statt uber
    ueber um und uns unser unsere unter vom von vor vorher wann warum was weil welche welchem
    welchen welcher welches wenn wer werden wie wieder wieso will wir wird wo wobei wohin wollen
    wurde wurden zu zuerst zum zur zwischen""".split()
)
ROMANCE = frozenset(
    """a al algo alla alle allo ao aos apres as au aussi aux avant avec avez bien ce cela ces cette
    ai chaque che ci coi col com comme como comment con cosa cual cuando d da dans dai dal dalla das de debe
    degli dei del della delle dello depois des despues di do donde dopo dos doit du e el ele em
    en entre es essa esse est esta este esto et etre faire faut fazer foi gli ha hacer hay i il ils io isso
    j je l la las le les lo los ma mai mas me mes mi muy n na nas ne nel nella no non nos notre nous
    nunca o on onde os ou par para pas pela pelas peut peux pelo per pero por pour porque pouvez puo qual quale quand quando
    que quel quelle quelles qui quien quoi s sa sans sao se sem senza ses si sin sinon solo son sono sont su sua sue
    suo sur tem ti tous tout toute tu um uma un una uno une usar vous y""".split()
)
# Words of both languages say nothing about which of them a text is in.
_ALSO_ENGLISH = frozenset(
    """a all also alle am an as am ah bin d da des die do e en ha has her i in j l la las mal man me
    mine n neu no non o on per pour s se sin so solo son sue ti was who will y""".split()
)
_VOWELS = "aeio"
_BARE = 4  # letters
_OF_VERBS = ("ad", "id", "ar", "ir", "an", "en")
_NAME = 3  # letters before a number


RUSSIAN = frozenset(
    """а без бы был была были было быть в вам вас вместо во вот все всегда вы где да для до его ее если
    есть еще же за зачем и из или им их к как какая какие какои какую ко когда кто куда ли лучше между
    меня мне можно мои мы на над надо нам нас не него нее нельзя нет ни никогда них но нужно о об
    один он она они от перед по под пока после потом потому почему при про с сам себя со сначала так
    также там то того тоже только том тот ты у уже что чтобы чем эта эти это этого этои этом этот
    я""".split()
)
CHINESE = frozenset(
    """用 在 后 和 的 了 是 与 或 到 把 被 从 对 给 让 请 前 时 里 中 上 下 要 会 能 就 也 都 还 再 先 吗 呢 吧 啊
    怎么 么办 怎样 如何 什么 为什 么时 时候 多少 哪里 哪个 哪些 是否 可以 请问 一下 我的 我们 这个 那个""".split()
)
_UMLAUTS = "äöüßÄÖÜ"


class Tongue(Value):
    """How the words of a language are brought to stems, and which of them tell nothing."""

    stems: Callable[[str], tuple[str, ...]]
    empty: frozenset[str]


def tell_tongue(text: str, words: Iterable[str], *, english: frozenset[str]) -> Tongue | None:
    """Return the language of a text; nothing if it may be English.

    ``words`` are its words without accents.
    """
    folded = [word.casefold() for word in words]
    if not text.isascii():
        if any("\u3040" <= word[:1] <= "\uffdc" for word in folded):
            return Tongue(bend_beside_han, CHINESE)
        if any("\u0400" <= word[:1] <= "\u052f" for word in folded):
            return Tongue(bend_plainly, RUSSIAN)
    telling = [word for word in folded if word not in _ALSO_ENGLISH]
    german = sum([word in GERMAN for word in telling]) + sum(map(text.count, _UMLAUTS))
    romance = sum([word in ROMANCE for word in telling])
    other = sum([word in english for word in telling if word not in GERMAN | ROMANCE])
    if german > max(other, romance):
        from twiceshy.language.german import bend_german  # noqa: PLC0415 - other languages need no table

        return Tongue(bend_german, GERMAN)
    return Tongue(bend_romance, ROMANCE) if romance > max(other, german) else None


def bend_plainly(word: str) -> tuple[str, ...]:
    """Return the stem that a word has in any language."""
    return (stem_word(word),)


def bend_romance(word: str) -> tuple[str, ...]:
    """Return the stem of a French, Italian, Portuguese or Spanish word, without its last vowels."""
    bare = word[:-1] if word.endswith("s") and len(word) > _BARE + 1 else word
    while len(bare) > _BARE and bare[-1] in _VOWELS:
        bare = bare[:-1]
    # what is left of a participle, an infinitive, or a verb that many do
    if len(bare) > _BARE + 1 and bare.endswith(_OF_VERBS):
        bare = bare[:-2]
    return (stem_word(bare),)


def bend_beside_han(word: str) -> tuple[str, ...]:
    """Return a word and its number apart, too: beside Chinese, "Node20" is "Node 20"."""
    name = word.rstrip("0123456789")
    if len(name) < _NAME or name == word or not name.isalpha():
        return (stem_word(word),)
    return (stem_word(name), word[len(name) :], word)


def bend_untold(word: str) -> tuple[str, ...]:
    """Return the stems of a word and, if it is a German compound, of its parts."""
    from twiceshy.language.german import bend_noun  # noqa: PLC0415 - other languages need no table

    return bend_noun(word) or (stem_word(word),)


PLAIN = Tongue(bend_plainly, frozenset())
# Of a few words without grammar, such as a tag.
UNTOLD = Tongue(bend_untold, frozenset())
