"""Label Studio's validators accept the tasks and their predictions."""
import json
import sys
from pathlib import Path

from label_studio_sdk.label_interface import LabelInterface

folder = Path(sys.argv[1])
config = LabelInterface((folder / "config.xml").read_text())
config.validate()
tasks = json.loads((folder / "tasks.json").read_text())
regions = answers = 0
for task in tasks:
    # The validator calls itself wrongly for tasks that have predictions.
    assert config.validate_task({"data": task["data"]}), task["data"]["dialog_id"]
    for prediction in task["predictions"]:
        errors = config.validate_prediction(prediction, return_errors=True)
        assert errors == [], errors
        for region in prediction["result"]:
            value = region["value"]
            if "startOffset" not in value or isinstance(value.get("text"), list):
                answers += 1
                continue
            text = task["data"]["dialogue"][int(value["start"])]["text"].encode("utf-16-le")
            covered = text[2 * value["startOffset"] : 2 * value["endOffset"]].decode("utf-16-le")
            assert covered == value["text"], value
            regions += 1
print(len(tasks), "tasks,", regions, "regions,", answers, "answers")
assert regions and answers
