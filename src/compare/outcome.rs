//! An element about which both sides differ, as it is if ours is taken, and if theirs is: with what only one side has changed.

use super::file_conflict::Conflict;
use super::list::Element;
use crate::dialog::Turn;
use crate::format::Family;
use crate::json::Parser;

/// Returns the element of a conflict in the text in which ours was taken, and in that in which theirs was, in short. None
/// if it is not one element of a turn that differs.
pub fn outcomes(
    format: &'static Family,
    conflict: &Conflict,
    texts: [&str; 2],
) -> Option<[Option<String>; 2]> {
    let turn = conflict.turn?;
    let [one, other] = texts.map(|text| {
        let mut parser = Parser::new();
        let dialog = format.read(parser.parse_piece_str(text).ok()?).0;
        Some(said(conflict.part, dialog.turns.get(turn)?))
    });
    let (one, other) = (one?, other?);
    let own = |all: &[String], others: &[String]| -> Vec<String> {
        all.iter().filter(|one| !others.contains(one)).cloned().collect()
    };
    match (&own(&one, &other)[..], &own(&other, &one)[..]) {
        ([one], [other]) => Some([Some(one.clone()), Some(other.clone())]),
        _ => None,
    }
}

fn said(part: &str, turn: &Turn) -> Vec<String> {
    fn all<E: Element>(list: &[E]) -> Vec<String> {
        list.iter().map(E::said).collect()
    }
    match part {
        "segment" => all(&turn.segments),
        "act" => all(&turn.acts),
        "call" => all(&turn.calls),
        "vote" => all(&turn.votes),
        _ => Vec::new(),
    }
}
