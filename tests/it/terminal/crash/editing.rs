//! Words are added to the text of turns, undone, redone and saved.

use turnwise::dialog::Edit;

use super::model::{Act, Model, Step};
use super::{SAVE_ALL, Work};
use crate::support::random::Random;
use crate::terminal::harness::Terminal;
use crate::terminal::repair::DEMO;
use crate::terminal::setup::Setup;

#[derive(Default)]
pub struct Editing {
    words: u64,
}

impl Work for Editing {
    fn start(&self) -> (Terminal, Model) {
        let setup = Setup::demo(DEMO).size(120, 40);
        let model = Model::default().with_file(setup.folder.path(), DEMO);
        (setup.start(), model)
    }

    fn ready(&self) -> &'static str {
        " of 3 "
    }

    fn next(&mut self, random: &mut Random, model: &Model) -> Act {
        match random.below(10) {
            0..=4 => self.say(random, model),
            5 | 6 => Act::new("u", Step::Undo),
            7 => Act::new("U", Step::Redo),
            _ => Act::new(SAVE_ALL, Step::Save),
        }
    }
}

impl Editing {
    /// Adds a word that occurs nowhere else to the text of a turn.
    fn say(&mut self, random: &mut Random, model: &Model) -> Act {
        self.words += 1;
        let (dialog, turn) = (random.below(3) as usize, 1 + random.below(8) as usize);
        let said = model.corpus(0).dialog(dialog).unwrap().unwrap().0;
        let word = format!("zq{}z", self.words);
        let edit = Edit::SetText {
            turn,
            text: format!("{} {word}", said.turns[turn].text),
            drop: false,
            shrink: false,
        };
        let down = "J".repeat(dialog);
        let keys = format!("KKK{down}g{turn}ge {word}\r");
        Act::edit(&keys, 0, dialog, edit)
    }
}
