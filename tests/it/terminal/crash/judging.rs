//! Votes in quick succession, in logs that are begun beside a corpus.

use turnwise::dialog::{Breakdown, Edit};
use turnwise::format::{log_name, log_text};

use super::model::{Act, Model, Step};
use super::{SAVE_ALL, Work};
use crate::support::random::Random;
use crate::terminal::harness::Terminal;
use crate::terminal::setup::Setup;

const JUDGE: &str = "mk";
const CORPUS: &str = "taskmaster-3.json";

/// Dialogs that hold no votes are judged.
pub struct Beside;

fn letter(breakdown: Breakdown) -> String {
    breakdown.letter().to_lowercase()
}

/// The key for another breakdown than the one that `annotator` sees on a turn, or for any, and the
/// vote that it casts; `keys` lead there.
fn vote(
    random: &mut Random,
    model: &Model,
    (keys, file, turn): (&str, usize, usize),
    annotator: &str,
) -> Act {
    let log = model.corpus(file).dialog(0).unwrap().unwrap().0;
    let votes = &log.turns[turn].votes;
    let own = votes.iter().find(|vote| vote.annotator == annotator);
    let mut others = vec![Breakdown::O, Breakdown::T, Breakdown::X];
    others.retain(|breakdown| own.is_none_or(|own| own.breakdown != Some(*breakdown)));
    let breakdown = random.one_of(&others);
    let cast = Edit::CastVote {
        turn,
        annotator: annotator.to_owned(),
        breakdown,
        comment: None,
        ungrammatical: None,
    };
    Act::edit(&format!("{keys}{}", letter(breakdown)), file, 0, cast)
}

/// `count` votes at once; each is made on the result of the previous ones.
fn burst(model: &Model, count: u64, mut vote: impl FnMut(&Model) -> Act) -> Act {
    let mut all = Act::default();
    for _ in 0..count {
        let next = vote(&model.after(&all.steps));
        all.keys.push_str(&next.keys);
        all.steps.extend(next.steps);
    }
    all
}

impl Beside {
    /// Logs are the files behind the corpus.
    fn vote(random: &mut Random, model: &Model) -> Act {
        let dialog = random.below(3) as usize;
        let log = model.corpus(dialog + 1).dialog(0).unwrap().unwrap().0;
        let turns = log.turns.iter().enumerate();
        let system: Vec<_> =
            turns.filter(|(_, turn)| turn.speaker.name == "S").map(|(turn, _)| turn).collect();
        let turn = random.one_of(&system);
        let keys = format!("KKK{}{turn}G", "J".repeat(dialog));
        vote(random, model, (&keys, dialog + 1, turn), JUDGE)
    }
}

impl Work for Beside {
    fn start(&self) -> (Terminal, Model) {
        let setup = Setup::demo(CORPUS).size(120, 40);
        let mut model = Model::default().with_file(setup.folder.path(), CORPUS);
        for dialog in 0..3 {
            let dialog = model.corpus(0).dialog(dialog).unwrap().unwrap().0;
            let path = format!("votes/{}", log_name(&dialog.id));
            let text = log_text(&dialog, &dialog.id, CORPUS);
            model = model.with(&path, text.into_bytes(), false);
        }
        let setup = setup.argument("--annotator").argument(JUDGE);
        (setup.start(), model)
    }

    fn ready(&self) -> &'static str {
        "judged "
    }

    fn next(&mut self, random: &mut Random, model: &Model) -> Act {
        match random.below(5) {
            0..=3 => Self::vote(random, model),
            _ => Act::new(SAVE_ALL, Step::Save),
        }
    }

    fn last(&mut self, random: &mut Random, model: &Model) -> Act {
        match random.below(4) {
            0 => Act::new(SAVE_ALL, Step::Save),
            _ => {
                let count = 2 + random.below(5);
                burst(model, count, |model| Self::vote(random, model))
            }
        }
    }
}
