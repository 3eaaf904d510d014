//! Schema violations that have rules of their own, so that the `schema` rule does not report them.

use super::mention::Mention;
use super::subject::Subject;
use crate::dialog::{Issue, IssueKind};

/// Returns the segment that an issue is about, if the issue is that an offset is a string.
pub fn mention_with_string_index<'s, 'a>(
    subject: &'s Subject<'a>,
    issue: &Issue,
) -> Option<&'s Mention<'a>> {
    let IssueKind::Wrong { field, found, .. } = &issue.problem else {
        return None;
    };
    if !matches!(*field, "start_index" | "end_index") || !found.starts_with('"') {
        return None;
    }
    let location = subject.location_in(issue.at);
    let mention = subject.mentions_of(location.turn?).get(location.segment?)?;
    mention.of.span.is_some().then_some(mention)
}

/// True if an issue is about the label of a vote.
pub fn is_vote_label(subject: &Subject<'_>, issue: &Issue) -> bool {
    let label = matches!(issue.problem, IssueKind::Wrong { field: "breakdown", .. });
    let turns = &subject.dialog.turns;
    let of_vote = |turn: usize| turns.get(turn).is_some_and(|t| !t.votes.is_empty());
    label && issue.turn.is_some_and(of_vote)
}
