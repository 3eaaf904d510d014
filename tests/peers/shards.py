"""Makes corpora of 40 shards from the demo corpora, and runs turnwise on all of it in one process."""
import json
import subprocess
from pathlib import Path

SHARDS = 40
DEMO = Path(__file__).parents[2] / "assets" / "demo"


def dialogs():
    """Chats and task dialogs with problems of many kinds: each demo several times, with ids of its own."""
    own = json.loads((DEMO / "taskmaster-3.json").read_text())
    for copy in range(30):
        for dialog in own:
            text = json.dumps(dialog, ensure_ascii=copy % 2 == 0)
            text = text.replace(dialog["conversation_id"], f"{dialog['conversation_id']}-{copy}")
            yield text.replace('."', '. "') if copy % 3 == 0 else text


def logs():
    for copy in range(30):
        for path in sorted(DEMO.glob("dbdc/*.log.json")):
            log = json.loads(path.read_text())
            log["dialogue-id"] += f"-{copy}"
            if copy % 4 == 0:
                for turn in log["turns"]:
                    turn["annotations"] = turn["annotations"][copy % 3 :]
            yield json.dumps(log, ensure_ascii=False)


def write(folder, lines):
    """Writes shards of different sizes, some of them empty; returns the text of all."""
    folder.mkdir()
    lines = list(lines)
    ends = [min(len(lines), (number * number * len(lines)) // (SHARDS - 2) ** 2) for number in range(SHARDS + 1)]
    for number, (start, end) in enumerate(zip(ends, ends[1:])):
        text = "".join(f"{line}\n" for line in lines[start:end])
        (folder / f"shard-{number:02}.jsonl").write_text(text, encoding="utf-8")
    assert ends[1] == 0 and ends[-1] == ends[-2] == len(lines)
    return "".join(f"{line}\n" for line in lines)


def one_process(arguments, text):
    """The lines that turnwise prints for all of a corpus."""
    ran = subprocess.run(["turnwise", *arguments], input=text.encode(), stdout=subprocess.PIPE)
    assert ran.returncode == 0, (arguments, ran.returncode)
    return ran.stdout.decode().split("\n")[:-1]


def without_numbers(records):
    """Sorted records without the numbers that a part counts for itself."""

    def strip(value):
        if isinstance(value, list):
            return [strip(item) for item in value]
        if isinstance(value, dict):
            numbers = ("dialog", "line", "column") if "dialog_id" in value else ()
            return {key: strip(item) for key, item in value.items() if key not in numbers}
        return value

    return sorted(json.dumps(strip(json.loads(record)), sort_keys=True) for record in records)
