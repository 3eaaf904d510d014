"""`datasets` loads the dataset with the types of its card, and `raw` is the corpus."""
import json
import sys
import tempfile

import datasets


def values(text):
    """Returns the JSON values in a text, one after the other: one of a dialog, one a line of a session."""
    all, text = [], text.strip()
    while text:
        value, end = json.JSONDecoder().raw_decode(text)
        all.append(value)
        text = text[end:].lstrip()
    return all


datasets.disable_progress_bars()
with tempfile.TemporaryDirectory() as cache:
    loaded = datasets.load_dataset(sys.argv[1], cache_dir=cache)
    rows = 0
    for split in loaded.values():
        assert str(split.features["turns"]).count("float") == 0, split.features
        for row in split:
            assert all(isinstance(value, dict) for value in values(row["raw"]))
            for turn in row["turns"]:
                for segment in turn["segments"]:
                    if segment["start"] is not None:
                        assert turn["text"][segment["start"] : segment["end"]] == segment["text"]
            rows += 1
print(rows, "rows", dict((name, len(split)) for name, split in loaded.items()))
assert rows
