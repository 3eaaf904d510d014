"""seqeval reads the tags as strict IOB2 and finds every entity."""
import sys

from seqeval.metrics import f1_score
from seqeval.metrics.sequence_labeling import get_entities
from seqeval.scheme import IOB2, Entities

turns, tags = [], []
for line in open(sys.argv[1], encoding="utf-8"):
    line = line.rstrip("\n")
    if line.startswith("# {"):
        continue
    if line:
        tags.append(line.split("\t")[1])
    elif tags:
        turns.append(tags)
        tags = []
strict = sum(len(entities) for entities in Entities(turns, IOB2).entities)
assert strict == sum(len(get_entities(tags)) for tags in turns) > 0
assert f1_score(turns, turns, mode="strict", scheme=IOB2) == 1.0
print(len(turns), "turns,", strict, "entities")
