//! Tests of `src/votes/verdict.rs`.

use turnwise::dialog::{Breakdown, Dialog, Turn};
use turnwise::dialog::{Speaker, Vote};
use turnwise::text::Units;
use turnwise::votes::*;

/// The speaker and the votes of a turn.
type JudgedTurn<'a> = (&'a str, &'a [(&'a str, Option<Breakdown>)]);

fn log(turns: &[JudgedTurn<'_>]) -> Dialog {
    let vote = |(annotator, breakdown): &(&str, Option<Breakdown>)| Vote {
        annotator: (*annotator).into(),
        breakdown: *breakdown,
        ..Vote::default()
    };
    let mut dialog = Dialog::new(Units::CodePoints);
    for (speaker, votes) in turns {
        dialog.turns.push(Turn {
            speaker: Speaker::named((*speaker).into()),
            votes: votes.iter().map(vote).collect(),
            ..Turn::default()
        });
    }
    dialog
}

const O: Option<Breakdown> = Some(Breakdown::O);
const X: Option<Breakdown> = Some(Breakdown::X);

#[test]
fn a_missing_label_is_reported() {
    let why = |log: &Dialog, annotator: &str| {
        let whose = VoteSource::Annotator(annotator.to_owned());
        verdicts(log, &whose, 0.0).unwrap_err().to_string()
    };
    let some =
        log(&[("S", &[("a", O), ("b", X)]), ("S", &[("a", O)]), ("S", &[("a", X), ("a", O)])]);
    assert_eq!(why(&some, "b"), "\"b\" has no vote on turns 1, 2, which others judged");
    assert_eq!(why(&some, "c"), "\"c\" judged no turn");
    assert!(why(&some, "a").contains("several votes on turn 2"));
    let invalid = log(&[("S", &[("a", None)])]);
    assert_eq!(why(&invalid, "a"), "no vote on turn 0 is O, T or X");
    assert_eq!(why(&log(&[("S", &[])]), "a"), "no turn was judged");
}
