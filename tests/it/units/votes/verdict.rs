//! Tests of `src/votes/verdict.rs`.

use turnwise::dialog::{Breakdown, Dialog, Turn};
use turnwise::dialog::{Speaker, Vote};
use turnwise::text::Units;
use turnwise::votes::*;

/// The votes of a turn.
type Votes<'a> = &'a [(&'a str, Option<Breakdown>)];

/// A dialog with turns of the system.
fn log(turns: &[Votes<'_>]) -> Dialog {
    let vote = |(annotator, breakdown): &(&str, Option<Breakdown>)| Vote {
        annotator: (*annotator).into(),
        breakdown: *breakdown,
        ..Vote::default()
    };
    let turn = |votes: &Votes<'_>| Turn {
        speaker: Speaker::named("S".into()),
        votes: votes.iter().map(vote).collect(),
        ..Turn::default()
    };
    Dialog { turns: turns.iter().map(turn).collect(), ..Dialog::new(Units::CodePoints) }
}

#[test]
fn a_missing_label_is_reported() {
    let why = |log: &Dialog, annotator: &str| {
        let whose = VoteSource::Annotator(annotator.to_owned());
        verdicts(log, &whose, 0.0).unwrap_err().to_string()
    };
    let (o, x) = (Some(Breakdown::O), Some(Breakdown::X));
    let some = log(&[&[("a", o), ("b", x)], &[("a", o)], &[("a", x), ("a", o)]]);
    assert_eq!(why(&some, "b"), "\"b\" has no vote on turns 1, 2, which others judged");
    assert_eq!(why(&some, "c"), "\"c\" judged no turn");
    assert!(why(&some, "a").contains("several votes on turn 2"));
    assert_eq!(why(&log(&[&[("a", None)]]), "a"), "no vote on turn 0 is O, T or X");
    assert_eq!(why(&log(&[&[]]), "a"), "no turn was judged");
}
