"""Features of memory-keeper 7: ids K01 and up."""

from tests.older_systems.feature import OlderFeature

_ROWS = (
    OlderFeature("skill memory-save", "The skill `memory-save` ships, and its description makes the agent act as soon as it sees `[MEMORY_KEEPER]`."),
    OlderFeature("/save-memory, /load-memory, /search-memory, /clear-memory", "The first three are `/twiceshy:save`, `/twiceshy:reload` and `/twiceshy:memory-search`.", otherwise="Clearing has no slash command, so that no model clears a memory by a slip: a person runs `twiceshy clear all`, `old` or `facts` in a terminal."),
    OlderFeature("node scripts/counter.js", "The script is not there.", otherwise="Every command of `counter.js` is a verb of the same name: `twiceshy extract-facts`, `memory-set`, `compress`, `search`; `check`, `final` and `reset` are `twiceshy keeper check`. Put an alias into your shell if your hands know the old line."),
    OlderFeature("agents memory-keeper and context-loader", "No agent is installed for saving or loading.", otherwise="They were marked as legacy: a session start is told by a hook, and sessions are learned from by a background job, so nothing is left for such an agent to do."),
    # what is stored, and where
    OlderFeature(".claude/memory in the project", "No file is written into a project unasked.", otherwise="One store serves all clones, worktrees and branches, and no private note lands in a commit. `twiceshy config set views.project true` and `twiceshy views write` keep memory-keeper's files in `.claude/memory`."),
    OlderFeature("project.md, architecture.md, conventions.md, memory.md, facts.json, sessions/", "With `views.project` on, `views write` keeps memory-keeper's whole folder in `.claude/memory` of the project: three stable pages, log, facts and sessions."),
    OlderFeature("files are edited by hand", "A line that a person edits in one of these files comes back into the store, and nobody's own lines are lost."),
    OlderFeature("config.json: saveInterval", "A `saveInterval` in memory-keeper's own `config.json` is honoured, the project's before the user's."),
    # the reminder
    OlderFeature("[MEMORY_KEEPER] AUTO-SAVE TRIGGERED - N tool uses reached", "With `keeper.banner` on, every N tool uses the agent sees the banner of three lines and numbered steps, and N is `keeper.save_interval`."),
    OlderFeature("the banner is on by default, every 5 tool uses", "Nobody is interrupted unless they ask for it.", otherwise="Lessons, decisions and summaries are captured without the agent's help, so a reminder every five calls only costs attention; memory-keeper itself went from 5 to 15. `twiceshy config set keeper.banner true` and `keeper.save_interval 5` bring it back."),
    OlderFeature("PostToolUse .*: counts every tool", "With the banner on, every tool counts, whatever its name, and with it off no hook is added for counting."),
    OlderFeature("20 tool events at once", "However many tools run at once, the banner comes exactly once in N tool uses, and counting rewrites no file."),
    OlderFeature("counter resets automatically", "The counter begins anew after a final save and on `keeper reset`, and each project has its own."),
    OlderFeature("Step 1: echo into memory.md", "The agent is not told to append a summary by `echo`.", otherwise="The words of a model in a shell line are a way to run commands. The log is kept from the session itself: `twiceshy episodes --log` prints it as `memory.md`."),
    OlderFeature("Step 2: session file in the exact format", "The session file of the document's own example gives each of its decisions, patterns and issues with type, reason or state, files and concepts."),
    OlderFeature("Step 3: extract-facts <ts>", "The verb `extract-facts` reads the session of that name or the newest one, and doing it again changes nothing."),
    OlderFeature("Stop hook: SESSION ENDING - Final Save Required", "With the banner on, a turn of at least five tool uses without a reminder ends in the final save steps with `compress`, never twice in a row and never for a sub-agent."),
    OlderFeature("Stop hook copies the raw transcript", "No transcript is copied by the hook.", otherwise="The copies grew to gigabytes and held every secret. The client keeps the transcript and a session names where it lies; `twiceshy episodes ID --refined --keep` keeps a shortened, redacted copy, and the setting `transcripts.keep` one of each session."),
    OlderFeature("compress", "The verb `compress` folds sessions that are older than 30 days into a file a month, and they are still found."),
    # the format
    OlderFeature("## Decisions: - [type] Content: Reason", "A decision has the type architecture, technology, approach or other, and its reason begins behind the first colon with a blank, so a URL or a time splits nothing."),
    OlderFeature("## Patterns: - [type] Description", "A pattern has the type convention, best-practice, anti-pattern or other, and an unknown type becomes other."),
    OlderFeature("## Issues: - [type] Issue: open|resolved", "An issue has the type bugfix, performance, security, feature or other, and is open or resolved, however its state is written."),
    OlderFeature("- files: and - concepts:", "Files and concepts below an item are read in any order and case, and belong to that item."),
    OlderFeature("USE EXACT FORMAT", "A line that cannot be used is told with its number and the reason, and never dropped in silence."),
    OlderFeature("<private>…</private>", "What stands between `<private>` marks, closed or not, reaches neither the store nor the terminal."),
    OlderFeature("Concepts index auto-updated", "The index of concepts names every fact by its id and no fact that is gone."),
    OlderFeature("ids d001, p001, i001", "An id in facts.json is never given twice, whatever was removed before."),
    OlderFeature("facts.json", "The verb `facts --json` prints decisions, patterns, issues and concepts in the shape of facts.json."),
    OlderFeature("add-decision, add-pattern, add-issue", "Each of the three verbs takes the text with type, files and concepts, and the same fact twice is one that counts two."),
    OlderFeature("issue status", "An issue is resolved and opened again by a verb or by a later session file."),
    OlderFeature("15 facts added at once", "Facts that are added at once are all there."),
    # pages
    OlderFeature("memory-set project|architecture|conventions", "The verb `memory-set` writes each of the three stable pages, and what a page said before is kept."),
    OlderFeature("memory-set with another name", "A name that is none of the three becomes a topic page, and the answer says so, names the stable page that was probably meant, and how to take it back."),
    OlderFeature("memory-list", "The verb `memory-list` shows ✓ or ○ for each stable page with lines and bytes, the log, and the counts of facts."),
    OlderFeature("memory-get", "The verb `memory-get` prints a page, and without a name the first characters of every page with its lines."),
    # search
    OlderFeature("search <query>", "The verb `search` prints of each fact its type, date and id, its text, its reason, its files and its concepts."),
    OlderFeature("search --concept --file --type", "The verb `search` narrows by concept, by part of a file's path and by type, and names the filters when nothing is left."),
    OlderFeature("search without a query", "The verb `search` with nothing asked prints counts, types, sessions and the first ten concepts."),
    # session start
    OlderFeature("SessionStart: project, architecture, conventions", "A session start tells the stable pages in excerpts that keep its budget, however long they are."),
    OlderFeature("SessionStart: last 50 lines of memory.md", "A session start does not print the log.", otherwise="It tells in one line what the last session left open, for sixty tokens instead of fifty lines; `twiceshy episodes --log --lines 50` prints the lines."),
    OlderFeature("SessionStart: open issues", "A session start names open issues, and never a resolved one."),
    OlderFeature("SessionStart: counts, first concepts, how to search", "A session start counts the notes that it does not tell, names concepts of theirs where its budget leaves room, and says how to search."),
    OlderFeature("only at startup", "After `/clear` and after a compaction a session is told again, and a resumed one is not."),
    # clearing
    OlderFeature("/clear-memory, clear-facts", "Clearing facts asks first and says how many notes go, keeps pages and lessons, and one undo brings all back."),
    OlderFeature("storage by working directory", "A subdirectory has the memory of its project, and no second, empty one."),
    OlderFeature("extract-facts ../…", "No file outside of the project is read as a session."),
    # moving in and out
    OlderFeature("facts.json comes in and leaves", "A facts.json leaves an import and an export to the byte, with its ids, index, counter and unknown members."),
    OlderFeature("sessions/*.md come in and leave", "A session file leaves an import and an export to the byte, with every decision, pattern, issue and section of its own, but for private passages and secrets."),
    OlderFeature("project.md, architecture.md, conventions.md come in and leave", "A stable page leaves an import and an export to the byte, with its line ends and with or without a last line feed."),
    OlderFeature("memory.md comes in and leaves", "A memory.md leaves an import and an export to the byte, stamps as `2026-11-16_0344` included."),
    OlderFeature("sessions/archive comes in and leaves", "A monthly archive leaves an import and an export to the byte."),
    OlderFeature("what changed since stands in the export", "A fact that was resolved, edited or added after the import is so in the exported file, and every other byte is as it was."),
    OlderFeature("a fact in facts.json and in its session file", "A fact that stands in facts.json and in its session file counts as seen once, and another session adds one."),
    OlderFeature("a folder that is named", "Sessions of a folder that is named come in as sessions, never as topic pages."),
    OlderFeature("what waits for a decision", "What is held back is named by the import, and leaves marked."),
    OlderFeature("facts.json of older releases", "The session of a decision and the resolution of an issue are read and kept."),
    OlderFeature("a corrupt facts.json", "A damaged facts.json is told and left as it is, and nothing is imported as empty."),
    OlderFeature("config.json and *.raw.jsonl leave, too", "Settings and raw transcripts are not part of an export.", otherwise="The settings file is read where it lies, and raw transcripts are copies of what the client keeps; copy both files yourself if another program needs them."),
)  # fmt: skip

MEMORY_KEEPER: dict[str, OlderFeature] = {
    f"K{number:02}": row for number, row in enumerate(_ROWS, start=1)
}
