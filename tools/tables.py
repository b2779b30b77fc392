"""The tables of the store in words: what each is for, and what becomes of its rows.

``docs/schema.md`` prints the purposes; tests compare both with the schema and with what is pruned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# What each table is for, in the words that ``docs/schema.md`` prints.
PURPOSE = {
    "meta": "device id, the last value of the hybrid clock, and the shape the schema should have",
    "migrations": "which step was applied when",
    "projects": "codebases by identity",
    "aliases": "other names of a project: paths, slugs, remotes, weaker identities",
    "places": "where on this device the user worked on which project; never sent or taken over",
    "journal": "every change to a note or episode, append-only; undo, history and sync read it",
    "payloads": "the fields a journal row changed, before and after; `forget` deletes them",
    "notes": "what the journal adds up to: one row a note, rebuilt from it at any time",
    "labels": "which notes name which file or concept; derived",
    "words": "full-text index of the notes: which rows hold a term; derived",
    "scopes": "which rows the notes of a project and skill have, with their number and length; derived",
    "counters": "how often a note was shown, missed, helped or harmed, counted per device",
    "tombstones": "fingerprints of forgotten notes, so that they are not learned again",
    "erasures": "which signals `forget` deleted, which histories it cleaned, and digests of runs of words, so that no remote brings them back",
    "signals": "what machines observed in sessions: errors, fixes, corrections",
    "episodes": "stretches of work, summarised",
    "exposures": "which note was shown to which session, or withheld from it",
    "vectors": "embeddings by note, field and model; derived",
    "sessions": "conversations: where they take place and how far they are",
    "intents": "what sessions and single calls are about, until it is asked for",
    "skill_uses": "which skills a session used, and what it was told about them",
    "signatures": "rules that the user approved on this device, and what they may do",
    "model_calls": "what models were asked for, and what that took",
    "transcript_progress": "how far each transcript was read, and what its end still waits for",
    "seen_calls": "which calls were read in which session, so that copies of it count once",
    "triggers": "which calls a note is about, and in which of the last sessions its mistake was made",
    "evidence": "which signals a note was learned from",
    "trigger_counts": "how often calls that a note is about failed or worked, by where they were made",
    "outcomes": "what came of a note that was shown, or withheld",
    "outcome_sums": "what came of a note in a week, for as many sessions as came out alike, per device",
    "authors": "which session made which change, for as long as sessions last",
    "arrivals": "when entries of other devices came in, by the clock of this one",
    "days": "the newest days of use, which attest the clock",
    "verdicts": "what agents are not told of notes and episodes, and which words the gate has seen",
    "skill_usage": "how many sessions used a skill on a day, once their rows are pruned",
    "leases": "who does something that only one may do at a time, and until when",
    "maintenance_runs": "what maintenance did, and when",
    "views": "what we wrote last to each file that people may edit",
}

# What becomes of each table, and why that is soon and late enough. Times are those of ``Retention``.
LIFETIMES: Mapping[str, str] = {
    "episodes": "end, compact and checkpoint: archive_days, and the newest of a project, then one line in"
    " the archive of their month; archives: archive_months; what somebody wrote stays",
    "journal": "entries of notes stay for ever; those of an episode go with it",
    "payloads": "as the journal",
    "sessions": "state_days after it was last seen, because a client that goes on later has to be met"
    " anew anyway; archive_days if it was compacted, because what it was told is known by how often;"
    " never while its transcript is there and unread. Days are counted in usage, for decay",
    "intents": "state_days; they are about what is going on",
    "skill_uses": "what was told: state_days; the row: evidence_days, then counted in usage, so that a session"
    " counts once however often it goes on",
    "days": "the newest 31, and none beyond today, so that a clock that was wrong attests nothing",
    "skill_usage": "by day for archive_months, for decay evidence_days, then by month",
    "authors": "state_days, and as long as its session lasts: only sessions ask what others changed",
    "arrivals": "archive_days: no session that asks what arrived is older",
    "exposures": "showings_days, and the newest of each note for `why`; of a handoff as long as it is"
    " there, or it would be shown again; what tells a stop from a false one: evidence_days",
    "outcomes": "showings_days, then summed by week; what other devices recorded gives way to their sums,"
    " and is summed after evidence_days",
    "outcome_sums": "by week until evidence_days, then one sum of all earlier weeks of a note and device",
    "transcript_progress": "state_days once the transcript is gone: as long as it is there it must not be learned"
    " from a second time",
    "seen_calls": "90 days: a fork or a resumed session copies what is younger",
    "model_calls": "400 days, so that costs can be compared with the year before",
    "signals": "evidence_days; checkpoints of skills, the newest workflows of a project and what is"
    " evidence of a note stay",
    "evidence": "evidence_days, and the newest of each note, for `why`, `review` and facts told again",
    "trigger_counts": "as long as the note",
    "maintenance_runs": "the newest hundred, let go of whenever one begins",
}
# What is not bounded by time, because it grows with what is known and not with how much is done.
KEPT: Mapping[str, str] = {
    "notes": "retired by caps and worth, removed only by `forget`",
    "labels": "derived from notes",
    "scopes": "one row for each project and skill that has notes",
    "words": "derived from notes",
    "vectors": "derived from notes",
    "triggers": "derived from notes",
    "counters": "one row for a note, a name and a device",
    "tombstones": "one row for what was forgotten",
    "erasures": "one row for a record that quoted what was forgotten",
    "signatures": "one row for a rule",
    "verdicts": "one row for a note or an episode",
    "projects": "one row for a project",
    "aliases": "a few rows for a project",
    "places": "a few rows for a folder where the user works",
    "leases": "one row for a name",
    "views": "one row for a file that is there",
    "meta": "a few rows",
    "migrations": "one row for a step of the schema",
}
