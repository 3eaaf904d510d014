"""turnwise on every worker of Apache Spark: lint, find, fix, count votes, or report over JSON Lines.

spark-submit spark.py lint|fix|votes|report|find CORPUS OUTPUT [QUERY]

The workers need `turnwise` where the PATH of this process finds it. Each part of the corpus goes to a process of its own.
"""
import os
import shlex
import subprocess
import sys

from pyspark.sql import SparkSession

COMMANDS = {
    # Rules that compare dialogs with each other would compare those of one part only.
    "lint": "turnwise lint - --format jsonl --ignore duplicate-dialog-id,chat-mixed-types --exit-zero",
    "fix": "turnwise fix - --exit-zero",
    "votes": "turnwise votes - --partial --exit-zero",
    "report": "turnwise report - --partial",
    "find": "turnwise find {query} - --format jsonl --exit-zero",
}

what, corpus, output, *query = sys.argv[1:]
command = COMMANDS[what].format(query=shlex.quote(" ".join(query)))
spark = SparkSession.builder.appName(f"turnwise {what}").getOrCreate()
# A report counts what can be read, and says what cannot.
piped = spark.sparkContext.textFile(corpus).pipe(command, {"PATH": os.environ["PATH"]}, what != "report")
add = {
    "votes": ["turnwise", "votes", "--from", "-", "--exit-zero"],
    "report": ["turnwise", "report", "--from", "-", "--format", "json" if output.endswith(".json") else "html"],
}
if what in add:
    parts = "\n".join(piped.collect())
    with open(output, "w") as figures:
        subprocess.run(add[what], input=parts, text=True, stdout=figures, check=what == "votes")
else:
    piped.saveAsTextFile(output)
spark.stop()
