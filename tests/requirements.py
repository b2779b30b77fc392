"""What twiceshy owes its users: every promise has an id, one sentence, and the tests that prove it.

Rows U001–U199 unite four systems (fireworks, magic-context, memory-keeper, memory-engine) and name
the defect we must not repeat; A01–A20 are the acceptance checklist; L01–L18
are what learning promises, R01–R14 what every runtime does. ``python -m tests.requirements`` tells
which promises have a test and which are still gaps.
"""

import argparse
import ast
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from tests.older_systems import SYSTEMS, list_promises, render_tables

TESTS = Path(__file__).resolve().parent

RUNTIMES_AND_PACKAGING = {
    "U001": "One dispatcher answers every Claude Code hook event and reads the names that runtime really sends: `tool_response`, never `tool_result`.",
    "U002": "Codex users have the explicit verbs `inject`, `checkpoint` and `flush`, with the options and exit codes fireworks gave them.",
    "U003": "On OpenCode one thin plugin file hands definition, before and after to the package, and its entry module exports only the default factory.",
    "U004": "On Pi the historian's observations become notes and can be recalled on request, so nothing is written there that cannot be read there.",
    "U005": "A runtime adapter only translates: two runtimes that report the same event get the same decision from the same core.",
    "U006": "An agent can write and recall notes itself, through MCP tools and through commands that do exactly the same.",
    "U007": "Install merges our hooks into existing settings, keeps foreign keys and a backup, changes nothing the second time, and with `--plan` only shows the diff.",
    "U008": "Uninstall takes out exactly what install put in and leaves the notes alone.",
    "U009": "A SKILL.md with name, description and trigger ships with the package, so that runtimes discover how to use twiceshy.",
    "U010": "Starter notes are installed on request only and never overwrite or reset a note the user already has.",
    "U011": "Paths are understood in POSIX and Windows form, drive letters and backslashes included, whichever system reads them.",
    "U012": "All 18 commands of memory-engine answer to their English and to their Chinese name with the same result.",
    "U013": "The base package needs click, tomlkit and nothing compiled, and hooks load the standard library alone; all else is an extra.",
    "U014": "Every environment variable that fireworks reads is honoured and listed among the settings.",
    "U015": "A project's settings override the user's key by key; what the project file leaves out keeps the user's value.",
    "U016": "A skill tunes its notes in the front matter of its SKILL.md; block form and inline map mean the same, and a malformed one changes nothing.",
    "U017": "Project patterns, keywords, protected file patterns and retention are settings; changing one takes no change of code.",
}

SCOPES_AND_IDENTITY = {
    "U020": "A note can belong to one skill: it is shown when that skill is loaded and not when another one is.",
    "U021": "A skill's note holds in one project or in all; loading the skill shows this project's and the general ones, never another project's.",
    "U022": "A note for all projects is one row, recalled in every project and read back from where it was written.",
    "U023": "Principles that span skills do reach the agent: at most three ride along when a skill loads, inside its budget.",
    "U024": "Decisions, patterns, issues, tasks and pages belong to a project and are recalled there without naming a skill.",
    "U025": "A project is known by its git root commit, so clones, worktrees and subdirectories share notes; without git a hash of the path serves, and moves become aliases.",
    "U026": "An episode names the project it was about, found from the working directory, then the files changed, then the messages.",
    "U027": "Notes left by the older systems in their own places are found: imported, and read in place until then by `recall`.",
    "U028": "Skills are found in the `.claude`, `.skills`, `.agents` and `.opencode` folders of project and user, and the project's copy wins.",
    "U029": "Every note keeps its provenance: who wrote it, in which project, session and runtime.",
    "U030": "The skills a session has loaded are remembered, so a later note or recall needs neither a path nor a second load.",
    "U031": "Names of skills and sessions are checked ids: none can act as a path, climb out of a folder or carry a control character.",
}

WHAT_IS_STORED = {
    "U040": "A lesson's month and topic are fields; the fireworks line `- [2026-11] [tag] text  [HIT:3]` is rendered from them and parsed back.",
    "U041": "A lesson is a gotcha, discovery, fix, workflow, pitfall or principle; `general` is refused with a hint where such a note belongs.",
    "U042": "A lesson can carry the intent it was learned under, which is searched with it and never printed twice when it equals the text.",
    "U043": "A decision keeps its type and its reason, and one that came without a reason is kept all the same.",
    "U044": "A pattern keeps its type, anti-patterns included, and an unknown type becomes `other` instead of being dropped.",
    "U045": "An issue keeps its type, is open or resolved, and can be resolved and opened again later.",
    "U046": "A note can name the files it is about and is found by any part of such a path.",
    "U047": "Notes are found by concept in any case, through an index derived from them that never names a note that is gone.",
    "U048": "Project, architecture and conventions are pages with revisions: setting one keeps what it said before.",
    "U049": "Every project has a rolling log of its sessions, and a session start tells how the last one ended if it left something.",
    "U050": "A session is stored once, as an episode; the session files of memory-keeper and memory-engine are two renderings of it.",
    "U051": "A transcript is kept as a pointer, on request as a redacted and refined copy under retention, and never copied whole at every turn.",
    "U052": "Checkpoint notes of a skill are never lost: distilling reads them and does not empty them.",
    "U053": "A checkpoint in mid-session is an episode with its title, its requests and what was being done.",
    "U054": "A compaction leaves an episode that sums up the conversation until then and says what triggered it.",
    "U055": "The session index lists the newest 20 episodes of each project and can be rebuilt from the store at any time.",
    "U056": "A pitfall the machine noticed is kept as signals, and the lesson made of them names both the problem and the way out.",
    "U057": "A lesson written by hand with `learn` keeps problem, solution and next time apart and can be rendered as memory-engine's file.",
    "U058": "A rule of the error notebook keeps its wording, an example, how often it was missed, and whether it is active or cleared.",
    "U059": "A handoff keeps status, what was done, what is left, decisions and files, addressed to the next session of its project.",
    "U060": "A day's diary is an episode of under 30 lines: what was done, what was learned, and notes for next time.",
    "U061": "Tasks are listed for all projects or for one, and can be opened, finished and opened again.",
    "U062": "A reflection leaves a report with fixed sections, and the next reflection compares itself with it.",
    "U063": "MEMORY.md is generated as a hub of pointers that warns from 170 lines on and never exceeds 200.",
    "U064": "What is known about the user is a note of kind `preference` and holds in every project.",
}

CAPTURE = {
    "U070": "An error in any tool's result becomes a redacted signal, read from `tool_response` and from failure events as runtimes send them.",
    "U071": "A signal that arises while a skill is in use names that skill.",
    "U072": "Bookkeeping tools such as to-do lists leave no signals.",
    "U073": "A transcript yields tools, skills, texts and results, each result joined to its call by `tool_use_id`, in whichever entry and shape it comes.",
    "U074": "A session with fewer tool calls than the configured minimum, 5 by default, is not distilled.",
    "U075": "A model is asked only on structural evidence such as a failed call, a fix or a correction; text like `0 errors` is no evidence.",
    "U076": "A model distils at most three lessons per skill from new material, and the same material is never paid for twice.",
    "U077": "Principles across skills are distilled into notes without a skill, compared with the very place they are written to.",
    "U078": "Distilling works with the Claude command line, with any OpenAI-compatible endpoint, by rules alone or not at all, as the user chose.",
    "U079": "When a model fails or takes too long the next one in the chain is tried, and no session waits for it.",
    "U080": "A distiller's failure leaves a structured, redacted record of backend, model and cause with a short preview of the answer.",
    "U081": "An agent's note is stored in one call, and the answer gives its id and scope and says whether it was known already.",
    "U082": "The historian sees a skill call as `TC: skill(name)`, and its `<skill_observations>` lines become candidates; other lines and kinds are ignored.",
    "U083": "Promotion from the historian honours the skill's opt-in, redacts, starts as a candidate for review, skips discarded work and never fails its caller.",
    "U084": "Capture does its work without any reminder; the reminder after N tool uses is a setting, by default quieter than memory-keeper's every five.",
    "U085": "A checkpoint episode is written after every 20 user messages, or as many as configured, without being asked for.",
    "U086": "What a session has learned is captured before the runtime compacts the conversation.",
    "U087": "Capture at the end of a turn or a session goes on from a mark per session, so the same material is read once.",
    "U088": "A session file becomes notes through a tolerant parser that reports each rejected line; a colon in a URL or a time splits nothing.",
    "U089": "The verb `flush` takes lessons from the lesson sections of a summary, a session file or stdin, in English or Chinese, and says so when there are none.",
    "U090": "The same call failing three times without a success between is a retry signal; command and target are compared in normal form, so different commands on one file are no retry.",
    "U091": "A failed call and the later one that worked become a pair, stored as one fix with both the problem and the remedy.",
    "U092": "A user's correction is recognised in English and Chinese, by whole words in any case; `nothing wrong` and talk of an undo feature are none.",
    "U093": "A file edited back and forth in a short time gives a thrash signal; steady work on one file gives none.",
    "U094": "The verb `analyze` compares the user's edits with the known rules, counts those missed again and proposes rules for the rest.",
    "U095": "What a runtime put between its own tags is taken out of user messages; a message that merely begins with `The user` is kept.",
    "U096": "An episode states its title, the number of messages, the tools used and the files changed.",
    "U097": "A checkpoint says in one line what was being done, from the actions seen and the project's keywords.",
}

LIFE_OF_A_NOTE = {
    "U100": "The same text learned again is a sighting, not a second note, whatever its case, spacing, bullet, month or HIT tag; a text that merely contains it is another note.",
    "U101": "A near-duplicate above the threshold is a sighting of the closest note of its own kind, and its wording is kept as a variant.",
    "U102": "Each time a note is learned again its sightings grow by one, and `[HIT:n]` shows that number.",
    "U103": "Each time a note is shown its recalls grow by one, written in a batch, and neither its recency nor a text index changes.",
    "U104": "When two scopes become one, equal notes merge into the oldest with added counters and first and last dates; merging again changes nothing.",
    "U105": "Parallel writers lose nothing: N processes with M writes each leave N times M effects, and files are replaced atomically.",
    "U106": "Beyond the cap per skill or in general the least valuable notes are retired, never erased, and an undated note does not count as the oldest.",
    "U107": "The fireworks score, sightings minus half a point for each month beyond the third, can be chosen as the policy for retiring.",
    "U108": "A note can be pinned and unpinned; pinned notes lead the brief and no policy retires them.",
    "U109": "A note can be edited, retired, restored, moved and forgotten; the journal holds every change, and all but forgetting can be undone.",
    "U110": "Sessions older than 30 days are folded into one file a month and are still found by search.",
    "U111": "All that piles up is bounded: by default 30 sessions, 10 checkpoints and 3 days of session state, and logs and copies as well.",
    "U112": "A page is reported as stale after 30 days without a change and as too large beyond 200 lines.",
    "U113": "A mistake seen on three distinct days leads to a proposed rule; it is known by its fingerprint, so three different mistakes propose nothing.",
    "U114": "Refining leads through four questions for each note (does it serve, can it be shorter, is it covered, must it go) and records the answers.",
    "U115": "A note is removed only after one reflection marked it, a later one came and the user confirmed; any other order is refused.",
    "U116": "The health pass over skill notes reports counts, pins, missing vectors, crowding and near-duplicates and changes nothing.",
    "U117": "Maintenance merges twins, retires stale notes and promotes proven ones by fixed rules; a model is optional.",
    "U118": "Missing vectors and those of another model are made anew in bounded batches without a language model; a second run finds nothing to do.",
    "U119": "Scheduled maintenance runs only when switched on, and a lease lets one process at a time do it.",
    "U120": "A note remembers the version of the skill it was learned under, and a brief marks it when the skill has changed since.",
    "U121": "Clearing names what it will clear, asks first and leaves no index entry behind.",
    "U122": "A kind can be given a lifetime, after which its notes are retired; without that setting none expires.",
}

RECALL = {
    "U130": "When a skill is invoked the agent is given the notes of that skill before it acts on it.",
    "U131": "Reading a SKILL.md gives the full brief if the skill was invoked and at most five notes if it was only looked at; the session's real history decides.",
    "U132": "A brief is appended to the skill's tool result, so the cached conversation before it stays the same to the byte.",
    "U133": "In OpenCode the skill tool takes an optional intent, which chooses the notes of that call and of no other.",
    "U134": "A skill's notes can be recalled without loading it, and the answer tells an unknown skill, a disabled one and one without notes apart.",
    "U135": "Without an intent the order is pinned first, then by sightings and recency, and the same on every run.",
    "U136": "With vectors the order blends relevance, recency and sightings by weights a skill can tune; recency has a half-life and is no rank among candidates.",
    "U137": "Full-text recall ranks by relevance and finds Chinese, Japanese and Korean words inside unspaced text.",
    "U138": "Recall descends from vectors to full text to flat order; a rung that finds nothing hands over, so an empty search never hides a skill's notes.",
    "U139": "A brief never exceeds its token budget, framing included, and pinned notes have their own share of it.",
    "U140": "No brief holds more notes than its channel allows, and `SKILLS_INJECT_TOP` is the ceiling for a skill.",
    "U141": "Where nothing is known nothing is said: no empty brief, no placeholder, no notice.",
    "U142": "A brief is one fenced block that calls itself observations, not instructions, and the escaped text inside can neither close nor forge it.",
    "U143": "A session start gives the project's stable pages, cut to its budget.",
    "U144": "A session start tells how the last session of the project ended if it left something, and how many decisions and patterns it leaves out.",
    "U145": "A session start gives the end of the last session of this very project if it is at most seven days old, and never another project's.",
    "U146": "A session start gives open tasks and the newest pitfall of the last three days.",
    "U147": "A session start names recurring pitfalls, and recalls that reflecting is due after seven days.",
    "U148": "A session start offers the pages that belong to the working directory, matched by the project's identity.",
    "U149": "A session start works after startup, resume, clear and compact, and on resume repeats nothing the conversation already holds.",
    "U150": "Between prompts a session hears which notes other sessions changed, wherever in the text, and never of its own writes.",
    "U151": "A handoff is shown once per project and revision, at the start or in between, and counts as shown only after it was written out.",
    "U152": "Search combines words, kind, concept and file, and when it finds nothing it names the filters it used.",
    "U153": "Search covers notes, episodes and pages at once, ignores case, gives at most 20 hits, newest first, and proposes related terms.",
    "U154": "Pages can be set, read and listed by name, and the list says of each whether it is filled and how large it is.",
    "U155": "Before a task a hook reminds the agent of the active rules that fit; it does not depend on the agent remembering to ask.",
    "U156": "The verb `reload` gives everything or one topic again and writes nothing.",
    "U157": "The agent is told, with worked examples, when to note and when to recall.",
}

SAFETY = {
    "U160": "Text inside `<private>` is redacted wherever it could be written, file names and concepts included; an unclosed tag hides the rest.",
    "U161": "Secrets are redacted before anything is written and again before it is shown.",
    "U162": "Before a write to a sensitive file the model sees a warning, with every tool that writes; `.env.local` and `id_rsa` are such files, `passwords_test.py` is not.",
    "U163": "Before a push the outgoing commits are searched for sensitive files and a forced update is noticed, however the command is spelled.",
    "U164": "Guards warn and let pass unless the user has set them to ask or to block.",
    "U165": "Which skills take part is a policy (all, those that opt in, or none), and a skill's own front matter has the last word.",
    "U166": "Every note has a trust level by its source; what a tool printed is never shown as advice, and hostile text is quarantined.",
    "U167": "The memory home is its owner's alone, folders 0700 and files 0600, whatever the umask.",
    "U168": "No secret and no prompt appears in a process argument, a log or the identity of a provider.",
    "U169": "Nothing uses the network unless it was switched on, and the documentation lists every case that can.",
    "U170": "A hook exits 0 whatever happens, says nothing on failure, and logs the cause where `doctor` shows it.",
}

STORAGE_AND_OPERATIONS = {
    "U180": "Notes can be had as readable files in the older systems' formats; hand edits are read back, and lines nobody understands are kept.",
    "U181": "The store is one SQLite file in WAL mode, and a change is there entirely or not at all.",
    "U182": "Schema steps are numbered, each runs in one transaction, and two processes that migrate at once end with the same schema.",
    "U183": "A store written by a newer release can be read but not changed, and the message says what to do.",
    "U184": "Opening a store restores a missing table, column, trigger or text index, and a fresh schema equals a migrated one.",
    "U185": "A damaged file is set aside as a copy and reported, and never replaced by an empty one in silence.",
    "U186": "The use of a skill is counted once a session, with total, last day and days, however many turns the session has.",
    "U187": "The verb `status` gives the number of notes, skills and pinned notes for this project and for all.",
    "U188": "The verbs `check`, `full-check` and `memory-health` are one audit at three depths that tags each finding and changes nothing.",
    "U189": "Every run leaves a line with time, session and event in a log that rotates.",
    "U190": "Nothing asks for a new release, and a file that still sets the check of earlier versions is told that it is no longer used.",
    "U191": "The verb `backup` commits the notes and pushes them to the user's own git remote without blocking a session.",
    "U192": "The verb `recover` brings notes in record by record, and a note for all projects is then seen in each by query, not by copies.",
    "U193": "Sync merges two stores record by record: the later edit wins, the other stays in history, and deletions travel as well.",
    "U194": "A new device gets every note back, and projects that lie elsewhere on it are matched by identity and alias.",
    "U195": "The backup after a session or a compaction runs in a detached process, so the hook returns at once.",
    "U196": "The agent is advised from 60 % of the context on when it is a good moment to compact, and when it is not.",
    "U197": "One command lists every command with a line on what it does, and none can be missing.",
    "U198": "Every promise in this table is bound to an automated test or reported as a gap.",
    "U199": "Hooks keep CPU budgets in multiples of a bare interpreter: 1.3 with nothing to do, 3 for a signal, 3.5 for a recall.",
}

ACCEPTANCE = {
    "A01": "Recorded payloads of real runtimes are understood: `tool_response`, failures, results in user entries, text or list contents, Stop at every turn, skill names with a colon.",
    "A02": "N processes with M operations leave N times M effects for notes, counters, checkpoints and decisions. A `kill -9` in mid-write leaves a readable store.",
    "A03": "One lesson in two months is one note, one tag on two lessons is two. Short never swallows long; variants of case, space, bullet and Chinese text agree.",
    "A04": "Importing each sample file and exporting it again is a fixed point, and hand-written prose survives.",
    "A05": "No verb destroys raw checkpoint notes, and every removal can be undone until it is confirmed.",
    "A06": "No skill, session, topic or file name leaves its root, be it absolute, `..`, NUL, a symlink, overlong or look-alike Unicode.",
    "A07": "The corpus of secrets and `<private>` texts, closed, unclosed and nested, appears in no row, view, log, prompt, argument or backup.",
    "A08": "Stored text cannot close the brief, forge an attribute or stand outside the frame. What a historian or detector wrote starts as a candidate.",
    "A09": "Running any hook again on the same transcript changes nothing, and new material costs at most one model call.",
    "A10": "Nothing of one project is shown in another unless it is for all projects.",
    "A11": "Paths with dots, underscores, spaces or drives, symlinks, worktrees, submodules, subdirectories and plain folders each resolve to the right project.",
    "A12": "Detectors are silent on `0 errors`, `nothing wrong`, an undo feature, five honest edits and repeated `ls`. They see a fix that came by another command.",
    "A13": "A handoff is shown once per project and revision, again when updated, whole with `---` inside, whatever a namesake elsewhere did, and not to its own session.",
    "A14": "Guards speak to the model for every writing tool and redirection, read what a push sends, know `-C`, `+ref`, lease, delete, mirror and aliases. Otherwise silence.",
    "A15": "Recall works with inline and block opt-in on every rung, falls through an empty search, keeps its budget with framing and reaches pinned notes.",
    "A16": "Recall rewrites no text index and keeps the latency budgets.",
    "A17": "Every older schema opens, a newer one is refused clearly or read only, a lost migration row heals, and step numbers are never reused.",
    "A18": "Two devices converge after offline edits, deletions, a renamed project and a clock a year off. Conflicts keep both; interruptions resume; no hook waits.",
    "A19": "After 10,000 simulated sessions the disk use is within the configured retention.",
    "A20": "Uninstall restores settings byte for byte where nobody touched them since.",
}

LEARNING = {
    "L01": "Learning goes on from a mark in each transcript: any number of passes, and kills between them, leave what one pass leaves, and a pass with nothing new changes nothing.",
    "L02": "What a resumed or forked session copies from another one counts once.",
    "L03": "What we said to an agent is never learned from, in our frame, out of it, or in other words; making the mistake again still counts.",
    "L04": "A lesson names calls that were executed, quotes the error, and has a trigger, its evidence, a trust and what the mistake took; a session and skill teach at most eight.",
    "L05": "What could do damage waits for a person, however often it is learned; nothing planted in what an agent reads can be shown after learning from it.",
    "L06": "At a call and at its failure an agent is told at most one note, or two that share nothing, and only notes whose trigger matches that very call.",
    "L07": "Calls that a note is about are counted, failed or not, told or not, and a note that is likely wrong about the next one is not told.",
    "L08": "Learning runs in a process that no session waits for and that outlives it; nothing depends on a session ending.",
    "L09": "The transcripts that are there are learned from at install, if the user wants it.",
    "L10": "What came of showing a note is counted from later calls alone, each exposure once, and equals what happened in a world where that is known.",
    "L11": "A share of sessions goes without an automatic note, decided by session and note alone; never without a rule, a pinned note, one that a person wrote or that was hardly shown.",
    "L12": "The verb `effect` compares sessions with and without notes, with an interval, tokens and cost, and says so when there is too little to tell.",
    "L13": "Notes that harm, come in vain or are outdated retire by themselves, and none of it is deleted.",
    "L14": "Only what the user approved on this device, word for word, is a rule; a tampered row, key or signature is ignored and reported.",
    "L15": "A rule asks or denies before its call if the user chose that, and only then.",
    "L16": "Every call of a model is in a ledger with its tokens and its failure, below a daily cap, and the verb `cost` shows it.",
    "L17": "What is said to hold no longer, an advice that fails, and a mistake that works by now supersede or retire the older note, which is kept.",
    "L18": "The verb `replay` plays recorded sessions through the real hooks, beside baselines, without touching the user's memory, and no note shown after a mistake counts.",
}

EVERY_RUNTIME = {
    "R01": "The MCP server lists at most eight tools, described and annotated, answers two aliases that it does not list, and serves the SDK's own client and the public inspector.",
    "R02": "Over MCP bad arguments, an unknown name or a broken store are tool errors that say what to do; the server lives on, and ends with its client without leaving a process.",
    "R03": "Where a client can call a tool from a hook, the running MCP server answers its events with the same bytes as a process does; which of the two is the default was measured.",
    "R04": "Codex is connected through its own plugin commands; trust is explained and never written, and without it `notify` still lets sessions be learned from.",
    "R05": "The same skill, store, intent and day give the same brief, byte for byte, in every runtime.",
    "R06": "In OpenCode one file without dependencies advertises the intent, briefs, and hears errors and compactions; sessions are read from its storage.",
    "R07": "In Pi, under both names of its package, one extension briefs, captures, and brings the tools that other runtimes get over MCP.",
    "R08": "In Gemini CLI an extension briefs and captures, exit codes are those the client wrote and not what a command printed, and PreCompress means nothing.",
    "R09": "Every runtime keeps one contract, told by its recordings: injection, error capture, compaction, ends, and silence for all that is unknown.",
    "R10": "Install without arguments finds the runtimes on a machine, shows one plan for all of them and asks once; uninstall, doctor and status cover all.",
    "R11": "For any other client `install generic` prints or writes the MCP entry and the lines for AGENTS.md.",
    "R12": "What a session learned in one runtime reaches the model in the others before or at the same mistake.",
    "R13": "A hook that crashes or hangs harms no session in any runtime, and uninstalling leaves the client's configuration as it was.",
    "R14": "Every cell of the table of runtimes and capabilities names the test that proves it.",
}

BUSY_MACHINES = {
    "H01": "A hook's deadline counts its own processor time; wall time counts only against a limit inside the client's, so that a busy machine costs no event.",
    "H02": "The record of an event is on disk, redacted, before anything slow begins; a hook that is killed or runs out of time loses none, and the next job stores it.",
    "H03": "What is told is on record before it is printed, or is not told; a handoff whose hook ended before printing comes again.",
    "H04": "Every hook that runs out of time leaves a line in hook.log; doctor and status show how many did, and the rate.",
    "H05": "Guards and rules that stop calls fail closed: with time of their own, for every push on a line, asking when unsure; a push that sends secrets is asked about by default.",
    "H06": "With a settings file a hook loads as few modules as without one, and a changed file counts at once.",
    "H07": "No hook converts a store: it leaves its record, one job converts, one backup is kept; an older hook leaves its record beside a newer store. The launcher always exits 0.",
    "H08": "Only regular files are replaced: a device, pipe, socket or folder in a file's place is refused or written through, and nothing waits for a pipe.",
    "H09": "The chaos runs print counts and the number of bad ones, and the test suite leaves no process behind.",
    "H10": "Before a call the store is opened only for notes that may be told then, and for lessons that may stop or rewrite the call; one whose failures come to suffice, in whatever project, counts.",
    "H11": "Hooks read their compiled modules from one file, which the background job keeps up to date; a changed source counts at once, and a damaged or foreign file changes no reply.",
}

WHAT_PEOPLE_SAY = {
    "T60": "Corrections are grouped by what is said, never by the detector's class: reflect and diary count sentences, and one said in two sessions is named with its days and times.",
    "T61": "One clear standing order (always, never, we don't, on purpose, 一律, 不要再, 以后) is an active preference, shown at the next session start.",
    "T62": "A preference said once waits; the same meaning in a second session makes it active, twice in one session does not.",
    "T63": "No question, half sentence, pasted log, report, one-off order or sentence that points at the conversation becomes a preference.",
    "T64": "A preference is the user's own sentence, whole and word for word; a sentence too long to keep is not cut but left out.",
    "T65": "A preference that waits is one line in review, those said most often first, then the newest; none is shown to an agent before.",
    "T66": "The commands save and note and the MCP tool note refuse no plain sentence: what cannot be sorted is a note, and an unknown kind is a lesson.",
    "T67": "The reason that a user gives for refusing a call is a correction: a standing order in it is an active preference.",
    "T68": "With a model configured corrections become decisions and conventions with their reason, in the place of sentences that wait; without one the sentence stays the note.",
    "T69": "Chinese sentences are judged like English ones: standing orders, wishes that wait, and what is of the moment.",
}

ASKED_AND_RECOGNISED = {
    "T90": "Before a compaction, the summariser of Claude Code, OpenCode and Pi is asked in two lines for `<skill_observations>` about the skills that the session used.",
    "T91": "What a summariser answers is a candidate, as far as the session bears it out; a second session or a person makes it active.",
    "T92": "No summariser is asked in a session without skills, for a sub-agent, or when `learn.promote` is off; Codex and Gemini CLI cannot be asked, and the table says so.",
    "T93": "Whatever stands in a block of observations, at most 20 become notes, none breaks a frame, and no secret reaches the disk.",
    "T94": "No rule names a project's own tool: a wrapper that nobody listed is known by the program behind it, and a task runner's error by its shape.",
    "T95": "Nobody goes without a lesson for an answer that no month would give: lots are drawn once a week has `holdout.weekly` showings, and `effect` says so.",
    "T96": "With the result of the first call of a program in a session, the lesson worth most about it is told, once, if it pays by the same prices as at the start.",
}

NO_SILENCE = {
    "T101": "A lesson is told in full once a conversation, at its start, with its skill or at a call, also while another process holds the store's lock.",
    "T102": "The numbers of `why` say what they count and agree with its lines: showings in all, on record here, and withheld; a showing that had to wait is counted, once.",
    "T103": "The command `doctor` names the clients of sessions that left neither a transcript nor failed calls, and what to do; it counts sessions that wait to be read.",
    "T104": "A memory home that nobody may write to still tells; `doctor` says why it cannot be written, and counts the texts told without a record, also once it can be written again.",
}

SESSION_START = {
    "T70": "How a session ended comes from its last steps: commit, changed files, open items, a whole sentence of the agent; never a prompt, a label, or an end that is no longer the end.",
    "T71": "A session about which nothing is to tell is told nothing at its start, not even a frame.",
    "T72": "A session start names open issues, and never shows a resolved issue.",
    "T73": "Proposed rules are named at a session start for the user's review, not shown as rules, and untrusted words are not repeated.",
    "T74": "Of the open tasks, a session start names the pinned ones and those touched last.",
    "T75": "What people and agents noted without a trigger is told at a session start within a small budget, first what is about the folder or branch at hand.",
    "T76": "A reminder at session start that is ignored comes back after 1, 3, 7 and then every 30 days.",
    "T77": "An idle session is told at most 60 tokens at its start: the frame and one line on how the last session ended.",
}

TRUE_FIGURES = {
    "T40": "Only sessions that drew a lot are compared; a note without effect is not called helpful or harmful because its mistake fades by itself.",
    "T41": "A session draws one lot about a lesson, recorded when told and when withheld; a lesson withheld at the start is withheld at the failure, too.",
    "T42": "After a month of 20 sessions a day `effect` says over all lessons together what they do, with an interval.",
    "T43": "A text is told only after its exposure is on disk, in the store or in the spool, whatever the channel.",
    "T44": "Outcomes of notes travel in bundles and sync; a bundle written before there were any is still read.",
    "T45": "The same mistake learned on two devices in other words is one note after they meet in any order: sightings, evidence and outcomes of both, nothing lost.",
    "T46": "The verb `replay` begins in words: how often mistakes came back, the three dearest, what would have been prevented, stopped or repaired, and net tokens by the user's prices.",
    "T47": "The verb `replay` counts honestly: a text at a call prevents only later calls, a stop spares all but one call, a text beside the failure repairs.",
    "T48": "Two runs of `replay` on the same history give the same figures.",
}

WHAT_TRAVELS = {
    "T10": "A lesson that two projects taught in the same words is told in a third.",
    "T11": "Nothing that only one project knows ever stands in a global lesson; a setting keeps lessons where they were taught.",
    "T12": "The verb `why` says with what chance a mistake comes back, how many calls it takes, and what telling it saves and costs.",
    "T13": "What a summariser says of a skill, and what clones or copies of one folder teach, stays in the project until another project teaches the same.",
}

WHAT_IS_LEARNED = {
    "T01": "A mistake of the shell, of a path, of a folder, of the surroundings, of a program, of a step or of an argument leaves one note that says what to do, first and in a line.",
    "T02": "A call that the user refuses in two sessions is a lesson with a trigger and the reason; one refusal is none.",
    "T03": "What keeps a project from working is a lesson without a fix; a lock or a missing service is one when a second session meets it.",
    "T04": "Counts, failures on purpose, temporary and foreign files are no lesson; less of a call, another target, a look around or an edit is no fix.",
    "T05": "Lessons with different keys never become one note.",
    "T06": "A file of the project that is too large to read whole leaves a note to read it with offset and limit; logs, build output and files elsewhere leave none.",
    "T07": "A tool that refuses the names or types of its arguments leaves a note that names the right ones, told when the call is made so again.",
    "T08": "A lesson blames the program of a line that failed, behind a here-document too, and quotes its error up to the end of a clause.",
    "T09": "What a compiler, a linter, a type checker or a test finds in the code being written, or a symbol that is not there, is no lesson, however often it comes.",
}

STOPS = {
    "T20": "A pending call that is nearly certain to fail and is dear is stopped once with the lesson as its reason, and passes when repeated unchanged, in every client.",
    "T21": "No call is stopped twice in a session, however many hooks run at once, none that worked since its last failure, and none that is cheap or rarely fails.",
    "T22": "A stop is on record before it is made, or is not made: a busy store, a deadline or a memory that cannot be written to lets the call run.",
    "T23": "Stops are on by default; a setting switches them off or lets the user be asked, and `install` says so.",
    "T24": "A stopped call that the agent repeated and that worked is counted as a false stop; `effect` and `doctor` show how many.",
    "T25": "Where a client lets the model read a text about a pending call is proven with the real client: with the result or never for a note, before the call for a stop.",
    "T26": "A rewrite is off unless the user switched it on; it replaces one word of a plain command, after 3 failures of 3 and 3 successes of the right word, and the agent is told.",
    "T27": "The same recorded calls teach the same notes and are stopped alike in the events, tools and transcripts of every client.",
}

GROWTH = {
    "T50": "A candidate that is never shown fades with the sessions of its scope and is retired with the reason; `undo` takes it back, and the same mistake in a later session brings it back.",
    "T51": "A project keeps at most `notes.candidates_max` learned candidates, the least valuable go first; what a person wrote, pinned or approved is never retired by fading or by this cap.",
    "T52": "The command `review` shows the ten best and says how many more wait; `--all` shows the rest, and `--json` is complete.",
    "T53": "A proposed rule that nobody decides about expires after `notes.proposal_days`; it is proposed again when its mistake is learned again, and never becomes active by that.",
    "T54": "Fading runs by itself once a day, looks at a bounded number of notes at a time, and `doctor` counts what it retired and what waits.",
    "T55": "Where a client keeps no transcript, a failed call and the call that worked behind it become a lesson from captured calls, and the next failure is told, with each client.",
    "T56": "A transcript that is deleted before it was learned from costs no lesson, and a call counts once whether transcript or captured calls are read first.",
    "T57": "Of calls that work, only the eight behind a failure are recorded, redacted, and without contents of files; a hook that has nothing to do stays as cheap as before.",
    "T58": "The command `doctor` counts the sessions learned from transcripts, from captured calls, and those that left neither.",
    "T59": "With `transcripts.keep`, each session that ends leaves a shortened, redacted copy of its transcript, for its owner alone; `episodes` names it, `forget` reaches it.",
}

OWN_NOTES = {
    "T80": "A question is found wherever it stands in a long prompt, by recall, skill load, search and MCP; of more than 20,000 characters both ends are read.",
    "T81": "A long prompt that no note is about has none that fits, however many single words it shares with the notes; recall marks the nearest.",
    "T82": "A note of a person or an agent is shown at the calls that its text names: a command with a flag or subcommand, without the flag that it advises, or a file.",
    "T83": "With `--when`, in MCP `when`, a note is bound to a call or file by hand, with `none` to none; `show` and `why` tell which it is.",
    "T84": "A failure shows the note that echoes its error in text or reason, from all notes of the scope; an error of common words shows nothing.",
    "T85": "A prompt that names a note's command or file, or holds its error, gets the note once; the same words about something else get nothing.",
    "T86": "Files of older systems that were not imported reach no agent, by hook or MCP; `recall`, which reads them in place, and `doctor` say so.",
}

TOLD_WHEN_IT_CONCERNS = {
    "T109": "An error in a prompt, anywhere in 20,000 characters, finds the note that quotes it: of a person or an agent, or a lesson of which the prompt has most of the error.",
    "T110": "A lesson whose failing call or missing file a prompt names is told there by the prices of all channels, once, and not while such calls mostly work.",
    "T111": "With `notes.travel` off, no channel tells what other projects taught, even if it was copied before; what a person wrote, moved or pinned everywhere is told.",
    "T112": "After a compaction, a lesson is told again if the session was told it on an occasion or used its program; others wait for their program. People's notes and rules come again.",
}

ANY_SIZE = {
    "T150": "What a search or a recall in a project finds and tells does not depend on what other projects hold, however many notes that is.",
    "T151": "The same note is found in a large scope by the words that find it in a small one.",
}

ASKED_IS_ANSWERED = {
    "T120": "Who asks recall, by command or MCP, for a word of an active note is told a note, cut to the budget if one line fits; notes that do not fit well are marked.",
    "T121": "A recall without a fitting note says why, and what to do: no notes yet, none about it, none that may be told, too small a budget, notes switched off, unknown name.",
}

LANGUAGES = {
    "T130": "A German note is found by other forms of its words, by the parts of its compounds, and by compounds of its words.",
    "T131": "A note in Russian or in a Romance language is found by other cases, numbers and genders of its words.",
    "T132": "A misspelled word that no note has finds the notes with the word that is meant, and `search` says which word that is.",
    "T133": "English words inside Chinese text are found with and without blanks and numbers around them, and a single character by the words that begin with it.",
    "T134": "A note in English is found by a question in Chinese, French, German, Russian or Spanish that shares no word with it, and the other way round.",
}

SUPERSESSION = {
    "T140": "A note supersedes an older one only if it says so about the same thing in the same place; notes about another place or thing both stay.",
    "T141": "If it is unsure whether a note replaces another, both are shown and `review` asks: `--accept` replaces the older one, `--keep` keeps both.",
    "T142": "A note that exchanges two things of a known note is a note of its own, also in other languages; a clause that moves makes no difference.",
    "T143": "Of two notes that exchange two things, a question in the words of one has that one before the other, whichever was written first.",
    "T144": "An exception never retires the rule, nor the rule the exception: a denial of a part, a version or a kind of a thing leaves the thing in use.",
    "T145": "An exchange of two things in another place retires nothing and is not asked about; within one place it is asked about.",
    "T146": "A plain change retires the older note: another number in a setting, another version of a tool to use, another holder of a role, a new name, what is over, what is allowed again.",
    "T147": "A note that differs in the number of a thing, a date, a year, a weekday, the order of two things, or a value that adds up, and tells of no change, retires nothing: it is at most asked about.",
}

BACKGROUND_WORK = {
    "B01": "Sessions of any client that end at the same time are learned from by one background job, each once; no other job runs beside it unless hooks have other secrets in their environment.",
    "B02": "A request to learn from a session survives the job: a killed job leaves it to the next one, and after three failed tries it is set aside and shown by doctor.",
    "B03": "A request that cannot be written costs no lesson and is counted; a session is learned from by a job with the secrets of its environment, unless none came for ten minutes.",
    "B04": "Patterns that background jobs keep redact and recognise exactly as freshly compiled ones do; a damaged, foreign or outdated file is not used.",
    "B05": "The end of a session reads only the outcomes of notes that this session was shown, however many there are.",
    "B06": "A sync without news on either side opens no journal file and builds no record; whatever was changed, here or in the repository, is noticed by the next one.",
}

AGEING = {
    "T160": "What came of notes is summed by week after 90 days, and `effect` tells the same figures before and after.",
    "T161": "Each device sums what it recorded: whatever arrives in any order and however often, no session counts twice.",
    "T162": "The command `twiceshy effect` shows ten notes, the best and the worst, and says how many more there are and how to see them.",
    "T163": "A year of heavy use leaves no more rows of what piles up by itself than its first months did.",
}

WHO_ASKS = {
    "T170": "Of two notes of which one may replace the other, the newer stands before the older in recall, search and briefs; of two that exchange things, the words of a question decide.",
    "T171": "Who asks recall in the words of an active note is told it, tasks and pages too; notes that wait, are retired or may not be told are counted, with where to look.",
    "T172": "A question of function words, or of signs that cannot be searched for, is told so, and no note is said to fit it.",
    "T173": "Who asks for a word with two letters swapped or one left out, in any alphabet and beside digits, is told the notes with the word, and which word that is.",
    "T174": "A note with an error is not told for the same error of another name, at a failure or in a prompt; a note with several names there, or with none, is told for each.",
    "T175": "Of a long note, who asks is told the sentence that answers best, whole up to 400 characters and before the rest; if the budget is too small for it, how many tokens it takes.",
    "T176": "For an unknown skill the error names the skill that was probably meant: one with notes, or one whose SKILL.md a session could load, of a plugin too.",
    "T177": "A recall for a skill tells the note that answers best before others that are not pinned, in every budget, cut if need be, and the budget that it names is enough.",
    "T178": "A note with one exception, signal, error number, status or port is not told at an error that differs in it, at a failure or in a prompt; a note with several is told for each.",
    "T179": "A note that names a short error, a key (`KeyError: 'customer_id'`), a code (`ORA-00942`) or an exception with its path is told at that failure, and not at another one.",
    "T180": "The tool `search` names the word that it took for an unknown one, and says how many notes with the words wait or are retired if it finds nothing else.",
    "T181": "Who asks for the first part of a compound is told the note with the compound, marked as unsure, and the word that was found.",
}

CLOCKS_AND_COPIES = {
    "T240": "A clock that is years ahead deletes and retires nothing that would not go at the time that the last days of use attest; `doctor` says that it looks wrong.",
    "T241": "After a holiday of months all ages count as before, from the third day of use on; after more than 400 days from the fourteenth.",
    "T242": "A memory home that was copied to another folder or machine writes as a device of its own, `doctor` says so, and a sync brings the notes of all copies together.",
    "T243": "Copies of one memory home that wrote with one device id end with the same notes after any syncs; no change of any of them is lost, and `sync` says so.",
    "T244": "Output that cannot be written, to a full disk or a reader that is gone, ends any command without a traceback and without a bug report.",
    "T245": "On a full disk notes are listed, searched, recalled, shown and told by hooks; what is refused says so, and `forget` says what became of it.",
    "T246": "Learning from transcripts that is stopped with Ctrl-C says how many notes were written before.",
    "T247": "A `store.path` that points to a file or database of another program is refused with an error, and not a byte of it or beside it changes.",
    "T248": "On a disk that cannot be written, a store of an older schema is read all the same, and `doctor` says that it waits for an upgrade.",
    "T249": "Drafts of killed processes are removed after days, also in folders of clients: only plain files of this user with a name of ours.",
    "T250": "Every folder of views in the memory home is for its owner alone.",
}
COPIES_AND_DAMAGE = {
    "T310": "One wrong byte anywhere in the header of the store costs no note; the damaged file is kept beside it, owner-only.",
    "T311": "With a copy, no note is lost by a page of the store that is blank or noise, nor by a cut at any place; the damaged file is kept.",
    "T312": "A compressed copy of the whole store is written every week, after a session or by `tend`, owner-only; two are kept.",
    "T313": "All good copies are merged into the store by `recover --copy`, which says what each brought: nothing written since is lost, `--plan` changes nothing, `undo` reverts it.",
    "T314": "A damaged copy is recognised, passed over with a word, and named by `doctor`.",
    "T315": "A copy holds no text that was forgotten, and none unredacted.",
    "T316": "After a rescue, or if the store is gone while there is a copy, the first command and the next session start say so once; `doctor` does while a copy has far more notes.",
    "T317": "Damage is repaired by the first call of `doctor --repair`.",
    "T318": "What hooks and commands write in weeks of use comes back whole from an export and from a copy; a record that is not valid is left out alone, and `doctor` names its copy.",
    "T319": "In a memory home that cannot be written commands say so with a hint, and a session end starts no process; `distill --all` learns from its session later.",
}

VAULT = {
    "T340": "From the first session on, one folder of Markdown holds all that is remembered: a folder a project, and hubs whose links lead to every file. No other tree is written.",
    "T341": "After a session has ended, the vault tells what it left, and only files whose content changed are written.",
    "T342": "A line, page or session that is edited in the vault changes its note, a new line or page is a new note, a deleted line retires its note; `undo` reverses it, and other text stays.",
    "T343": "Who deletes a file of the vault, or all of it, retires nothing; a vault that was deleted is made anew.",
    "T344": "Names in the vault are titles that every file system takes and that differ where case does not count; projects of one name have a folder each.",
    "T345": "What twiceshy wrote itself, in the vault or in the files of older systems, is never offered for import, nor imported.",
    "T346": "The commands `status` and `install` say where the vault is.",
}

SUPPLY_AND_SURFACE = {
    "Y01": "A bill of materials, `docs/sbom.cdx.json`, lists what an installation and its extras bring, each with version, free licence and SHA-256.",
    "Y02": "Hooks, commands and a sync with a folder send no packet and try no connection: the kernel counts none in a network namespace of their own.",
    "Y03": "A parser that reads files, payloads, transcripts, bundles or replies of others accepts any bytes, or refuses them with an error of ours.",
    "Y04": "Triggers and views that another program puts into the store file never act: the next command removes them, restores the notes, and `doctor` names them.",
}

ONE_GATE = {
    "Y20": "By whatever way a text comes into the memory, no hook, tool, command or view tells an agent what reads like an instruction or a dangerous command.",
    "Y21": "Of a summary or a handoff only the dangerous sentences and lines are withheld; what is dangerous only as a whole is held as a whole.",
    "Y22": "What is held is not lost: `review` lists it with the reason and the words, and a person accepts or rejects it there.",
    "Y23": "A person's own typed words, and what a person accepted, are told as they stand.",
    "Y24": "A text that nobody has judged, or that was changed behind the store's back, is told by no hook until the background job has judged it.",
    "Y25": "An arriving note that is dangerous is quarantined whatever its status says, and `sync` and `import` count it.",
    "Y26": "The command `doctor` counts what is kept from agents, texts held by the gate and quarantined notes, and names the command that decides.",
}

FORGETTING = {
    "Y45": "After `forget` no byte of the memory home, of views, copies, backups or logs holds the note's words: neither a run of five nor an unusual one.",
    "Y46": "What quotes a forgotten note in part loses the quoting sentences and keeps the rest; the report counts what went by place, and names other notes.",
    "Y47": "An exact string is erased by `forget --text` from every text that the memory keeps, however it is coded; the rest of each text stays.",
    "Y48": "After `forget` and `backup --purge` a fresh clone of the remote holds none of it, nor does the clone here; other devices ask at their next sync, and then erase it.",
    "Y49": "A `forget` that was killed at any moment is finished by the next command; with a full or busy disk it says what is not clean yet.",
    "Y50": "What only shares common words with a forgotten note stays: no other note, diary or handoff loses a sentence without a quotation.",
    "Y51": "What would go is counted by `forget --plan`, which changes nothing; the report says what is not reached: exports, remote history, transcripts.",
    "Y52": "Every text column of the store is listed with what an erasure does to it, and one that is missing fails a test.",
    "Y53": "Episodes, handoffs, diaries, tasks, pages and preferences are forgotten by their id as notes are.",
    "Y54": "Lines of your own in a view that quote a forgotten note stay, and the file is named.",
}

DANGEROUS_TEXTS = {
    "Y10": "An order to an agent waits for you in 24 languages and mixtures: to ignore what was said, hide, send secrets, take approval for granted, or run something in every session.",
    "Y11": "An order stays recognised in 28 codes and, in English, under 19 ciphers and disguises, two codes deep, over lines and in pieces.",
    "Y12": "A fix waits for you by what it does: share, publish, move where packages come from, stay on the machine, take rights, destroy, change agents, read secrets, run downloads, switch off checks.",
    "Y13": "A link that only documents is no danger, whatever its host; an address that is fetched, sent to, cloned, installed or set waits, unless the project knows the host.",
    "Y14": "Of 500 harmless notes, 160 with links and 86 in other languages than English, at most 2 % are held back; what a note forbids is no danger.",
    "Y15": "What others say may describe and advise, but not order to run a script, a download or an unknown program every time; what holds an agent's words holds theirs.",
}

DEVICES_AND_BUNDLES = {
    "Y30": "Each device signs what it pushes; a sync says plainly if this device cannot sign, or if files of another one are unsigned.",
    "Y31": "A device is introduced once, by a command or a question with its fingerprint, and can be revoked; two machines introduce each other with one command each.",
    "Y32": "What unknown, unsigned or altered devices say changes nothing here, and waits in the repository until the device is introduced or its files are accepted.",
    "Y33": "If another device erases notes, joins projects in use or changes an approved rule, that asks in one question, unless `sync.follow` is set.",
    "Y34": "Older files with a valid signature, and files of one device in the place of another one, are told and not taken.",
    "Y35": "A bundle of unknown origin changes, retires and forgets nothing: its notes wait for the user.",
    "Y36": "The `undo` of an import takes back exactly that import, with names of projects and counters, and keeps later edits.",
    "Y37": "A device's counters are taken only from that device, and only up to what a device can count.",
    "Y38": "A repository of before devices signed is upgraded by the next sync: own files are signed, and those of others wait until they sign.",
}

WHOSE_CHECKOUT = {
    "Y65": "A checkout from an archive opens no other project's memory: pointers, links, remotes and commits prove nothing.",
    "Y66": "What is learned in a checkout from elsewhere is not told in the project that the checkout claims to be.",
    "Y67": "Worktrees, second clones, moved folders, clones made anew, and a second device stay joined without a question.",
    "Y68": "A fork has a memory of its own, by its remote, on each device of the user.",
    "Y69": "A checkout that claims a known project is told so in one line, which names the command; status and doctor say so, too.",
    "Y70": "Joining and separating a checkout can be planned and undone, print JSON, and are refused to agents.",
    "Y71": "A place that an earlier version knew stays joined after the conversion.",
    "Y72": "No content of a git directory that an archive brings tells a note of another project.",
    "Y73": "A project file sets only keys that a table allows, each with a reason; any other is ignored and named.",
    "Y74": "Texts that a project redacts concern that project alone: bounded, and without effect on exports, sync and other projects.",
}

AGENTS_STAY_AGENTS = {
    "Y75": "What only a person may do, as docs/person.md lists it, needs a terminal and the code that is shown there; otherwise it is refused and nothing changes.",
    "Y76": "What a client's agent started changes nothing that a person wrote or pinned, pins nothing, and writes nothing for every project.",
    "Y77": "Below the process of a known client, no terminal and no cleared variable makes an agent a person.",
    "Y78": "A note of the MCP server, a preference too, holds in the project of the client; no tool approves, erases, pins, or writes for every project.",
    "Y79": "No command sends a control, reordering or hiding character of a stored text, a file name or a message of git to a terminal or a pipe; JSON stays valid and says the same.",
    "Y80": "A memory home, store or settings file of another user, or that any user may replace, is refused with what to do; hooks say and write nothing there and are counted.",
    "Y81": "Spooled and held records, compiled modules, patterns and settings that another user planted in the home are not used; a home that others may write to is closed to them.",
    "Y82": "A backup that was tampered with brings back no rule that was not approved, and no trigger.",
    "Y83": "Texts leave this machine for an embedder or a model only encrypted, and no reply of one is followed elsewhere, waited for without end, or believed if it is no list of finite numbers.",
    "Y84": "No program that a repository brings or names is run by hooks or by commands that look at it.",
    "Y85": "Nothing in a transcript leaves its place in the distiller's prompt, and no reply of a model tells what trusted words do not cover, touches a note it was not shown, or makes a rule.",
    "Y86": "A variable that changes guards, rules, stops or the store counts for its own process: hooks of other processes watch what they watched.",
    "Y87": "An edit of a view that an agent may have made counts as the agent's, and changes no note that a person wrote or pinned.",
    "Y88": "No command or tool shows what is quarantined without a person at a terminal: no restoring, undoing, redoing, pinning, editing, moving, importing or saying it again.",
    "Y89": "Who looks for a held page or note is told that it waits and how to review it; agents are not told its words.",
}

SECRETS = {
    "Y55": "Secrets on command lines, in code, settings, logs and prose are taken out: of texts in the style of other scanners' own cases at most 5 % get through.",
    "Y56": "Every format of more than 200 that makers publish is known, each with a sample, wherever it stands.",
    "Y57": "No coding hides a secret: JSON in JSON, base64, hex, percent signs and UTF-16 are read, and what hides one is taken out whole.",
    "Y58": "A password that is told in a sentence is known in twenty languages, if it has the shape of one.",
    "Y59": "A value that was found once is taken out wherever it stands in that text, and in later texts of its session; no file holds it to do so.",
    "Y60": "A text is redacted before anything of it is cut, folded or learned from; where it arrived cut, the beginning of a known format goes.",
    "Y61": "Ids, hashes, integrity sums, lock files, pictures, lines of base64, minified code and long paths stay as they are: at most 1 % is held.",
    "Y62": "No secret that arrives by a hook, a command, a transcript, MCP, an import or a sync is in any byte of the memory home, its views, logs and remote.",
    "Y63": "A name that has the form of a secret is refused without being repeated: of sessions, skills, topics and pages.",
    "Y64": "What was written under earlier rules is found by `scan`, by place and format and without the value, and erased from everywhere by `scan --purge`.",
}

FIRST_HOUR = {
    "N01": "The name alone, `twiceshy`, prints at most five lines on this project and the next step, exits 0, and creates nothing.",
    "N02": "The help page shows at most thirty commands in five groups; every other command works, and `help --all` lists it.",
    "N03": "Both `status` and the first screen sum up the last week: notes told, heeded before the mistake and at the error, calls stopped, lessons learned.",
    "N04": "No text says to install the package by its bare name; what an extra needs is added by the program that made the environment.",
    "N05": "A plan of an install is at most ten lines for a client; `--diff` shows every line; each question is asked once, also after an interruption.",
    "N06": "One verb, `tidy`, looks the memory over and maintains it; each way of looking gives the same verdict, and only `--do` and `--fold` change something.",
    "N07": "Fewer than forty settings are for people: they are listed first, each with what it changes; an unknown key gets a suggestion.",
    "N08": "Only evidence of calls that failed lets `reflect` say that a lesson failed or came back; an import is none.",
}

ONE_AUDIT = {
    "V01": "The verbs check, memory-health, full-check, reflect and tend tell of one audit: the same verdict, numbers, ids and words, and the deeper verb shows what the other shows.",
    "V02": "The notebook is never called empty while rules wait: `correct` and `analyze` count them, name them, and give the command to decide.",
    "V03": "A reflection says first, in sentences, what was learned, comes back, was corrected and may go, each with the count of that very thing and a command.",
}

GROUPS = {
    "Runtimes and packaging": RUNTIMES_AND_PACKAGING,
    "Scopes and identity": SCOPES_AND_IDENTITY,
    "What is stored": WHAT_IS_STORED,
    "Capture": CAPTURE,
    "Status of a note": LIFE_OF_A_NOTE,
    "Recall": RECALL,
    "Safety": SAFETY,
    "Storage and operations": STORAGE_AND_OPERATIONS,
    "Acceptance": ACCEPTANCE,
    "Learning": LEARNING,
    "Every runtime": EVERY_RUNTIME,
    "Busy machines": BUSY_MACHINES,
    "What people say": WHAT_PEOPLE_SAY,
    "Asked and recognised": ASKED_AND_RECOGNISED,
    "Session start": SESSION_START,
    "True figures": TRUE_FIGURES,
    "What travels": WHAT_TRAVELS,
    "What is learned": WHAT_IS_LEARNED,
    "Stops": STOPS,
    "Growth": GROWTH,
    "Notes of people and agents": OWN_NOTES,
    "Nothing in silence": NO_SILENCE,
    "Told when it concerns": TOLD_WHEN_IT_CONCERNS,
    "The same at any size": ANY_SIZE,
    "Asked is answered": ASKED_IS_ANSWERED,
    "Languages": LANGUAGES,
    "Supersession": SUPERSESSION,
    "Background work": BACKGROUND_WORK,
    "Ageing": AGEING,
    "Who asks": WHO_ASKS,
    "Clocks and copies": CLOCKS_AND_COPIES,
    "Copies and damage": COPIES_AND_DAMAGE,
    "The vault": VAULT,
    "Supply and surface": SUPPLY_AND_SURFACE,
    "Forgetting": FORGETTING,
    "Dangerous texts": DANGEROUS_TEXTS,
    "Devices and bundles": DEVICES_AND_BUNDLES,
    "Whose checkout it is": WHOSE_CHECKOUT,
    "Agents stay agents": AGENTS_STAY_AGENTS,
    "Secrets": SECRETS,
    "One gate": ONE_GATE,
    "First hour": FIRST_HOUR,
    "One audit": ONE_AUDIT,
    **{system: list_promises(rows) for system, rows in SYSTEMS.items()},
}
REQUIREMENTS = {key: text for group in GROUPS.values() for key, text in group.items()}


def requirement(*ids: str) -> pytest.MarkDecorator:
    """Bind a test, or every test of a class, to the promises it proves."""
    if not ids:
        raise LookupError("requirement() needs the id of a promise; see tests/requirements.py")
    if unknown := [key for key in ids if key not in REQUIREMENTS]:
        raise LookupError(f"no promise goes by {', '.join(unknown)}; see tests/requirements.py")
    return pytest.mark.requirement(*ids)


@dataclass(frozen=True, slots=True)
class Claim:
    """A test, by its pytest name, and the promises it says it proves."""

    test: str
    ids: tuple[str, ...]
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@cache
def claims(tests: Path = TESTS) -> list[Claim]:
    """Read every claim from the source, without importing a single test."""
    return [
        claim
        for path in sorted(tests.rglob("test_*.py"))
        for claim in _claims(
            ast.parse(path.read_bytes(), path).body, path.relative_to(tests.parent).as_posix(), ()
        )
    ]


def _claims(body: list[ast.stmt], where: str, inherited: tuple[str, ...]) -> Iterator[Claim]:
    for node in body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        test = f"{where}::{node.name}"
        own = tuple(key for call in node.decorator_list for key in ids_in(call))
        inside = isinstance(node, ast.ClassDef) and list(_claims(node.body, test, inherited + own))
        if inside:
            yield from inside
        elif own or (inherited and node.name.startswith("test")):
            yield Claim(test, inherited + own, node)


def ids_in(node: ast.AST) -> tuple[str, ...]:
    """Return the ids of a ``requirement(...)`` call, and none for anything else."""
    match node:
        case ast.Call(func=ast.Name(id="requirement"), args=args):
            return tuple(_literal(arg) for arg in args)
        case _:
            return ()


def _literal(arg: ast.expr) -> str:
    match arg:
        case ast.Constant(value=str(key)):
            return key
        case _:
            return ast.unparse(arg)  # an expression is no id, so it is reported as unknown


@dataclass(frozen=True, slots=True)
class Report:
    """Which promises have a test, by whom, and which have none."""

    covered: dict[str, list[str]]
    gaps: dict[str, str]
    unknown: dict[str, list[str]]


def report(found: list[Claim]) -> Report:
    """Hold the claims against the table."""
    tests: dict[str, list[str]] = {}
    for claim in found:
        for key in dict.fromkeys(claim.ids):
            tests.setdefault(key, []).append(claim.test)
    return Report(
        covered={key: tests[key] for key in REQUIREMENTS if key in tests},
        gaps={key: text for key, text in REQUIREMENTS.items() if key not in tests},
        unknown={key: names for key, names in tests.items() if key not in REQUIREMENTS},
    )


def counts(result: Report) -> dict[str, tuple[int, int]]:
    """Return covered and total of each group."""
    return {
        name: (sum(key in result.covered for key in group), len(group))
        for name, group in GROUPS.items()
    }


def as_text(result: Report) -> str:
    """Render the report for people: groups, gaps, totals."""
    lines = [f"{name:24} {done:3} of {total:3}" for name, (done, total) in counts(result).items()]
    lines += ["", *(f"{key}  {text}" for key, text in result.gaps.items())]
    total = f"covered {len(result.covered)} of {len(REQUIREMENTS)}, gaps {len(result.gaps)}"
    return "\n".join([*lines, "", total])


def as_json(result: Report) -> str:
    """Render the same for programs."""
    groups = {
        name: {"covered": done, "total": total} for name, (done, total) in counts(result).items()
    }
    totals = {
        "covered": len(result.covered),
        "gaps": len(result.gaps),
        "promises": len(REQUIREMENTS),
    }
    shape = {
        "groups": groups,
        "covered": result.covered,
        "gaps": result.gaps,
        "totals": totals,
    }
    return json.dumps(shape, indent=2, ensure_ascii=False)


def older_systems() -> str:
    """Render the tables of the four older systems for docs/older-systems.md."""
    return render_tables(report(claims()).covered)


def as_proofs(result: Report) -> str:
    """Render each covered promise with the tests that prove it."""
    return "\n".join(
        "\n".join([f"{key}  {REQUIREMENTS[key]}", *(f"      {test}" for test in tests)])
        for key, tests in result.covered.items()
    )


def main(arguments: list[str] | None = None) -> int:
    """Print the report; fail when a test claims a promise that is not in the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.requirements", description=__doc__)
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_const", dest="render", const=as_json)
    shape.add_argument("--covered", action="store_const", dest="render", const=as_proofs)
    render = parser.parse_args(arguments).render or as_text

    result = report(claims())

    sys.stdout.write(render(result) + "\n")
    for key, tests in result.unknown.items():
        sys.stderr.write(f"no promise goes by {key}, claimed by {', '.join(tests)}\n")
    return 1 if result.unknown else 0


if __name__ == "__main__":
    raise SystemExit(main())
