"""Fix a corpus in JSON Lines and keep the dialogs that a query finds, with Hugging Face `datasets`.

python hugging_face.py CORPUS OUTPUT QUERY

`map` and `filter` give batches of lines to processes of turnwise, on several cores.
"""
import json
import subprocess
import sys

from datasets import load_dataset

BATCHES = {"batched": True, "batch_size": 1000, "num_proc": 2}


def turnwise(lines, *arguments):
    text = "".join(f"{line}\n" for line in lines)
    command = ["turnwise", *arguments, "--exit-zero"]
    ran = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, check=True)
    return ran.stdout.decode().split("\n")[:-1]


def fixed(batch):
    return {"text": turnwise(batch["text"], "fix", "-")}


def found(batch, query):
    hits = turnwise(batch["text"], "find", query, "-", "--format", "jsonl")
    dialogs = {json.loads(hit)["dialog"] for hit in hits}
    return [number in dialogs for number in range(len(batch["text"]))]


if __name__ == "__main__":
    corpus, output, query = sys.argv[1:]
    lines = load_dataset("text", data_files=corpus, split="train")
    lines = lines.map(fixed, **BATCHES).filter(found, fn_kwargs={"query": query}, **BATCHES)
    with open(output, "w", encoding="utf-8") as out:
        out.writelines(f"{line}\n" for line in lines["text"])
