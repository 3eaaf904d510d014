//! An adjudicator changes others' votes, each after being asked.

use super::judging::{LOG, log, vote};
use super::model::{Act, Model, Step};
use super::{SAVE_ALL, Work};
use crate::support::random::Random;
use crate::terminal::harness::Terminal;

/// Focuses the transcript, whatever was focused before, and the details.
const TRANSCRIPT: &str = "\x1b[17~l";
const DETAILS: &str = "\x1b[18~";

pub struct Adjudicating;

impl Adjudicating {
    /// Changes one of the first votes on a turn.
    fn change(random: &mut Random, model: &Model) -> Act {
        let (turn, place) = (1 + 2 * random.below(10) as usize, random.below(20) as usize);
        let log = model.corpus(0).dialog(0).unwrap().unwrap().0;
        let annotator = log.turns[turn].votes[place].annotator.to_string();
        let down = "j".repeat(place);
        let keys = format!("{TRANSCRIPT}{turn}G{DETAILS}g{down}");
        let mut act = vote(random, model, (&keys, 0, turn), &annotator);
        // The capital of the vote's key changes somebody's vote.
        let letter = act.keys.pop().expect("a vote");
        act.keys.push(letter.to_ascii_uppercase());
        act.keys.push('y');
        act
    }
}

impl Work for Adjudicating {
    fn start(&self) -> (Terminal, Model) {
        let setup = log().argument("--adjudicator");
        let model = Model::default().with_file(setup.folder.path(), LOG);
        (setup.start(), model)
    }

    fn ready(&self) -> &'static str {
        "judged "
    }

    fn next(&mut self, random: &mut Random, model: &Model) -> Act {
        match random.below(10) {
            0..=5 => Self::change(random, model),
            6 => Act::new("u", Step::Undo),
            7 => Act::new("U", Step::Redo),
            _ => Act::new(SAVE_ALL, Step::Save),
        }
    }
}
