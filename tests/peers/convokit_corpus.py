"""The files are a corpus of version 1, as ConvoKit documents it, and its readers would find every part.

The package itself needs several gigabytes of other packages, so its rules are checked here: the members of
each file, the types in the index, utterances that refer to speakers, conversations and each other.
"""
import json
import sys
from pathlib import Path

folder = Path(sys.argv[1])


def read(name):
    return json.loads((folder / name).read_text(encoding="utf-8"))


def lines(name):
    return [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").split("\n") if line]


index, speakers, conversations = read("index.json"), read("speakers.json"), read("conversations.json")
assert read("corpus.json") == {} and index["version"] == 1 and index["vectors"] == []
types = {"<class 'str'>": str, "<class 'int'>": int, "<class 'float'>": float, "<class 'bool'>": bool}


def check_meta(meta, known):
    assert set(meta) <= set(known), (meta, known)
    for name, value in meta.items():
        assert value is None or type(value) in [types[kind] for kind in known[name]], (name, value)


for speaker in speakers.values():
    check_meta(speaker["meta"], index["speakers-index"])
for conversation in conversations.values():
    check_meta(conversation["meta"], index["conversations-index"])
utterances = lines("utterances.jsonl")
seen = {}
for utterance in utterances:
    names = {"id", "conversation_id", "text", "speaker", "meta", "reply-to", "timestamp", "vectors"}
    assert set(utterance) == names and utterance["id"] not in seen, utterance["id"]
    assert utterance["speaker"] in speakers and utterance["conversation_id"] in conversations
    assert isinstance(utterance["text"], str) and isinstance(utterance["timestamp"], int)
    before = utterance["reply-to"]
    # One root in each conversation, and every other utterance answers one of the same conversation.
    started = utterance["conversation_id"] in (other["conversation_id"] for other in seen.values())
    assert (before is not None) == started
    if before is not None:
        assert seen[before]["conversation_id"] == utterance["conversation_id"]
        assert seen[before]["timestamp"] < utterance["timestamp"]
    check_meta(utterance["meta"], index["utterances-index"])
    seen[utterance["id"]] = utterance
votes = lines("info.votes.jsonl")
assert votes and all(set(vote) == {"id", "value"} and vote["id"] in seen for vote in votes)
assert votes[0]["value"][0]["label"] in ("O", "T", "X")
judged = lines("info.judgements.jsonl"), lines("info.conversation_judgements.jsonl")
for overlay, known in zip(judged, (seen, conversations)):
    assert overlay and all(set(one) == {"id", "value"} and one["id"] in known for one in overlay)
    assert len({one["id"] for one in overlay}) == len(overlay)
    for judgement in (judgement for one in overlay for judgement in one["value"]):
        assert judgement["annotator"] in ("js", "mk") and isinstance(judgement["tags"], list), judgement
print(len(utterances), "utterances,", len(votes), "with votes,", *map(len, judged), "with judgements")
