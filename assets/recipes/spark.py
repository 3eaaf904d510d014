"""turnwise on every worker of Apache Spark: lint, find, fix, or count votes over JSON Lines.

spark-submit spark.py lint|fix|votes|find CORPUS OUTPUT [QUERY]

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
    "find": "turnwise find {query} - --format jsonl --exit-zero",
}

what, corpus, output, *query = sys.argv[1:]
command = COMMANDS[what].format(query=shlex.quote(" ".join(query)))
spark = SparkSession.builder.appName(f"turnwise {what}").getOrCreate()
piped = spark.sparkContext.textFile(corpus).pipe(command, {"PATH": os.environ["PATH"]}, True)
if what == "votes":
    parts = "\n".join(piped.collect())
    with open(output, "w") as figures:
        add = ["turnwise", "votes", "--from", "-", "--exit-zero"]
        subprocess.run(add, input=parts, text=True, stdout=figures, check=True)
else:
    piped.saveAsTextFile(output)
spark.stop()
