"""The recipe for DuckDB gives the figures that turnwise itself prints."""
import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import duckdb

PROJECT = Path(__file__).parents[2]
os.chdir(sys.argv[1])
demo = PROJECT / "assets" / "demo"


def turnwise(*arguments):
    ran = subprocess.run(["turnwise", *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    assert ran.returncode < 2, arguments
    return ran.stdout


turnwise("export", "tables", demo, "-o", "tables")
statements = duckdb.extract_statements((PROJECT / "assets" / "recipes" / "duckdb.sql").read_text())
results = [duckdb.execute(statement).fetchall() for statement in statements]
labels, problems, votes, breakdowns = results[-4:]
segments = [json.loads(line)["label"] for line in open("tables/segments.jsonl", encoding="utf-8")]
assert {row[0]: row[1] for row in labels} == {label: segments.count(label) for label in segments}
statistics = json.loads(turnwise("lint", demo, "--statistics", "--format", "json"))
expected = {rule["rule"]: rule["count"] for rule in statistics}
found = dict(problems)
# Problems between files are not in the tables.
assert all(expected[rule] == count for rule, count in found.items()) and found, (expected, found)
rows = csv.DictReader(turnwise("votes", demo, "--by", "annotator", "--format", "csv").splitlines())
expected = {row["annotator"]: (int(row["votes"]), int(row["X"])) for row in rows}
assert {row[0]: row[1:] for row in votes} == expected and expected
shares = {}
for line in open("tables/votes.jsonl", encoding="utf-8"):
    vote = json.loads(line)
    shares.setdefault((vote["dialog_id"], vote["turn"]), []).append(vote["label"] == "X")
expected = {turn for turn, votes in shares.items() if sum(votes) * 2 > len(votes)}
assert {row[:2] for row in breakdowns} == expected and expected
print(len(labels), "labels,", len(problems), "rules,", len(votes), "annotators,", len(breakdowns), "breakdowns")
