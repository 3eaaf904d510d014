"""The figures of `turnwise compare` are those of nervaluate, scikit-learn, krippendorff, SciPy, NLTK and
pygamma-agreement, and of Krippendorff's definitions written down position by position, to 1e-9.

Intervals are compared, too: the draws of dialogs are repeated here, and each is given to the packages.
"""
import itertools
import json
import logging
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import krippendorff
import numpy
from draws import draws
from nltk.metrics import agreement, jaccard_distance, masi_distance
from nervaluate import Evaluator
from pyannote.core import Segment
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import cohen_kappa_score, f1_score

logging.disable(logging.WARNING)
from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum

folder = Path(sys.argv[1])
random.seed(11)
DIALOGS, DRAWS, SEED = 24, 25, 3
LABELS = ["date", "film", "place", "time"]
NAMES = ["a", "b", "c"]
SLOTS = {"city": ["Rome", "Bonn"], "day": ["today", "Friday"], "seats": ["1", "2"]}
compared = 0


def close(name, ours, theirs):
    global compared
    compared += 1
    assert ours is not None and abs(ours - theirs) < 1e-9, (name, ours, theirs)


# For each dialog, each turn: its length and, for each copy, spans (start, end, label) in the order of the file.
def spans(length, overlapping):
    made, at = [], 0
    while at < length - 8:
        start = at + random.randint(0, 12)
        end = min(start + random.randint(1, 9), length)
        if start >= end:
            break
        made.append((start, end, random.choice(LABELS)))
        at = max(start - 4, 0) + 5 if overlapping and random.random() < 0.5 else end
    return made


def copy_of(truth, length, overlapping):
    made, end = [], 0
    for start, stop, label in truth:
        kind = random.random()
        if kind < 0.15:
            continue
        if kind < 0.4:
            start, stop = start + random.choice([-1, 0, 1]), stop + random.choice([-2, 0, 1])
        if 0.35 < kind < 0.55:
            label = random.choice(LABELS)
        start, stop = max(start, 0 if overlapping else end), min(stop, length)
        if start < stop:
            made.append((start, stop, label))
            end = stop
    return made


def corpus(overlapping):
    dialogs = []
    for _ in range(DIALOGS):
        turns = []
        for _ in range(random.randint(1, 4)):
            length = random.randint(10, 60)
            truth = spans(length, overlapping)
            turns.append((length, [copy_of(truth, length, overlapping) for _ in NAMES]))
        dialogs.append(turns)
    return dialogs


def write(dialogs):
    for copy, name in enumerate(NAMES):
        made = []
        for number, turns in enumerate(dialogs):
            utterances = []
            for index, (length, copies) in enumerate(turns):
                text = "".join(random.Random(f"{number} {index}").choices("abcd", k=length))
                segments = [
                    {"start_index": start, "end_index": end, "text": text[start:end], "annotations": [{"name": label}]}
                    for start, end, label in copies[copy]
                ]
                utterances.append({"index": index, "speaker": "USER", "text": text, "segments": segments})
            made.append({"conversation_id": f"d{number:02}", "utterances": utterances})
        (folder / f"{name}.json").write_text(json.dumps(made))


def compare(*more):
    command = ["turnwise", "compare", *more, "--format", "json", "--draws", str(DRAWS), "--seed", str(SEED)]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    rows = json.loads(ran.stdout)["rows"]
    return {(row["copies"], row["of"], row["label"], row["figure"]): row for row in rows}


def interval(key, row, figure, count=DIALOGS):
    # In the order of the corpus, as turnwise lays the turns out on one line.
    values = [figure(sorted(drawn)) for drawn in draws(count, DRAWS, SEED)]
    assert row["value_undefined_draws"] == sum(value is None for value in values), key
    low, high = numpy.percentile([value for value in values if value is not None], [2.5, 97.5])
    close(key, row["value_low"], low)
    close(key, row["value_high"], high)


def turns_of(dialogs, drawn, copies):
    for number in drawn:
        for length, spans in dialogs[number]:
            yield length, [spans[copy] for copy in copies]


def hits(dialogs, drawn, copies, label=None):
    """nervaluate counts ends with their spans."""
    own = lambda spans: [
        {"start": start, "end": end - 1, "label": name} for start, end, name in spans if label in (None, name)
    ]
    turns = [[own(spans) for spans in turn] for _, turn in turns_of(dialogs, drawn, copies)]
    true, pred = ([turn[copy] for turn in turns] for copy in (0, 1))
    return Evaluator(true, pred, tags=LABELS, loader="dict").evaluate()["overall"]


def positions(dialogs, drawn, copies, label=None):
    """For each copy, the set of labels of each position."""
    all_sets = [[] for _ in copies]
    for length, spans in turns_of(dialogs, drawn, copies):
        for sets, own in zip(all_sets, spans):
            at = [set() for _ in range(length)]
            for start, end, name in own:
                for position in range(start, end):
                    if label in (None, name):
                        at[position].add(name)
            sets.extend(tuple(sorted(names)) for names in at)
    return all_sets


def coded(all_sets):
    numbers = {names: number for number, names in enumerate(sorted({names for sets in all_sets for names in sets}))}
    return [[numbers[names] for names in sets] for sets in all_sets]


def position_f1(dialogs, drawn, copies, label=None):
    both = positions(dialogs, drawn, copies, label)
    has = [[name in names for names in sets for name in LABELS] for sets in both]
    return f1_score(*has)


def position_alpha(dialogs, drawn, copies, label=None):
    codes = coded(positions(dialogs, drawn, copies, label))
    return krippendorff.alpha(codes, level_of_measurement="nominal")


def matched(dialogs, drawn, copies):
    pairs = []
    for _, (ones, others) in turns_of(dialogs, drawn, copies):
        weights = numpy.zeros((len(ones), len(others)))
        for (row, one), (column, other) in itertools.product(enumerate(ones), enumerate(others)):
            shared = min(one[1], other[1]) - max(one[0], other[0])
            if shared > 0:
                either = one[1] - one[0] + other[1] - other[0] - shared
                weights[row, column] = shared / either + 1e-7 * (one[2] == other[2])
        for row, column in zip(*linear_sum_assignment(weights, maximize=True)):
            if weights[row, column] > 0:
                pairs.append((ones[row][2], others[column][2]))
    codes = [[LABELS.index(pair[copy]) for pair in pairs] for copy in (0, 1)]
    return cohen_kappa_score(*codes), krippendorff.alpha(codes, level_of_measurement="nominal")


def units(dialogs, drawn, copies):
    """The units of each copy on one line, and its length; those of a label that overlap are one."""
    lines, before = [[] for _ in copies], 0
    for length, spans in turns_of(dialogs, drawn, copies):
        for line, own in zip(lines, spans):
            for label in LABELS:
                joined = []
                for start, end, _ in sorted(span for span in own if span[2] == label):
                    if joined and start < joined[-1][1]:
                        joined[-1][1] = max(joined[-1][1], end)
                    else:
                        joined.append([start, end])
                line.extend((before + start, before + end, label) for start, end in joined)
        before += length
    return [sorted(line) for line in lines], before


def coincidences(codes, copies):
    pairs = Counter()
    for at in zip(*codes):
        for one, other in itertools.permutations(at, 2):
            pairs[one, other] += 1 / (copies - 1)
    return pairs


def u_alpha(lines, length, value=lambda label: label):
    """Krippendorff et al. 2016, position by position; None is a gap."""
    codes, own = [], Counter()
    for line in lines:
        at = [None] * length
        for start, end, label in line:
            at[start:end] = [value(label)] * (end - start)
            own[value(label)] += (end - start) ** 2
        codes.append(at)
        own[None] += at.count(None)
    pairs = coincidences(codes, len(lines))
    return from_pairs(pairs, own)


def marginals(pairs):
    sums = Counter()
    for (one, _), count in pairs.items():
        sums[one] += count
    return sums


def from_pairs(pairs, own):
    sums = marginals(pairs)
    total = sum(sums.values())
    scale = total / (total**2 - sum(own.values()))
    same = sum(pairs[label, label] for label in sums)
    expected = sum(scale * (sums[label] ** 2 - own[label]) for label in sums)
    return 1 - (total - same) / (total - expected)


def shared(lines, length):
    """Coincidences where several copies have units, and the squares of the lengths on which each can be compared."""
    codes, own = [], Counter()
    for line in lines:
        at = [None] * length
        for start, end, label in line:
            at[start:end] = [label] * (end - start)
        codes.append(at)
    for copy, line in enumerate(lines):
        others = [at for number, at in enumerate(codes) if number != copy]
        for start, end, label in line:
            own[label] += sum(any(at[p] is not None for at in others) for p in range(start, end)) ** 2
    pairs = coincidences(codes, len(lines))
    return Counter({pair: count for pair, count in pairs.items() if None not in pair}), own


def by_value(lines, length, label):
    pairs, own = shared(lines, length)
    sums = marginals(pairs)
    total = sum(sums.values())
    scale = total / (total**2 - sum(own.values()))
    expected = scale * (total * sums[label] - own[label])
    same = scale * (sums[label] ** 2 - own[label])
    return 1 - expected / sums[label] * (sums[label] - pairs[label, label]) / (expected - same)


def disorder(dialogs, drawn, copies):
    dissimilarity = CombinedCategoricalDissimilarity(alpha=1, beta=1, delta_empty=1)
    cost = count = 0
    for number in drawn:
        continuum, before, sizes = Continuum(), 0, [0, 0]
        for length, spans in turns_of(dialogs, [number], copies):
            for copy in (0, 1):
                for start, end, label in spans[copy]:
                    continuum.add(str(copy), Segment(before + start, before + end), label)
                    sizes[copy] += 1
            before += length
        if all(sizes):
            cost += continuum.get_best_alignment(dissimilarity).disorder * sum(sizes) / 2
        else:
            cost += sum(sizes)
        count += sum(sizes) / 2
    return cost / count


everything = range(DIALOGS)
for overlapping in (False, True):
    dialogs = corpus(overlapping)
    write(dialogs)
    rows = compare("a.json", "b.json", "c.json", "--gamma")
    for one, other in itertools.combinations(range(3), 2):
        copies = [one, other]
        names = f"{'ABC'[one]} {'ABC'[other]}"

        def figure(name, of, label=None, with_interval=True):
            key = (names, "label" if label else "spans", label or "", name)
            close(key, rows[key]["value"], of(everything))
            if with_interval:
                interval(key, rows[key], of)

        for label in [None, *LABELS]:
            for theirs, ours in [("strict", "strict"), ("exact", "exact"), ("partial", "partial"), ("ent_type", "type")]:
                for part in ["precision", "recall", "f1"]:
                    of = lambda drawn: getattr(hits(dialogs, drawn, copies, label)[theirs], part)
                    figure(f"{ours}_{part}", of, label, with_interval=label is None and part == "f1")
            figure("position_f1", lambda drawn: position_f1(dialogs, drawn, copies, label), label, label is None)
            kappa = lambda drawn: cohen_kappa_score(*coded(positions(dialogs, drawn, copies, label)))
            figure("position_kappa", kappa, label, label is None)
            figure("position_alpha", lambda drawn: position_alpha(dialogs, drawn, copies, label), label, label is None)
        figure("label_kappa", lambda drawn: matched(dialogs, drawn, copies)[0])
        figure("label_alpha", lambda drawn: matched(dialogs, drawn, copies)[1])
        if not overlapping:
            figure("gamma_2015_disorder", lambda drawn: disorder(dialogs, drawn, copies), with_interval=False)
    for copies, names in [([0, 1], "A B"), ([0, 1, 2], "A B C")]:
        line = lambda drawn: units(dialogs, drawn, copies)
        value = lambda name, label="": rows[names, "label" if label else "spans", label, name]
        close("alpha", value("position_alpha")["value"], position_alpha(dialogs, everything, copies))
        lines, length = line(everything)
        for label in LABELS:
            own = [[unit for unit in line if unit[2] == label] for line in lines]
            close(label, value("u_alpha_2016", label)["value"], u_alpha(own, length))
            if not overlapping:
                close(label, value("u_alpha_2016_value", label)["value"], by_value(lines, length, label))
        if overlapping:
            assert value("u_alpha_2016")["value"] is None and "overlap" in value("u_alpha_2016")["undefined"]["value"]
            continue
        close("u", value("u_alpha_2016")["value"], u_alpha(lines, length))
        interval("u", value("u_alpha_2016"), lambda drawn: u_alpha(*line(drawn)))
        close("|u", value("u_alpha_2016_binary")["value"], u_alpha(lines, length, lambda label: "unit"))
        close("cu", value("u_alpha_2016_coding")["value"], from_pairs(*shared(lines, length)))
        interval("cu", value("u_alpha_2016_coding"), lambda drawn: from_pairs(*shared(*line(drawn))))

# States, as sets of slots with values.
states = []
for _ in range(DIALOGS):
    states.append([])
    for _ in range(3):
        truth = {slot: random.choice(values) for slot, values in SLOTS.items() if random.random() < 0.7}
        states[-1].append(
            [
                {slot: random.choice([value, value, random.choice(SLOTS[slot])]) for slot, value in truth.items() if random.random() < 0.9}
                for _ in NAMES
            ]
        )
for copy, name in enumerate(NAMES):
    made = [
        {
            "dialogue_id": f"d{number}",
            "turns": [
                {
                    "user_utterance": {"text": "yes please", "tokens": ["yes", "please"], "slots": []},
                    "system_acts": [],
                    "dialogue_state": [{"slot": slot, "value": value} for slot, value in copies[copy].items()],
                }
                for copies in turns
            ],
        }
        for number, turns in enumerate(states)
    ]
    (folder / f"{name}.json").write_text(json.dumps(made))
rows = compare("a.json", "b.json")


def sets(drawn):
    for number in drawn:
        for copies in states[number]:
            said = [frozenset(f"{slot}={value}" for slot, value in copies[copy].items()) for copy in (0, 1)]
            if any(said):
                yield said


def tag_alpha(distance, drawn):
    data = [(copy, item, said[copy]) for item, said in enumerate(sets(drawn)) for copy in (0, 1)]
    return agreement.AnnotationTask(data, distance=distance).alpha()


nominal = lambda one, other: float(one != other)
# NLTK's distances of two empty sets divide by zero.
jaccard = lambda one, other: jaccard_distance(one, other) if one | other else 0.0
masi = lambda one, other: masi_distance(one, other) if one | other else 0.0
mean = lambda distance: lambda drawn: numpy.mean([1 - distance(*said) for said in sets(drawn)])
figures = [("exact", mean(nominal)), ("jaccard", mean(jaccard)), ("masi", mean(masi))]
for name, distance in [("nominal", nominal), ("jaccard", jaccard), ("masi", masi)]:
    figures.append((f"alpha_{name}", lambda drawn, distance=distance: tag_alpha(distance, drawn)))
for name, of in figures:
    row = rows["A B", "state", "", name]
    close(name, row["value"], of(everything))
    interval(name, row, of)
print(compared, "figures of", DIALOGS, "dialogs")
