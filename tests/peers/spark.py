"""Spark's workers over 40 shards find, fix, count and report the same as one process."""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from shards import dialogs, logs, one_process, without_numbers, write

RECIPE = Path(__file__).parents[2] / "assets" / "recipes" / "spark.py"
QUERY = "speaker:user label:name.movie"
folder = Path(sys.argv[1])
text, votes = write(folder / "dialogs", dialogs()), write(folder / "logs", logs())


def spark(what, corpus, *query):
    """Runs the recipe on two cores; returns the lines of its output."""
    output = folder / (f"out-{what}.json" if what == "report" else f"out-{what}")
    options = {
        "PYSPARK_SUBMIT_ARGS": "--master local[2] --driver-memory 512m --conf spark.ui.enabled=false pyspark-shell",
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    command = [sys.executable, RECIPE, what, folder / corpus, output, *query]
    ran = subprocess.run(command, env={**os.environ, **options}, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-4000:]
    files = sorted(output.glob("part-*")) if output.is_dir() else [output]
    assert what in ("votes", "report") or len(files) > 30, files
    return "".join(file.read_text(encoding="utf-8") for file in files).split("\n")[:-1]


ignored = "duplicate-dialog-id,chat-mixed-types"
expected = one_process(["lint", "-", "--format", "jsonl", "--ignore", ignored, "--exit-zero"], text)
problems = spark("lint", "dialogs")
assert without_numbers(problems) == without_numbers(expected) and len(problems) > 100
expected = one_process(["find", QUERY, "-", "--format", "jsonl"], text)
hits = spark("find", "dialogs", QUERY)
assert without_numbers(hits) == without_numbers(expected) and len(hits) > 10
expected = one_process(["fix", "-", "--exit-zero"], text)
fixed = spark("fix", "dialogs")
# Spark reads the shards in an order of its own.
assert sorted(fixed) == sorted(expected)
assert sorted(fixed) != sorted(text.split("\n")[:-1])
expected = one_process(["votes", "-", "--exit-zero"], votes)
figures = spark("votes", "logs")
assert figures == expected and len(figures) > 5


def figures_of(lines):
    """Returns a report without what only a whole file has: its hash, and lines and dialogs counted from its beginning."""
    report = json.loads("\n".join(lines))
    for section in report["sections"]:
        for block in section["blocks"]:
            if "hash" in block.get("table", {}).get("heads", []):
                block["table"]["rows"] = [row[:-1] for row in block["table"]["rows"]]
            for example in block.get("examples", []):
                example["place"], example["command"] = (re.sub(r"\d+", "N", example[of]) for of in ("place", "command"))
    return report


expected = figures_of(one_process(["report", "-", "--format", "json"], text))
pages = figures_of(spark("report", "dialogs"))
assert pages == expected, (pages, expected)
# Of a shard that is broken, the others count.
(folder / "dialogs" / "part-broken.jsonl").write_text('{"conversation_id": "half\n', encoding="utf-8")
broken = figures_of(spark("report", "dialogs"))
named = lambda report: {figure["name"]: figure["value"] for figure in report["sections"][0]["blocks"][0]["figures"]}
assert named(broken)["dialogs"] == named(expected)["dialogs"] and named(broken)["format issues"] == 1, named(broken)
print(len(problems), "problems,", len(hits), "hits,", len(fixed), "dialogs,", figures[0])
