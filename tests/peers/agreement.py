"""The figures of `turnwise votes --question` are those of krippendorff, scikit-learn and NLTK, to 1e-9.

Intervals are compared, too: the draws of dialogs are repeated here, and each is given to the packages.
"""
import json
import random
import subprocess
import sys
from pathlib import Path

import krippendorff
import numpy
from draws import draws
from nltk.metrics import agreement, jaccard_distance, masi_distance
from sklearn.metrics import cohen_kappa_score

folder = Path(sys.argv[1])
random.seed(7)
DIALOGS, TURNS, PEOPLE, DRAWS, SEED = 40, 3, ["ann", "bob", "cy", "model-1"], 60, 5
SCALE = [1, 2, 3, 5, 8]
TAGS = ["date", "slot", "tone", "tool"]
LEVELS = ["nominal", "ordinal", "interval"]

questions = [
    {"name": level, "of": "turn", "kind": "scale", "level": level, "values": SCALE} for level in LEVELS
] + [{"name": "code", "of": "dialog", "kind": "tags", "values": []}]
scheme = "name = \"made\"\n"
for question in questions:
    scheme += f"\n[[question]]\nname = \"{question['name']}\"\nof = \"{question['of']}\"\nkind = \"{question['kind']}\"\n"
    if question["kind"] == "scale":
        scheme += f"level = \"{question['level']}\"\n"
        scheme += "values = [" + ", ".join(f"{{ name = {value} }}" for value in SCALE) + "]\n"
(folder / "judging.toml").write_text(scheme)
dialogs = [
    {
        "conversation_id": f"d{number:02}",
        "utterances": [
            {"index": turn, "speaker": "ASSISTANT", "text": f"{number} {turn}"} for turn in range(TURNS)
        ],
    }
    for number in range(DIALOGS)
]
(folder / "made.json").write_text(json.dumps(dialogs))
# For each dialog, each turn: what each person said, or None.
scales, codes = [], []
for number in range(DIALOGS):
    scales.append([])
    for turn in range(TURNS):
        truth = random.choice(SCALE)
        scales[-1].append(
            {
                person: random.choice([truth, truth, random.choice(SCALE)])
                for person in PEOPLE
                if random.random() < 0.8
            }
        )
    truth = random.sample(TAGS, random.randint(1, 3))
    codes.append(
        {
            person: sorted(random.choice([truth, truth[:1], random.sample(TAGS, 2)]))
            for person in PEOPLE
            if random.random() < 0.8
        }
    )
(folder / "judgements").mkdir()
for person in PEOPLE:
    lines = []
    for number in range(DIALOGS):
        said = {"dialog": f"d{number:02}", "scheme": "made", "by": person}
        for turn, answers in enumerate(scales[number]):
            for level in LEVELS if person in answers else []:
                lines.append(said | {"turn": turn, "question": level, "value": answers[person]})
        if person in codes[number]:
            lines.append(said | {"question": "code", "value": codes[number][person]})
    (folder / "judgements" / f"{person}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def votes(question, *more):
    command = ["turnwise", "votes", "made.json", "--question", question, "--format", "json"]
    ran = subprocess.run([*command, *more], cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


compared = 0


def close(name, ours, theirs):
    global compared
    compared += 1
    assert abs(ours - theirs) < 1e-9, (name, ours, theirs)


def interval(name, total, figure):
    values = [figure(drawn) for drawn in draws(DIALOGS, DRAWS, SEED)]
    low, high = numpy.percentile(values, [2.5, 97.5])
    close(name, total[name + "_low"], low)
    close(name, total[name + "_high"], high)


def alpha(level, drawn):
    turns = [answers for number in drawn for answers in scales[number]]
    data = [[answers.get(person, numpy.nan) for answers in turns] for person in PEOPLE]
    return krippendorff.alpha(data, value_domain=SCALE, level_of_measurement=level)


def mean(drawn):
    return numpy.mean([answer for number in drawn for answers in scales[number] for answer in answers.values()])


def tag_alpha(distance, drawn):
    # NLTK does not drop items with a single answer, as Krippendorff does.
    answered = [answers for number in drawn for answers in [codes[number]] if len(answers) > 1]
    data = [(person, item, frozenset(tags)) for item, answers in enumerate(answered) for person, tags in answers.items()]
    return agreement.AnnotationTask(data, distance=distance).alpha()


everything = range(DIALOGS)
options = ["--draws", str(DRAWS), "--seed", str(SEED)]
for place, question in enumerate(LEVELS):
    total = votes(question, *options)["total"]
    for level in LEVELS[: place + 1]:
        close(level, total["alpha_" + level], alpha(level, everything))
        interval("alpha_" + level, total, lambda drawn: alpha(level, drawn))
    close("mean", total["mean"], mean(everything))
    interval("mean", total, mean)
for one, other in [("ann", "bob"), ("cy", "model-1")]:
    both = [answers for turns in scales for answers in turns if one in answers and other in answers]
    kappa = cohen_kappa_score([answers[one] for answers in both], [answers[other] for answers in both])
    close("kappa", votes("nominal", "--confusion", one, other)["statistics"]["cohen_kappa"], kappa)
rows = votes("nominal", "--gold", "ann")["rows"]
for row in rows:
    other = row["annotator"]
    both = [answers for turns in scales for answers in turns if "ann" in answers and other in answers]
    kappa = cohen_kappa_score([answers[other] for answers in both], [answers["ann"] for answers in both])
    close("gold", row["cohen_kappa"], kappa)
total = votes("code", *options)["total"]
for name, distance in [("jaccard", jaccard_distance), ("masi", masi_distance)]:
    close(name, total["alpha_" + name], tag_alpha(distance, everything))
    interval("alpha_" + name, total, lambda drawn: tag_alpha(distance, drawn))
print(compared, "figures of", DIALOGS, "dialogs")
