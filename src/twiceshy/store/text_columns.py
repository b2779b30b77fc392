"""Every column that may hold words, and what an erasure does with it.

``row``: the text is cleaned, and the row goes if nothing of it is left. ``drop``: a row goes if it quotes.
``clean``: the text is cleaned in place. ``state``: the same for JSON whose lists have places.
``name``: names of people's things, of which only exact strings are taken out. ``derived``: made of the
journal, and made again. ``code``: ids, hashes and words of ours. A test compares this table with the schema.
"""

from __future__ import annotations

ROW, DROP, CLEAN, STATE, NAME, DERIVED, CODE = (
    "row",
    "drop",
    "clean",
    "state",
    "name",
    "derived",
    "code",
)
TEXT_COLUMNS: dict[str, dict[str, str]] = {
    "aliases": {"alias": NAME, "project": NAME},
    "arrivals": {"device": CODE},
    "authors": {"batch": CODE, "session": NAME},
    "counters": {"note": CODE, "name": CODE, "device": CODE},
    "episodes": dict.fromkeys(
        "id kind session project title summary requests tools files transcript".split(), DERIVED
    ),
    "erasures": {"what": CODE, "key": NAME},
    "evidence": {"note": CODE, "signal": NAME, "session": NAME},
    "exposures": {"key": NAME, "note": CODE, "session": NAME, "channel": CODE},
    "intents": {"session": NAME, "call": NAME, "intent": ROW},
    "journal": dict.fromkeys("device batch op object refers".split(), CODE),
    "labels": {"kind": CODE, "label": DERIVED},
    "leases": {"name": CODE, "holder": CODE},
    "maintenance_runs": {"what": CODE, "done": CLEAN, "error": CLEAN},
    "meta": {"key": CODE, "value": CODE},
    "migrations": {"name": CODE},
    "model_calls": {
        **dict.fromkeys(("project", "session", "backend", "model"), NAME),
        "purpose": CODE, "material": CODE, "error": CLEAN,
    },
    "notes": dict.fromkeys(
        """id kind subtype text why project skill tag files concepts trigger state status reason source
        origin_project origin_session skill_hash supersedes superseded_by fingerprint counts""".split(),
        DERIVED,
    ),
    "outcome_sums": {"note": CODE, "device": CODE},
    "outcomes": {
        "key": NAME, "note": CODE, "session": NAME, "project": NAME, "channel": CODE,
    },
    "payloads": {"object": CODE, "body": DERIVED},  # cleaned object by object, before the rest
    "places": {"mark": NAME, "project": NAME},
    "projects": {"id": NAME, "name": NAME, "root": NAME},
    "scopes": {"project": NAME, "skill": NAME},
    "seen_calls": {"id": NAME, "session": NAME},
    "sessions": {
        "id": NAME, "runtime": CODE, "project": NAME, "root": NAME, "transcript": NAME,
    },
    "signals": {
        **dict.fromkeys(("key", "session", "project", "skill", "tool", "call"), NAME),
        "kind": CODE, "target": DROP, "mistake": DROP, "excerpt": ROW, "pair": DROP,
    },
    "signatures": {"note": CODE, "act": CODE, "mac": CODE},
    "skill_usage": {"skill": NAME, "day": CODE},
    "skill_uses": {
        **dict.fromkeys(("session", "agent", "skill", "project", "path"), NAME),
        "how": CODE, "told": CODE,
    },
    "tombstones": {"project": NAME, "skill": NAME, "fingerprint": CODE},
    "transcript_progress": {"path": NAME, "session": NAME, "position": CODE, "state": STATE},
    "trigger_counts": {"note": CODE, "context": NAME},
    "triggers": dict.fromkeys(
        "note project tool needle echo program line echo_word".split(), DERIVED
    ),
    "vectors": {"note": CODE, "field": CODE, "model": CODE, "vector": DERIVED},
    "verdicts": dict.fromkeys("object content reason withheld origin".split(), CODE),
    "views": {
        "path": DERIVED, "format": CODE, "project": NAME, "skill": NAME, "body": DERIVED,
    },  # the body is cleaned with the file, which then gets another name
    "words": {"terms": DERIVED},
}  # fmt: skip
PLACES = {
    "signals": "signals",
    "transcript_progress": "readings",
    "intents": "intents",
    "maintenance_runs": "maintenance",
    "model_calls": "model calls",
}
