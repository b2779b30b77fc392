"""A hook that writes down what it is told and answers from a file; run as a program.

``recorder.py LOG ANSWERS``: stdin is appended to LOG as one line of JSON. ANSWERS maps an event to the
context to give.
"""

import json
import sys


def main(log: str, answers: str) -> None:
    """Record one event and answer it."""
    payload = json.load(sys.stdin)
    with open(log, "a", encoding="utf-8") as lines:
        lines.write(json.dumps(payload, ensure_ascii=False) + "\n")
    with open(answers, encoding="utf-8") as given:
        known = json.load(given)
    event = payload["hook_event_name"]
    if context := known.get(event):
        told = {"hookEventName": event, "additionalContext": context}
        sys.stdout.write(json.dumps({"hookSpecificOutput": told}))


if __name__ == "__main__":
    main(*sys.argv[1:])
