"""`datasets` loads the dataset with the types of its card, and `raw` is the corpus."""
import json
import sys
import tempfile

import datasets

datasets.disable_progress_bars()
with tempfile.TemporaryDirectory() as cache:
    loaded = datasets.load_dataset(sys.argv[1], cache_dir=cache)
    rows = 0
    for split in loaded.values():
        assert str(split.features["turns"]).count("float") == 0, split.features
        for row in split:
            assert isinstance(json.loads(row["raw"]), dict)
            for turn in row["turns"]:
                for segment in turn["segments"]:
                    if segment["start"] is not None:
                        assert turn["text"][segment["start"] : segment["end"]] == segment["text"]
            rows += 1
print(rows, "rows", dict((name, len(split)) for name, split in loaded.items()))
assert rows
