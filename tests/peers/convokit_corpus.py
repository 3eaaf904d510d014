"""ConvoKit loads the corpus, finds it sound, and loads the votes on top."""
import sys

from convokit import Corpus

corpus = Corpus(filename=sys.argv[1])
for conversation in corpus.iter_conversations():
    assert conversation.check_integrity(verbose=False), conversation.id
    assert len(list(conversation.get_chronological_utterance_list())) > 0
corpus.load_info("utterance", ["votes"], dir_name=sys.argv[1])
votes = [u.meta["votes"] for u in corpus.iter_utterances() if u.meta.get("votes")]
assert votes and votes[0][0]["label"] in ("O", "T", "X")
print(len(list(corpus.iter_utterances())), "utterances,", len(votes), "with votes")
