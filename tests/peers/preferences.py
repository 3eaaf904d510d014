"""`datasets` loads the lines of `kto` and `dpo` with one type a column, and they follow TRL's conversational form.

TRL itself needs several gigabytes of other packages, so its rules are checked here: messages with roles, a prompt that
asks for an answer, and answers that begin with the assistant.
"""
import sys
import tempfile

import datasets

datasets.disable_progress_bars()


def check_messages(messages, first):
    assert messages and messages[0]["role"] in first, messages
    for message in messages:
        assert message["role"] in ("system", "user", "assistant", "tool"), message
        assert isinstance(message["content"], (str, type(None))), message


with tempfile.TemporaryDirectory() as cache:
    rows = datasets.load_dataset("json", data_files=sys.argv[1], split="train", cache_dir=cache)
    if "label" in rows.column_names:
        assert rows.features["label"].dtype == "bool", rows.features
        answers = ["completion"]
        assert set(rows["label"]) == {True, False}
    else:
        answers = ["chosen", "rejected"]
    assert set(rows.column_names) - {"label"} == {"prompt", *answers}, rows.column_names
    for row in rows:
        check_messages(row["prompt"], ("system", "user", "assistant"))
        assert row["prompt"][-1]["role"] in ("user", "tool", "assistant"), row["prompt"]
        for answer in answers:
            check_messages(row[answer], ("assistant",))
print(len(rows), "rows of", ", ".join(answers))
assert len(rows)
