"""The figures of `turnwise votes --judge` are those of judgy, scikit-learn and SciPy, to 1e-9.

Intervals are compared, too: judgy is given the draws of dialogs that turnwise makes. The alternative annotator test is
computed here after its paper, with SciPy's t-test.
"""
import json
import random
import subprocess
import sys
from pathlib import Path

import judgy
import numpy
from draws import draws
from scipy.stats import ttest_1samp
from sklearn.metrics import cohen_kappa_score

folder = Path(sys.argv[1])
DIALOGS, LABELLED, PEOPLE, JUDGE, DRAWS, SEED = 160, 90, ["ann", "bob", "cy"], "model:m", 200, 3
compared = 0


def close(name, ours, theirs):
    global compared
    compared += 1
    assert abs(ours - theirs) < 1e-9, (name, ours, theirs)


def alternative(judge, people, epsilon):
    kept = {item for item in judge if sum(item in said for said in people.values()) >= 2}
    ps, shares, names = [], [], []
    for name, own in people.items():
        items = [item for item in own if item in kept]
        if len(items) < 30:
            continue
        wins, losses = [], []
        for item in items:
            others = [said[item] for other, said in people.items() if other != name and item in said]
            by_judge, by_person = (numpy.mean([said == other for other in others]) for said in (judge[item], own[item]))
            wins.append(int(by_judge >= by_person))
            losses.append(int(by_person >= by_judge))
        ps.append(ttest_1samp(numpy.subtract(losses, wins), epsilon, alternative="less").pvalue)
        shares.append(numpy.mean(wins))
        names.append(name)
    order = numpy.argsort(ps)
    harmonic = sum(1 / rank for rank in range(1, len(ps) + 1))
    low = [rank for rank, place in enumerate(order) if ps[place] <= (rank + 1) / len(ps) * 0.05 / harmonic]
    beaten = order[: low[-1] + 1] if low else []
    return dict(zip(names, ps)), len(beaten) / len(names), numpy.mean(shares)


def made(seed, quality, epsilon):
    random.seed(seed)
    here = folder / str(seed)
    (here / "judgements").mkdir(parents=True)
    dialogs = [
        {"conversation_id": f"d{number:03}", "utterances": [{"index": 0, "speaker": "ASSISTANT", "text": str(number)}]}
        for number in range(DIALOGS)
    ]
    (here / "made.json").write_text(json.dumps(dialogs))
    truth = [random.random() < 0.6 for _ in range(DIALOGS)]
    said = {name: {} for name in [*PEOPLE, JUDGE]}
    for number in range(DIALOGS):
        for name in PEOPLE:
            if number < LABELLED and (name == "ann" or random.random() < 0.8):
                said[name][number] = truth[number] if random.random() < 0.85 else not truth[number]
        said[JUDGE][number] = truth[number] if random.random() < quality else not truth[number]
    for name, answers in said.items():
        lines = [
            {
                "dialog": f"d{number:03}",
                "scheme": "success",
                "question": "verdict",
                "value": "pass" if answer else "fail",
                "by": name,
            }
            | ({"run": "m"} if name == JUDGE else {})
            for number, answer in answers.items()
        ]
        (here / "judgements" / f"{name.replace(':', '-')}.jsonl").write_text(
            "".join(json.dumps(line) + "\n" for line in lines)
        )
    command = ["turnwise", "votes", "made.json", "--question", "verdict", "--scheme", "success", "--format", "json"]
    command += ["--judge", "m", "--gold", "ann", "--epsilon", str(epsilon), "--draws", str(DRAWS), "--seed", str(SEED)]
    ran = subprocess.run(command, cwd=here, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    ours = json.loads(ran.stdout)
    rates = ours["rates"]
    gold = said["ann"]
    labels = [int(gold[number]) for number in sorted(gold)]
    judged = [int(said[JUDGE][number]) for number in sorted(gold)]
    everything = [int(answer) for answer in said[JUDGE].values()]
    again = map(numpy.array, draws(len(labels), DRAWS, SEED))
    numpy.random.choice = lambda indices, size, replace: next(again)
    rate, low, high = judgy.estimate_success_rate(labels, judged, everything, bootstrap_iterations=DRAWS)
    for name, theirs in [("", rate), ("_low", low), ("_high", high)]:
        close("corrected", rates["corrected_rate" + name], theirs)
    close("kappa", rates["cohen_kappa"], cohen_kappa_score(labels, judged))
    close("observed", rates["observed_rate"], numpy.mean(everything))
    yes = [answer for label, answer in zip(labels, judged) if label]
    no = [1 - answer for label, answer in zip(labels, judged) if not label]
    close("tpr", rates["tpr"], numpy.mean(yes))
    close("tnr", rates["tnr"], numpy.mean(no))
    people = {name: said[name] for name in PEOPLE}
    ps, winning, advantage = alternative(said[JUDGE], people, epsilon)
    close("winning rate", ours["alt_test"]["winning_rate"], winning)
    close("advantage", ours["alt_test"]["advantage_probability"], advantage)
    assert [row["annotator"] for row in ours["people"]] == list(ps)
    for row in ours["people"]:
        close("p", row["p"], ps[row["annotator"]])
    return winning


won = [made(seed, quality, epsilon) for seed, (quality, epsilon) in enumerate([(0.95, 0.2), (0.85, 0.1), (0.7, 0.15), (0.6, 0.2)])]
assert won[0] == 1 and won[-1] == 0, won
print(f"{compared} figures are the same")
