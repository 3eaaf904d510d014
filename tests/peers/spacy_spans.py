"""spaCy builds documents from the tokens, and every span covers whole tokens."""
import json
import sys

import spacy
from spacy.tokens import Doc

nlp = spacy.blank("en")
count = 0
for line in open(sys.argv[1], encoding="utf-8"):
    line = json.loads(line)
    tokens = line["tokens"]
    doc = Doc(nlp.vocab, words=[t["text"] for t in tokens], spaces=[t["ws"] for t in tokens])
    assert doc.text == line["text"], line["text"]
    for span in line["spans"]:
        found = doc.char_span(span["start"], span["end"], span["label"])
        assert found is not None, (line["text"], span)
        assert (found.start, found.end - 1) == (span["token_start"], span["token_end"]), span
        count += 1
print(count, "spans")
assert count
