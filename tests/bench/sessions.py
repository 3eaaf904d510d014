#!/usr/bin/env python3
"""Makes a folder of sessions of agents from the demo's, to measure with: SESSIONS files of BYTES in all.

    python3 tests/bench/sessions.py 10000 1000000000 /tmp/sessions
    python3 tests/bench/sessions.py 1 50000000 /tmp/long

Each file has an id of its own, and its events repeat with ids of their own until it is long enough.
"""

import json
import sys
from pathlib import Path

DEMO = Path(__file__).parent.parent.parent / "assets" / "demo" / "sessions"


def session(lines, number, size):
    """Returns the text of a session of at least `size` bytes."""
    made, length, repeated = [], 0, 0
    while length < size:
        for line in lines:
            for name in ("toolu_", "call_", "msg_"):
                line = line.replace(f'"{name}', f'"{name}{repeated}_')
            line = line.replace("8d1f6a52", f"{number:08x}").replace("0197-orchard", f"0197-{number}")
            made.append(line)
            length += len(line.encode())
        repeated += 1
    return "".join(made)


def main():
    count, total, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    samples = sorted(DEMO.glob("*.jsonl"))
    texts = [sample.read_text().splitlines(keepends=True) for sample in samples]
    for line in (line for text in texts for line in text):
        json.loads(line)
    for number in range(count):
        kind = number % len(texts)
        project = folder / f"project-{number % 97:02}"
        project.mkdir(parents=True, exist_ok=True)
        path = project / f"{samples[kind].stem}-{number:05}.jsonl"
        path.write_text(session(texts[kind], number, total // count))


main()
