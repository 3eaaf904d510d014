//! Many problems are repaired at once from the window that lists the repairs, undone, redone and saved.

use serde_json::Value;
use turnwise::corpus::Change;

use super::model::{Act, Model, Step};
use super::{SAVE_ALL, Work};
use crate::browse::Driver;
use crate::browse::fixtures::{dialog, segment, turn};
use crate::support::random::Random;
use crate::terminal::harness::Terminal;
use crate::terminal::setup::Setup;

const FILE: &str = "corpus.json";
const DIALOGS: usize = 5;
const TURNS: usize = 8;

#[derive(Default)]
pub struct Repairing;

/// Dialogs of which each turn has a segment that ends with a space.
fn corpus() -> String {
    let segment = segment(0, "two ", "people.tickets");
    let turn =
        |index: usize| turn(["user", "assistant"][index % 2], "two seats", vec![segment.clone()]);
    let dialog = |number: usize| dialog(&format!("dlg-{number}"), (0..TURNS).map(turn).collect());
    let dialogs: Vec<Value> = (0..DIALOGS).map(dialog).collect();
    serde_json::to_string_pretty(&dialogs).unwrap()
}

impl Repairing {
    /// Repairs the whole file but for some of the first.
    fn repair(random: &mut Random, model: &Model) -> Act {
        let left = random.below(4) as usize;
        let text = model.now().remove(0).unwrap();
        let text = String::from_utf8(text).unwrap();
        let found = text.matches("\"two \"").count();
        if found == 0 {
            return Act::new("u", Step::Undo);
        }
        // Where nothing is ticked, the list stays open.
        let left = if found == 1 { 0 } else { left };
        // The edits are those that the program makes of the same text without being killed.
        let mut driver = Driver::open(&[(FILE, text)], 120, 40);
        driver.press("X tab").press(&"space ".repeat(left));
        driver.press("A");
        let made = driver.app.workspace.steps.applied().iter();
        let edits = made.map(|step| {
            let Change { dialog, edit, .. } = &step.made.change;
            (0, *dialog, edit.clone())
        });
        Act {
            lead: Some(("X\t".to_owned(), format!("in this file: {found} of {found}"))),
            keys: format!("{}A", " ".repeat(left)),
            steps: vec![Step::Edits(edits.collect())],
        }
    }
}

impl Work for Repairing {
    // The rest of an interrupted fix is undone as it comes.
    const KILLS: usize = 1;

    fn start(&self) -> (Terminal, Model) {
        let setup = Setup::text(FILE, corpus()).size(120, 40);
        let model = Model::default().with_file(setup.folder.path(), FILE);
        let mut terminal = setup.start();
        // Nothing can be fixed before the rules are read.
        terminal.shows("▲8 problems");
        (terminal, model)
    }

    fn ready(&self) -> &'static str {
        " of 5 "
    }

    fn next(&mut self, random: &mut Random, model: &Model) -> Act {
        match random.below(6) {
            0..=2 => Self::repair(random, model),
            3 => Act::new("u", Step::Undo),
            4 => Act::new("U", Step::Redo),
            _ => Act::new(SAVE_ALL, Step::Save),
        }
    }

    fn last(&mut self, random: &mut Random, model: &Model) -> Act {
        match random.below(4) {
            0 => self.next(random, model),
            _ => Self::repair(random, model),
        }
    }
}
