//! Whether what an edit was made on is still there.
//!
//! Edits say where they are by numbers: a segment that is the second one now may be the third one when
//! somebody else has added one. Nothing here knows how dialogs came to differ.

use super::edit::{About, Edit};
use super::model::{Dialog, Turn};

impl Edit {
    /// True if the part of a dialog that this edit is about is the same in `old`, which it was made on,
    /// and `new`: made there, it changes what was meant. Of votes only those of its annotator matter.
    pub fn means_the_same(&self, old: &Dialog, new: &Dialog) -> bool {
        let turn = self.turn();
        let (Some(old), Some(new)) = (old.turns.get(turn), new.turns.get(turn)) else {
            return false;
        };
        old.speaker == new.speaker && old.text == new.text && self.is_about_the_same(old, new)
    }

    fn is_about_the_same(&self, old: &Turn, new: &Turn) -> bool {
        match self.about() {
            About::Text | About::Tokens | About::Segments => {
                old.tokens == new.tokens && old.segments == new.segments
            }
            About::Calls => old.calls == new.calls,
            About::Acts => old.acts == new.acts,
            About::Intents => old.intents == new.intents,
            About::State => old.state == new.state,
            About::Votes => {
                let (Self::CastVote { annotator, .. } | Self::WithdrawVote { annotator, .. }) =
                    self
                else {
                    return false;
                };
                let own = |turn: &Turn| {
                    let votes = turn
                        .votes
                        .iter()
                        .filter(|vote| vote.annotator == *annotator);
                    votes.cloned().collect::<Vec<_>>()
                };
                own(old) == own(new)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::{Breakdown, Segment, Span, Vote};
    use super::*;
    use crate::text::Units;

    fn dialog(segments: &[(u32, u32)], votes: &[&str]) -> Dialog {
        let segment = |(start, end): &(u32, u32)| Segment {
            span: Some(Span {
                start: *start,
                end: *end,
            }),
            ..Segment::default()
        };
        let vote = |annotator: &&str| Vote {
            annotator: (*annotator).into(),
            ..Vote::default()
        };
        let turn = Turn {
            text: "two for Dune".to_owned(),
            segments: segments.iter().map(segment).collect(),
            votes: votes.iter().map(vote).collect(),
            ..Turn::default()
        };
        Dialog {
            turns: vec![turn],
            ..Dialog::new(Units::CodePoints)
        }
    }

    #[test]
    fn an_edit_of_segments_means_the_same_among_the_same_segments_only() {
        let edit = Edit::RemoveSegment {
            turn: 0,
            segment: 0,
        };
        let old = dialog(&[(8, 12)], &[]);
        assert!(edit.means_the_same(&old, &dialog(&[(8, 12)], &["kk"])));
        assert!(!edit.means_the_same(&old, &dialog(&[(0, 3), (8, 12)], &[])));
        assert!(!edit.means_the_same(&old, &Dialog::new(Units::CodePoints)));
    }

    #[test]
    fn a_vote_means_the_same_whatever_others_think() {
        let edit = Edit::CastVote {
            turn: 0,
            annotator: "mk".to_owned(),
            breakdown: Breakdown::X,
            comment: None,
            ungrammatical: None,
        };
        let old = dialog(&[], &["kk"]);
        assert!(edit.means_the_same(&old, &dialog(&[(0, 3)], &["kk", "js"])));
        assert!(!edit.means_the_same(&old, &dialog(&[], &["kk", "mk"])));
        let mut other = old.clone();
        other.turns[0].text.push('!');
        assert!(!edit.means_the_same(&old, &other));
    }
}
