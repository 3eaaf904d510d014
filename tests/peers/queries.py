"""`turnwise find` finds what plain Python finds in Taskmaster files and breakdown logs."""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

demo = Path(__file__).parents[2] / "assets" / "demo"
folders = [demo] + [Path(name) for name in os.environ.get("TURNWISE_CORPORA", "").split(":") if name]
dialogs, logs, files = [], [], []
for path in sorted(path for folder in folders for path in folder.rglob("*.json")):
    text = path.read_bytes().decode("utf-8-sig", "replace")
    try:
        read = json.loads(text)
    except ValueError:
        continue
    first = read[0] if isinstance(read, list) and read else read
    if not isinstance(first, dict):
        continue
    turns = first.get("utterances") or first.get("turns") or [{}]
    if "apis" in first.get("utterances", [{}])[0] or any("apis" in turn for turn in turns):
        dialogs += [dialog["utterances"] for dialog in read]
        files.append(str(path))
    elif any("annotations" in turn for turn in turns) and "dialogue-id" in first:
        logs.append(first["turns"])
        files.append(str(path))
assert dialogs and logs, files


def labels(turn):
    return {note["name"] for segment in turn.get("segments", []) for note in segment["annotations"]}


def calls(turn):
    return turn.get("apis", [])


def by_user(turn):
    return turn.get("speaker", "").lower() == "user"


def dated(turn):
    return by_user(turn) and any(label.startswith("date") for label in labels(turn))


def books(turn):
    return any(call["name"] == "book_tickets" for call in calls(turn))


def votes(turn, letter):
    return sum(vote["breakdown"] == letter for vote in turn.get("annotations", []))


def in_order(dialog, *wanted):
    """The number of turns that match the last condition after turns that match the others."""
    start = 0
    for condition in wanted[:-1]:
        found = [number for number in range(start, len(dialog)) if condition(dialog[number])]
        if not found:
            return 0
        start = found[0] + 1
    return sum(map(wanted[-1], dialog[start:]))


def count(condition, among=None):
    return sum(bool(condition(turn)) for dialog in among or dialogs for turn in dialog)


def said(turn):
    return turn["text"]


expected = {
    "family:taskmaster-3 label:date.showing": count(lambda turn: "date.showing" in labels(turn)),
    "family:taskmaster-3 speaker:user label:date*": count(dated),
    "api:book_tickets": count(books),
    'family:taskmaster-3 speaker:user label:date* in:utterance -"?"': count(lambda turn: dated(turn) and "?" not in said(turn)),
    "family:taskmaster-3 in:utterance /[0-9]:[0-9]{2} ?[ap]m/": count(lambda turn: re.search("[0-9]:[0-9]{2} ?[ap]m", said(turn), re.I)),
    "family:taskmaster-3 turn<3 api:find_movies": sum(
        any(call["name"] == "find_movies" for call in calls(turn)) for dialog in dialogs for turn in dialog[:3]
    ),
    "family:taskmaster-3 label:name.movie or api:book_tickets": count(
        lambda turn: "name.movie" in labels(turn) or books(turn)
    ),
    "speaker:user label:date* then speaker:user label:date* then api:book_tickets": sum(
        in_order(dialog, dated, dated, books) for dialog in dialogs
    ),
    "votes.x>=15": count(lambda turn: votes(turn, "X") >= 15, logs),
    "votes.o<5 votes.t>=3": count(
        lambda turn: turn.get("annotations") and votes(turn, "O") < 5 and votes(turn, "T") >= 3, logs
    ),
}
for query, wanted in expected.items():
    ran = subprocess.run(["turnwise", "find", query, *files, "--format", "count"], capture_output=True, text=True)
    assert ran.returncode in (0, 1), ran.stderr
    assert int(ran.stdout) == wanted, (query, wanted, ran.stdout, ran.stderr)
assert sum(map(bool, expected.values())) >= 9, expected
print(len(expected), "queries,", sum(expected.values()), "hits in", len(files), "files")
