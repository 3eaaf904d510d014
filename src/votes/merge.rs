//! Merges the votes of several copies of a log, which different people judged.
//!
//! Two copies match if they have the same turns by the same speakers. A vote in a copy that the log lacks
//! becomes the same edit as casting it by hand, so the log keeps all its bytes and the new votes follow
//! its own.
//!
//! # Why
//! There is no common original to compare with. If only one copy has a vote, it was cast in that copy or
//! withdrawn in the other; the merge keeps it. Two different votes of an annotator on a turn are a
//! conflict, and the user has to say which copy is right.
//!
//! Votes without an annotator id were in the log before anybody copied it. If a copy has no such votes
//! beyond those of the log, they are the same ones, and adding them again would count them twice. A copy
//! with more of them is refused, because it is unclear which of them the log already has.

use std::collections::HashMap;

use crate::dialog::{Dialog, Edit, Mark, Short, Turn, Vote};
use crate::text::counted;

/// Which of two conflicting votes wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// The vote in the log.
    First,
    /// The vote in the copy.
    Last,
}

/// The result of merging a copy into a log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MergedVotes {
    /// The edits of the log, to apply in this order.
    pub edits: Vec<Edit>,
    pub conflicts: Vec<Conflict>,
}

/// Two different votes of an annotator on a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// 0-based position.
    pub turn: usize,
    /// The vote in the log.
    pub first: Vote,
    /// The vote in the copy.
    pub last: Vote,
}

/// Why a copy cannot be merged into a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CopyMismatch {
    #[error("not a copy of the log: it has {theirs} turns, not {ours}")]
    Turns { ours: usize, theirs: usize },
    #[error("not a copy of the log: turn {turn} has a different speaker")]
    Speaker { turn: usize },
    #[error("not a copy of the log: turn {turn} has a different text")]
    Text { turn: usize },
    #[error("turn {turn} has {} without an annotator id, which cannot be merged because the log does not have the same ones", counted(.count, "vote"))]
    Anonymous { turn: usize, count: usize },
    #[error("turn {turn} has several votes of {annotator:?}, and it is unclear which one counts")]
    Several { turn: usize, annotator: Short },
    #[error("turn {turn}: the vote of {annotator:?} is not O, T or X")]
    Unlabelled { turn: usize, annotator: Short },
    #[error(
        "turn {turn}: the vote of {annotator:?} has a field `{field}`, which merging would lose"
    )]
    Field { turn: usize, annotator: Short, field: Short },
}

/// Merges the votes of `copy` into `log`.
///
/// # Errors
/// If `copy` is not a copy of `log`, or a vote of the copy would be lost.
pub fn join(log: &Dialog, copy: &Dialog, prefer: Prefer) -> Result<MergedVotes, CopyMismatch> {
    let (ours, theirs) = (log.turns.len(), copy.turns.len());
    if ours != theirs {
        return Err(CopyMismatch::Turns { ours, theirs });
    }
    let mut joined = MergedVotes::default();
    for (turn, (ours, theirs)) in log.turns.iter().zip(&copy.turns).enumerate() {
        if ours.speaker.name != theirs.speaker.name {
            return Err(CopyMismatch::Speaker { turn });
        }
        if ours.text != theirs.text {
            return Err(CopyMismatch::Text { turn });
        }
        join_turn(turn, ours, theirs, prefer, &mut joined)?;
    }
    Ok(joined)
}

fn join_turn(
    turn: usize,
    ours: &Turn,
    theirs: &Turn,
    prefer: Prefer,
    joined: &mut MergedVotes,
) -> Result<(), CopyMismatch> {
    let own = by_annotator(&ours.votes);
    let mut theirs_left = by_annotator(&theirs.votes);
    for vote in &theirs.votes {
        let id = vote.annotator.as_str();
        // Each annotator once, in the place of the first vote.
        let Some(others) = theirs_left.remove(id) else {
            continue;
        };
        let own = own.get(id).map_or(&[][..], Vec::as_slice);
        let new = beyond(&others, own);
        if new == 0 {
            continue;
        }
        if id.is_empty() {
            return Err(CopyMismatch::Anonymous { turn, count: new });
        }
        let [last] = others.as_slice() else {
            return Err(CopyMismatch::Several { turn, annotator: id.into() });
        };
        match own {
            [] => joined.edits.push(cast(turn, last, None)?),
            [first] => {
                if prefer == Prefer::Last {
                    joined.edits.push(cast(turn, last, Some(first))?);
                }
                let (first, last) = ((*first).clone(), (*last).clone());
                joined.conflicts.push(Conflict { turn, first, last });
            }
            _ => {
                return Err(CopyMismatch::Several { turn, annotator: id.into() });
            }
        }
    }
    Ok(())
}

fn by_annotator(votes: &[Vote]) -> HashMap<&str, Vec<&Vote>> {
    let mut by_annotator: HashMap<&str, Vec<&Vote>> = HashMap::new();
    for vote in votes {
        by_annotator.entry(&vote.annotator).or_default().push(vote);
    }
    by_annotator
}

/// Returns the number of `votes` that are not among `others`. Each of `others` matches one vote.
fn beyond(votes: &[&Vote], others: &[&Vote]) -> usize {
    let mut left = others.to_vec();
    let missing = |vote: &&&Vote| match left.iter().position(|other| other == *vote) {
        Some(position) => {
            left.swap_remove(position);
            false
        }
        None => true,
    };
    votes.iter().filter(missing).count()
}

/// Returns the edit that adds `vote` to the log, or replaces `before` by it.
fn cast(turn: usize, vote: &Vote, before: Option<&Vote>) -> Result<Edit, CopyMismatch> {
    let annotator = || vote.annotator.clone();
    let kept = before.map_or(&[][..], |before| &before.fields);
    if vote.fields != kept {
        let fields = vote.fields.iter().chain(kept);
        let field = fields.map(|field| field.name.clone()).next().unwrap_or_default();
        return Err(CopyMismatch::Field { turn, annotator: annotator(), field });
    }
    Ok(Edit::CastVote {
        turn,
        annotator: annotator().into(),
        breakdown: vote
            .breakdown
            .ok_or_else(|| CopyMismatch::Unlabelled { turn, annotator: annotator() })?,
        comment: Some(vote.comment.as_str().into()),
        ungrammatical: Some(Mark::Text(vote.ungrammatical.as_str().into())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialog::{Breakdown, Content, Extent, Field, Speaker};
    use crate::text::Units;

    fn log(votes: &[(&str, Breakdown, &str)]) -> Dialog {
        let vote = |(annotator, breakdown, comment): &(&str, Breakdown, &str)| Vote {
            annotator: (*annotator).into(),
            breakdown: Some(*breakdown),
            comment: (*comment).into(),
            ..Vote::default()
        };
        let mut dialog = Dialog::new(Units::CodePoints);
        dialog.turns = vec![Turn {
            speaker: Speaker::named("S".into()),
            text: "hello".to_owned(),
            votes: votes.iter().map(vote).collect(),
            ..Turn::default()
        }];
        dialog
    }

    fn after(
        log: &Dialog,
        copy: &Dialog,
        prefer: Prefer,
    ) -> Vec<(String, Option<Breakdown>, String)> {
        let joined = join(log, copy, prefer).unwrap();
        let apply = |dialog: Dialog, edit: &Edit| edit.apply(&dialog).unwrap();
        let dialog = joined.edits.iter().fold(log.clone(), apply);
        let fields = |v: &Vote| (v.annotator.to_string(), v.breakdown, v.comment.to_string());
        dialog.turns[0].votes.iter().map(fields).collect()
    }

    use Breakdown::{O, T, X};

    #[test]
    fn a_vote_that_is_new_is_cast_with_all_it_says() {
        let own = log(&[("a", O, ""), ("", X, "")]);
        let copy = log(&[("b", T, "why"), ("", X, ""), ("a", O, "")]);
        let all = after(&own, &copy, Prefer::First);
        assert_eq!(all[2], ("b".to_owned(), Some(T), "why".to_owned()));
        assert_eq!(all.len(), 3);
        assert_eq!(join(&own, &own, Prefer::Last), Ok(MergedVotes::default()));
    }

    #[test]
    fn a_conflict_is_reported_and_decided() {
        let (own, copy) = (log(&[("a", O, "good")]), log(&[("a", X, "bad")]));
        for (prefer, kept) in [(Prefer::First, (O, "good")), (Prefer::Last, (X, "bad"))] {
            let joined = join(&own, &copy, prefer).unwrap();
            let [conflict] = joined.conflicts.as_slice() else {
                panic!("{joined:?}");
            };
            assert_eq!((conflict.first.breakdown, conflict.last.breakdown), (Some(O), Some(X)));
            let (label, comment) = kept;
            let expected = ("a".to_owned(), Some(label), comment.to_owned());
            assert_eq!(after(&own, &copy, prefer), [expected]);
        }
        // A different comment alone is a conflict too.
        let copy = log(&[("a", O, "")]);
        assert_eq!(join(&own, &copy, Prefer::First).unwrap().conflicts.len(), 1);
    }

    #[test]
    fn votes_without_an_id_are_never_added() {
        let own = log(&[("", O, ""), ("", O, ""), ("", X, "")]);
        let fewer = log(&[("", X, ""), ("", O, "")]);
        assert_eq!(join(&own, &fewer, Prefer::First), Ok(MergedVotes::default()));
        let more = log(&[("", X, ""), ("", O, ""), ("", X, "")]);
        let refused = Err(CopyMismatch::Anonymous { turn: 0, count: 1 });
        assert_eq!(join(&own, &more, Prefer::First), refused);
    }

    #[test]
    fn logs_that_do_not_belong_together_are_refused() {
        let own = log(&[]);
        let change = |change: fn(&mut Dialog)| {
            let mut copy = log(&[("b", X, "")]);
            change(&mut copy);
            join(&own, &copy, Prefer::First).unwrap_err()
        };
        let longer = change(|copy| copy.turns.push(Turn::default()));
        assert_eq!(longer, CopyMismatch::Turns { ours: 1, theirs: 2 });
        let other = change(|copy| "hullo".clone_into(&mut copy.turns[0].text));
        assert_eq!(other, CopyMismatch::Text { turn: 0 });
        let speaker = change(|copy| copy.turns[0].speaker = Speaker::named("U".into()));
        assert_eq!(speaker, CopyMismatch::Speaker { turn: 0 });
        let unlabelled = change(|copy| copy.turns[0].votes[0].breakdown = None);
        assert_eq!(unlabelled, CopyMismatch::Unlabelled { turn: 0, annotator: "b".into() });
        let field = change(|copy| {
            copy.turns[0].votes[0].fields.push(Field {
                name: "sure".into(),
                content: Content::Raw("1".into()),
                known: false,
                at: Extent::default(),
            });
        });
        assert_eq!(
            field.to_string(),
            "turn 0: the vote of \"b\" has a field `sure`, which merging would lose"
        );
        let twice = change(|copy| {
            let again = copy.turns[0].votes[0].clone();
            copy.turns[0].votes.push(again);
        });
        assert_eq!(twice, CopyMismatch::Several { turn: 0, annotator: "b".into() });
    }
}
