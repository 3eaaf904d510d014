#!/usr/bin/env python3
"""Writes down what a turnwise binary says about corpora, one fact a line, so that two versions can be compared.

    cargo build && python3 tests/bench/dump.py target/debug/turnwise /tmp/before
    TURNWISE_CORPORA=/data:/more python3 tests/bench/dump.py target/debug/turnwise /tmp/before
    ... change the sources, build again ...
    python3 tests/bench/dump.py target/debug/turnwise /tmp/after && diff -r /tmp/before /tmp/after

Takes the demo and each folder in the folders of TURNWISE_CORPORA; with a third argument, only those whose name has it. For each, a
folder with a file a topic: contents and issues, problems with fixes, what `fix` changes, votes and answers, hits, exports, dialogs as text,
one edit of each kind, and, for the demo, copies compared and merged, descriptions checked, schemas, and pages as people read them. Facts of
large corpora are digests with the words by which to find them; those of the demo are whole. A command that takes more than two
minutes is named on standard error and has no facts but "timed out".
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
# Queries and exports have the first files of a corpus up to so many bytes.
SOME = 1_500_000
WORKERS = 2

# At least one for each row of the table of conditions, and for each way to combine them.
QUERIES = """
the|in:utterance tomorrow|in:argument /\\d+/|in:result error|in:reasoning the|in:instructions you|in:comment|label:date
label:time=$t then label:time!=$t|label:name.*|api:*|api:=book|speaker:user|speaker:system words>12|problem:|problem:span|arg:date|arg:num*=2
arg:name!=x|result:status!=success|result:price>10|result:error|failed:|act:request|act:inform|slot:date|slot:date=$d state:date=$d
state:date|state:date=friday|intent:find*|intent:book|service:hotel|field:id|field:reward>0|annotator:mk|majority:X|gold:T|tie|judged
mine|votes>=10|votes.o=0|votes.t>5|votes.x>=15|entropy>1.2|question:verdict=fail|verdict:fail|quality<3|preference:chosen
code:slow|tag:slow|note:"late"|by:mk verdict:fail|(by:mk verdict:fail) (by:js verdict:pass)|turn<2|words>25|turns>20|id:*1*|file:a
family:sgd|edited|excluded|not speaker:user|not excluded turn=0|speaker:user label:date then api:*|label:* then within 2 act:*
speaker:user next speaker:user|not api:* before api:*|dialog(api:*) turn=1|not dialog(label:*)|label:date or label:time
speaker:user label:date=$d then label:date!=$d|/\\b\\d{1,2}:\\d\\d\\b/ not label:time
"""
COUNTED = ["label", "api", "speaker", "act", "intent", "service", "majority", "family", "arg:date", "result:status", "slot:date", "state:date"]
FIELDS = "speaker:user or speaker:system"

# Answers of two people about the demo, so that questions other than O, T and X have figures.
JUDGEMENTS = [
    ("success", "verdict", None, ["pass", "fail", "defer"]),
    ("quality", "quality", 1, [1, 2, 4, 5]),
    ("success", "code", 1, [["slow"], ["wrong date", "slow"], ["vague"]]),
]


def digest(text):
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def flat(value, path=""):
    """Yields a line for each leaf of a JSON value: where it is, and the leaf. A short element of a list is a leaf."""
    whole = json.dumps(value, ensure_ascii=False, sort_keys=True)
    if path.endswith("]") and len(whole) < 400:
        yield f"{path} = {whole}"
    elif isinstance(value, dict) and value:
        for key, member in value.items():
            yield from flat(member, f"{path}.{key}")
    elif isinstance(value, list) and any(isinstance(element, (dict, list)) for element in value):
        for number, element in enumerate(value):
            name = element.get("name", number) if isinstance(element, dict) else number
            yield from flat(element, f"{path}[{name}]")
    else:
        yield f"{path} = {whole}"


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


class Turnwise:
    """A binary, with settings and state of its own."""

    def __init__(self, binary, scratch):
        self.binary = str(Path(binary).resolve())
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        folders = {f"XDG_{kind}_HOME": str(scratch / kind.lower()) for kind in ("STATE", "CONFIG", "DATA", "CACHE")}
        self.environment = kept | folders | {"HOME": str(scratch), "TZ": "UTC", "NO_COLOR": "1", "COLUMNS": "120"}

    def run(self, folder, *arguments, given=""):
        """Returns the exit code, standard output and standard error, in which the folder is not named."""
        asked = [self.binary, *map(str, arguments)]
        try:
            ran = subprocess.run(asked, cwd=folder, input=given.encode(), env=self.environment, capture_output=True, timeout=120)
        except subprocess.TimeoutExpired:
            print(f"timed out in {folder}: {' '.join(asked[1:])}", file=sys.stderr)
            return "timed out", "", "timed out"
        texts = [stream.decode("utf-8", "surrogateescape").replace(str(folder), "FOLDER") for stream in (ran.stdout, ran.stderr)]
        return ran.returncode, *texts


class Corpus:
    """A folder, and what is asked about it. Each method that is a topic returns the facts of one file of the dump."""

    def __init__(self, turnwise, folder, scratch, is_demo=False):
        self.run = lambda *arguments, given="": turnwise.run(folder.parent, *arguments, given=given)
        self.folder, self.name, self.is_demo = folder, folder.name, is_demo
        self.scratch = scratch / (folder.parent.name + "-" + folder.name)
        self.scratch.mkdir()
        code, out, _ = self.run("check", self.name, "--format", "json")
        self.files = json.loads(out) if code in (0, 1) and out else []

    def said(self, *arguments, paths=None):
        """Returns what a command says as JSON about the corpus, flat, with its name before each line."""
        code, out, err = self.run(*arguments, *([self.name] if paths is None else paths), "--format", "json")
        asked = " ".join(arguments)
        yield f"{asked} · exit {code}"
        yield from (f"{asked} ! {line}" for line in err.splitlines()[:20])
        yield from (f"{asked} · {line}" for line in (flat(json.loads(out)) if out else []))

    def check(self):
        for file in self.files:
            name = file["file"]
            yield from (f"{name} issue {json.dumps(issue, ensure_ascii=False, sort_keys=True)}" for issue in file.get("issues", []))
            yield from (f"{name} {line}" for line in flat({key: value for key, value in file.items() if key not in ("file", "issues")}))

    def lint(self):
        code, out, err = self.run("lint", self.name, "--format", "jsonl")
        yield f"exit {code}"
        yield from (f"! {line}" for line in err.splitlines())
        for found in lines_of(out):
            place = f"{found['file']}:{found['line']}:{found['column']} {found['rule']} {found['severity']}"
            yield f"{place} {json.dumps(found, ensure_ascii=False, sort_keys=True)}"

    def fix(self):
        for flags in ([], ["--unsafe-fixes"]):
            code, out, err = self.run("fix", self.name, "--diff=unified", *flags)
            yield f"{flags} exit {code}"
            yield from (f"{flags} ! {line}" for line in err.splitlines())
            for changed in out.split("\n--- "):
                yield f"{flags} {changed.splitlines()[0] if changed else 'nothing'} · {len(changed.splitlines())} lines · {digest(changed)}"

    def votes(self):
        asked = [["votes"], *(["votes", "--by", by] for by in ("file", "annotator", "system", "position")), ["votes", "--threshold", "0.5"]]
        asked += [["progress"], ["report"], ["votes", "--question", "breakdown", "--curve"]]
        if self.is_demo:
            named = ["--question", "verdict", "--scheme", "success"]
            asked += [["votes", *named], ["votes", "--question", "quality"], ["votes", "--question", "code", "--curve"]]
            asked += [["votes", *named, "--judge", "js", "--gold", "mk"], ["votes", *named, "--confusion", "js", "mk"], ["progress", *named]]
        for command, *flags in asked:
            yield from self.said(command, *flags)

    def some(self):
        paths, size = [], 0
        for file in self.files:
            size += (self.folder.parent / file["file"]).stat().st_size
            paths += [file["file"]] if size < SOME or not paths else []
        return paths

    def find(self):
        paths = self.some()
        yield f"in {len(paths)} of {len(self.files)} files"
        for query in filter(None, QUERIES.replace("\n", "|").split("|")):
            code, out, err = self.run("find", query, *paths, "--format", "jsonl", "--annotator", "mk")
            hits = out.splitlines()
            yield f"{query} · exit {code} · {len(hits)} hits · {digest(out)}"
            yield from (f"{query} ! {line}" for line in err.splitlines()[:9])
            if self.is_demo:
                yield from (f"{query} · {hit}" for hit in hits)
            else:
                files = {}
                for hit in hits:
                    files.setdefault(json.loads(hit)["file"], []).append(hit)
                yield from (f"{query} · {file} · {len(found)} hits · {digest(''.join(found))}" for file, found in files.items())
        for field in COUNTED:
            yield from self.said("find", FIELDS, "--count-by", field, paths=paths)

    def export(self):
        formats = ["tables", "spacy", "doccano", "conll", "label-studio", "chat", "kto", "hf", "convokit", "labels"]
        asked = {name: [name] for name in formats} | {"split": ["spacy", "--split", "a=0.8,b=0.2"]}
        asked |= {"dpo": ["dpo", "--question", "preference"], "quality": ["kto", "--question", "quality", "--good", "4,5", "--bad", "1,2"]}
        for name, (form, *flags) in asked.items():
            output = self.scratch / "export" / name
            output.mkdir(parents=True)
            code, _, err = self.run("export", form, *self.some(), "-o", output, *flags)
            yield f"{name} exit {code}"
            yield from (f"{name} ! {line.replace(str(output), 'OUTPUT')}" for line in err.splitlines())
            for path in filter(Path.is_file, output.rglob("*")):
                text = path.read_bytes().decode("utf-8", "surrogateescape")
                yield f"{name}/{path.relative_to(output)} · {len(text.splitlines())} lines · {digest(text)}"

    def show(self):
        code, out, err = self.run("show", self.name, "--width", "100")
        yield f"exit {code}"
        yield from (f"! {line}" for line in err.splitlines())
        heads, texts = [], []
        for line in out.splitlines():
            if not line.startswith(" ") and "  dialog " in line:
                heads.append(line)
                texts.append([])
            elif texts:
                texts[-1].append(line)
        for head, text in zip(heads, texts):
            words = " / ".join(" ".join(line.split()[1:6]) for line in text if line.startswith("  0 ") or line.startswith("  1 "))
            yield f"{head} · {digest(chr(10).join(text))} · {words}"

    def tables(self):
        """Returns the rows of the exported tables of the smallest file of each family, by file and by table."""
        smallest = {}
        for file in self.files:
            size = (self.folder.parent / file["file"]).stat().st_size
            if file["dialogs"] and size < smallest.get(file["family"], (2_000_000, ""))[0]:
                smallest[file["family"]] = (size, file["file"])
        for file in self.files if self.is_demo else [{"file": name} for _, name in smallest.values()]:
            output = self.scratch / "tables" / digest(file["file"])
            self.run("export", "tables", file["file"], "-o", output)
            rows = {path.stem: lines_of(path.read_text()) for path in sorted(output.glob("*.jsonl"))}
            if rows.get("turns"):
                yield file["file"], rows

    def records(self, rows):
        """Returns an edit record of each kind for which a file has something."""
        turns = [row for row in rows["turns"] if row["dialog"] == rows["turns"][0]["dialog"]]
        last, second = turns[-1], turns[min(1, len(turns) - 1)]
        other = next((turn["speaker"] for turn in turns if turn["speaker"] != second["speaker"]), "narrator")

        def edit(kind, row, *members, **values):
            return {"edit": kind} | {name: row[name] for name in ("dialog", "turn", *members)} | values

        yield edit("set_text", second, text="Fine, at nine then.", drop=True)
        yield edit("set_text", second, text=second["text"] + " Thanks!")
        yield edit("set_speaker", second, speaker=other)
        yield edit("add_segment", second, start=0, end=2, labels=["added.label"])
        yield edit("add_segment", second, quote=(second["text"].split() or ["nothing"])[-1], labels=["added.label"])
        yield edit("set_tokens", second, tokens=["Fine", *second["text"].split()[1:]])
        yield edit("add_turn", last, speaker=turns[-2]["speaker"] if len(turns) > 1 else "user", text="One more.") | {"turn": len(turns)}
        yield edit("add_turn", turns[0], speaker=second["speaker"], text="One more.")
        yield edit("remove_turn", last)
        yield edit("remove_turn", second)
        yield edit("cast_vote", second, annotator="dump", breakdown="T", comment="evasive", ungrammatical=True)
        yield edit("set_gold", second, breakdown="X", comment="clear")
        yield edit("remove_gold", second)
        yield edit("set_intents", second, intents=["added"])
        yield edit("set_state", second, slot="added", value="yes")
        yield edit("add_act", second, name="added", slots=[{"slot": "place", "value": "here"}])
        yield edit("add_call", second, name="added", arguments=[{"name": "place", "value": "here"}])
        for row in rows["segments"][:1]:
            yield edit("set_span", row, "segment", start=row["start"], end=row["end"] - 1)
            yield edit("set_span", row, "segment", start=row["start"], end=row["end"] + 1)
            yield edit("set_labels", row, "segment", labels=["one.label", "another.label"])
            yield edit("set_quote", row, "segment", text="quoted")
            yield edit("remove_segment", row, "segment")
        for row in [row for row in rows["votes"] if row["annotator"]][:1]:
            yield edit("cast_vote", row, "annotator", breakdown="X")
            yield edit("withdraw_vote", row, "annotator")
        for row in rows["calls"][:1]:
            yield edit("set_api", row, "call", name="renamed")
            yield edit("set_json", row, "call", part="arguments", text='{"all": ["new", 1.50]}')
            yield edit("set_value", row, "call", part="arguments", name="added", value={"json": "1.50"})
            yield edit("remove_call", row, "call")
        for part in ("argument", "response"):
            for row in [row for row in rows["arguments"] if row["part"] == part][:1]:
                value = {"part": "arguments" if part == "argument" else part, "name": row["name"]}
                yield edit("set_value", row, "call", **value, value="changed")
                yield edit("rename_value", row, "call", **value, to="renamed")
                yield edit("remove_value", row, "call", **value)
        for row in rows["acts"][:1]:
            yield edit("set_act", row, "act", name="changed", slots=[{"slot": row["slot"] or "place", "value": "there"}])
            yield edit("remove_act", row, "act")
        for row in rows["intents"][:1]:
            yield edit("set_intents", row, intents=[])
        for row in rows["state"][:1]:
            yield edit("set_state", row, "slot", value="changed")
            yield edit("remove_state", row, "slot", value=row["value"])
            yield edit("rename_state", row, "slot", to="renamed")
        for row in [row for row in rows["fields"] if row["element"] == "dialog"][:3]:
            yield {"edit": "set_field", "dialog": row["dialog"], "name": row["name"], "text": "changed"}

    def edits(self):
        for file, rows in self.tables():
            for record in self.records(rows):
                given = json.dumps(record, ensure_ascii=False)
                code, out, err = self.run("apply", "-", file, "--diff=unified", given=given)
                head = f"{file} {given}"
                yield f"{head} · exit {code} · {digest(out)} · {' '.join(err.split())}"
                if self.is_demo:
                    yield from (f"{head} {number:03} {line}" for number, line in enumerate(out.splitlines()))

    def copies(self):
        """Two copies of each file, with every other edit: their difference, their merge, and how far they agree."""
        base, ours, theirs = (self.scratch / name for name in ("base", "ours", "theirs"))
        for copy in (base, ours, theirs):
            shutil.copytree(self.folder, copy)
        for file, rows in self.tables():
            path = Path(file).relative_to(self.name)
            records = [record for record in self.records(rows) if "_turn" not in record["edit"]]
            for number, record in enumerate(records):
                to = (ours if number % 2 else theirs) / path
                self.run("apply", "-", to, given=json.dumps(record))
            for flags in ([], ["--theirs"], ["--union"]):
                out = self.scratch / f"merged{'-'.join(flags)}" / path
                out.parent.mkdir(parents=True, exist_ok=True)
                code, _, err = self.run("merge", base / path, ours / path, theirs / path, "-o", out, *flags)
                yield f"merge {path} {flags} · exit {code} · {digest(out.read_text()) if out.exists() else 'no file'}"
                yield from (f"merge {path} {flags} ! {line.replace(str(self.scratch), 'SCRATCH')}" for line in err.splitlines())
            for copy in (ours, theirs):
                code, out, err = self.run("diff", base / path, copy / path, "--format", "jsonl")
                yield f"diff {path} {copy.name} · exit {code} · {' '.join(err.replace(str(self.scratch), 'SCRATCH').split())}"
                yield from (f"diff {path} {copy.name} · {line.replace(str(self.scratch), 'SCRATCH')}" for line in out.splitlines())
        code, out, _ = self.run("compare", ours, theirs, "--format", "json")
        yield from (f"compare · {line.replace(str(self.scratch), 'SCRATCH')}" for line in flat(json.loads(out)))
        for form in ("tables", "doccano", "spacy", "label-studio"):
            exported = self.scratch / "exported" / form
            exported.mkdir(parents=True)
            self.run("export", form, ours, "-o", exported)
            name = {"tables": "segments.jsonl", "label-studio": "tasks.json"}.get(form, "data.jsonl")
            read = next((path for path in sorted(exported.rglob("*.json*")) if path.name == name), next(iter(sorted(exported.rglob("*.json*"))), exported))
            code, out, err = self.run("import", "prodigy" if form == "spacy" else form, read, base, "--skip")
            yield f"import {form} · exit {code} · {digest(err.replace(str(self.scratch), ''))}"
            yield from (f"import {form} · {line.replace(str(self.scratch), 'SCRATCH')}" for line in out.splitlines())

    def formats(self):
        code, out, _ = self.run("formats")
        families = [line.split()[0] for line in out.splitlines() if line and not line.startswith(" ")]
        for family in families:
            _, out, _ = self.run("schema", family)
            yield from (f"schema {family} · {line}" for line in flat(json.loads(out)))
            code, out, _ = self.run("formats", "print", family)
            if code == 0:
                description = self.scratch / f"{family}.toml"
                description.write_text(out)
                code, out, err = self.run("formats", "check", description, *(file["file"] for file in self.files if file["family"] == family))
                yield f"formats check {family} · exit {code}"
                yield from (f"formats check {family} · {line.replace(str(description), 'FILE')}" for line in (out + err).splitlines())
        for file in filter(lambda file: file["dialogs"], self.files):
            code, out, err = self.run("formats", "new", file["file"])
            yield f"formats new {file['file']} · exit {code} · {digest(out)}"
            yield from (f"formats new {file['file']} {number:03} {line}" for number, line in enumerate((out + err).splitlines()))

    def pages(self):
        """What people read, in order: each line has its number."""
        asked = [["check"], ["lint"], ["lint", "--statistics"], ["votes"], ["votes", "--by", "annotator", "--format", "csv"], ["progress"]]
        asked += [["report", "--format", form] for form in ("md", "latex", "html")] + [["show", "--problems"], ["fix", "--diff"]]
        asked += [["votes", "--question", "quality"], ["find", "speaker:user label:date"], ["rules"], ["schemes"], ["keys"]]
        for command, *flags in asked:
            words = flags[:1] if command == "find" else []
            paths = [] if command in ("rules", "schemes", "keys") else [self.name]
            code, out, err = self.run(command, *words, *paths, *flags[len(words):])
            name = " ".join([command, *flags])
            yield f"{name} · exit {code}"
            yield from (f"{name} {number:05} {line}" for number, line in enumerate(out.splitlines()))
            yield from (f"{name} ! {line}" for line in err.splitlines())


def judge(folder):
    """Writes the answers of two people beside the dialogs of the demo."""
    (folder / "judgements").mkdir()
    dialogs = [f"dlg-demo-tm3-0{number}" for number in (1, 2, 3)] + [f"chat-demo-0{number}" for number in (1, 2, 3)]
    for person, by in enumerate(("js", "mk")):
        lines = []
        for number, dialog in enumerate(dialogs):
            for scheme, question, turn, values in JUDGEMENTS:
                value = values[(number + person * (number % 2)) % len(values)]
                line = {"dialog": dialog, "turn": turn, "scheme": scheme, "question": question, "value": value, "by": by}
                lines.append(json.dumps({key: part for key, part in line.items() if part is not None}))
            note = {"dialog": dialog, "turn": 1, "note": "too late #slow", "tags": ["slow"], "by": by}
            lines.append(json.dumps(note))
        (folder / "judgements" / f"{by}.jsonl").write_text("\n".join(sorted(lines)) + "\n")


def main():
    binary, output, *only = sys.argv[1:]
    output = Path(output).resolve()
    if output.exists():
        sys.exit(f"{output} exists; name another folder")
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        turnwise = Turnwise(binary, scratch)
        shutil.copytree(PROJECT / "assets" / "demo", scratch / "corpora" / "demo")
        judge(scratch / "corpora" / "demo")
        folders = [folder for root in filter(None, os.environ.get("TURNWISE_CORPORA", "").split(":")) for folder in sorted(Path(root).resolve().iterdir())]
        named = [folder for folder in [scratch / "corpora" / "demo", *folders] if folder.is_dir() and all(word in str(folder) for word in only)]
        with ThreadPoolExecutor(WORKERS) as pool:
            corpora = list(pool.map(lambda folder: Corpus(turnwise, folder, scratch, folder.name == "demo"), named))

            def write(task):
                corpus, topic = task
                facts = sorted(str(fact).replace(str(scratch), "SCRATCH") for fact in getattr(corpus, topic)())
                path = output / corpus.scratch.name / f"{topic}.txt"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("".join(f"{fact}\n" for fact in facts), errors="surrogateescape")

            topics = ["find", "lint", "show", "votes", "fix", "export", "edits", "check"]
            tasks = [(corpus, topic) for topic in topics for corpus in corpora]
            tasks += [(corpus, topic) for corpus in corpora if corpus.is_demo for topic in ("copies", "formats", "pages")]
            list(pool.map(write, tasks))


main()
