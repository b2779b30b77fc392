"""Our stemmer is the one that SQLite calls porter."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import tokens_of

from twiceshy.language.stem import stem_word

WORDS = """
    abandon ability abilities able abnormally abolish absence absolutely abstraction accept accepted
    accessible accessing accidentally accumulation adapters adding additional adjustable admit admitted
    admitting advances agreed aging aliases allocation allowance almost already although analogously
    analysis annotate annotations apologies apply applied applying argument arguments arise array arrays
    assigning asynchronous attributes authorization automation available avoided aware bailing based
    batches beautiful became become been begin beginning bees believe bled blessing boolean bosses both
    boundaries branches breaking brittleness broken bubbled buffered building bundles buried busiest
    busily business buy buying cache cached caches caching callable called cancel cancelled capabilities
    careful carelessness cars categories caught cease ceiling changed changes checking chosen classes
    cleanly clicked closes closing cloned coded collision combination commit commits committed
    committing communism comparable compiled compiler compiling complexity conditional conditionally
    configurable configuration configured conflated conformity confused connection connections
    consciousness consisting consistent constant constraint container contents controlling conversion
    copied copies copying correctness corrupted covers crashed created creation critical cries crying
    cutting cycles daily damaged databases dating deadlines debugged debugging decided decision
    decisiveness declared decodable dependencies deployed deployment deprecated derivation described
    destroyed detached determined developer device dies differences differently digitizer digits
    directories disabled disagreed discoveries distinguishes documentation does dogs doing driven dropped
    dropping drying duplicates dying easily echoes edges edited editing effective effectiveness
    eliminated embedded emptiness enabled encoding encrypted endings energetically engine enjoying
    enormous ensured entries environmental equality erased errors escaped escaping essence evaluated
    eventually everything evolved exactly excessively exhausted existence expanding expected expired
    explained exporting expressiveness extended facilities failed failing failures falling false fastest
    fatal favourite feed feeding fetch fetched fetches fetching feudalism fields filing filling filtered
    finally finished fitted fitting fixed fixes fixing flags flies flying folded followed forced forgotten
    formality formalize formatted formatting formed fortunately frozen fulfilled fully functional
    functions generalization generated generously getting giving globally going goodness gracefully
    grammar grouped guarded guidance hanging happening happy hashed hashes headers helpful helpfulness
    hesitancy hidden hissing hopefulness hopping hugging humanize hyphenated ideas identifier identifies
    idly ignored ignores imagine immediately implementation implied imported imports improvements
    inconsistencies increased independence indexed indexes indices inference inhibition initialization
    inject injected inserted insisted installing instances integration interactive interrupting invalid
    inverted irritant iteration iterator keyed keys killing knives knowing known labelled largely lastly
    latched leaves left lessons lied lies linked listening listings lively loaded loading loaves locally
    locked logged logging logically logs looked lying machine maintained makes making manager managing
    mapped matches matching matrices maximizing meaning measured meetings memories merged message
    migrated migration milling mirrored missed misses mixed moisten moment monitored motoring moved
    multiplied mutable named naming naturally nearest necessary needed negated nested networks never
    nicely nodes noisily normalise normalized noted notes nothing notices numbers obeyed objects obviously
    occasional occurred occurring offered oldest omitted only opened operational operator opposite
    optional optimization ordered ordering orphaned outputs overflowed overridden owned packages paired
    parallelism parameters parsed parsing partially passed passes passing patched paths pausing pending
    permissions persisted personality pinned pinning pipelines pirating planned plastered playing
    plotted pointers policies ponies possibly posted predicate predication preferences prefixed prepared
    presence pretty prevented previously printed privately probabilities problems processed processes
    processing produces programs projected promises properly protected proved provided publishes pulled
    pushed pushing quality queries quickly quoted races radically raised ran randomly rate rated rather
    rational readable reads really reason rebased recalled received recipes recognised records recovered
    recursive redacted reduced references refactoring refused regularly rejected related relational
    released relies relying reminded removal removed renamed repeated replacement replayed reported
    requests required resolution resolved responsiveness restored restrictions results retired retried
    retries retrying returned reverted revival rewritten roll rolled rolling rotated routes rowing rules
    running safely sample saved saying scanned scheduled scopes sealed searches seconds secretly
    selected sensational sensibility sensitivity separated sequences serialization serving sessions
    sets setting several shared shed shorten shown signalled signed silently similarly simplified sing
    sized sizes sizing skies skipped sky slowly snippets snowed solved sorting spaces specialized
    spelled splitting spoiled stable staged stale started stating statistical statuses stays stemmed
    stopped stories stored strengths stripped styles subtypes successfully suddenly suggested superseding
    supplied supposed surely suspiciously switched symlinks sync synced systematically tables tagged
    tagging tags tanned technically tested tests thing things this threads throws ties timely times
    tokenizer tokens tolerance traced tracking transitions translated traps traversal tried tries trigger
    triplicate troubled truncated trusting truthfully trying turned twice types typing unable unions
    uniqueness unsafe until upgraded upset urgently useful user uses using usually utilities validated
    valuable values variable variants vectors verified versions viable vietnamization vileli violated
    visibility waiting warned warnings was watches whatever whitespace wholly widgets winning wiped
    words workflows working worlds worse wrapped writes writing written wrongly yielded yields zeroes
""".split()
ROOTS = (
    "a",
    "y",
    "tr",
    "be",
    "oy",
    "ail",
    "hop",
    "fizz",
    "rel",
    "tann",
    "trouble",
    "sky",
    "condit",
    "gener",
)
SUFFIXES = """
    s es ies sses ss eed ed ing ated bled izing y ly ational tional enci anci izer logi bli alli entli
    eli ousli ization ation ator alism iveness fulness ousness aliti iviti biliti icate ative alize
    iciti ical ful ness al ance ence er ic able ible ant ement ment ent ion tion sion ou ism ate iti ous
    ive ize e ee ll le
""".split()  # fmt: skip


def test_a_few_hundred_words_of_the_trade_have_the_stems_that_sqlite_gives_them() -> None:
    assert len(WORDS) > 700

    stems = {word: [stem_word(word)] for word in WORDS}

    assert stems == dict(zip(WORDS, tokens_of(WORDS, tokenizer="porter ascii"), strict=True))


def test_every_suffix_and_pair_of_suffixes_is_taken_off_as_sqlite_does_it() -> None:
    words = sorted(
        {"".join(parts) for parts in product(ROOTS, ("", *SUFFIXES), SUFFIXES)} | set(SUFFIXES)
    )

    stems = [[stem_word(word)] for word in words]

    assert stems == tokens_of(words, tokenizer="porter ascii")


@given(st.lists(st.text("aeiouybdlnstz", min_size=1, max_size=12), min_size=1, max_size=50))
def test_any_word_has_the_stem_that_sqlite_gives_it(words: list[str]) -> None:
    assert [[stem_word(word)] for word in words] == tokens_of(words, tokenizer="porter ascii")


@given(st.text())
def test_what_is_no_plain_english_word_is_its_own_stem(text: str) -> None:
    plain = text.isascii() and text.isalpha() and 3 <= len(text) <= 64
    if not plain and not "\u0400" <= text[:1] <= "\u052f":
        assert stem_word(text) == text


def test_what_was_learned_about_tagging_is_found_by_those_who_tag() -> None:
    assert (
        stem_word("tagging")
        == stem_word("tagged")
        == stem_word("tags")
        == stem_word("tag")
        == "tag"
    )
