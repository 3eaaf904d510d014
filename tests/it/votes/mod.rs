//! Breakdown votes: their statistics, scoring and export.

mod corpora;
mod judge;
mod properties;
pub mod questions;

use std::collections::BTreeMap;

use turnwise::dialog::Dialog;
use turnwise::judging::{AnswerSet, AnswerTable, AnsweredAbout, BREAKDOWN, Question, Scheme};
use turnwise::votes::{Annotator, CategoryCounts, Tallies};

/// The votes of dialogs, as they are counted.
#[derive(Debug, PartialEq)]
struct Survey {
    tallies: Tallies<CategoryCounts>,
    annotators: BTreeMap<String, Annotator>,
    /// Votes without an annotator id.
    anonymous: u64,
}

/// Returns the votes on dialogs as answers.
fn answers(dialogs: &[Dialog]) -> (Question, AnswerSet) {
    let question = Scheme::bundled(BREAKDOWN).unwrap().questions.remove(0);
    let mut set = AnswerSet::default();
    for dialog in dialogs {
        let about = AnsweredAbout { file: "", id: &dialog.id, system: "", group: "" };
        set.add(&about, &question.answers(BREAKDOWN, dialog));
    }
    (question, set)
}

fn table(dialogs: &[Dialog]) -> AnswerTable {
    let (question, set) = answers(dialogs);
    AnswerTable::new(&question, &set)
}

fn survey(dialogs: &[Dialog]) -> Survey {
    let table = table(dialogs);
    let tallies = table.ratings.tallies();
    let annotators = table.annotators.into_iter().zip(table.ratings.by_annotator());
    let annotators: BTreeMap<_, _> = annotators.collect();
    let named: u64 = annotators.values().map(Annotator::votes).sum();
    Survey { anonymous: tallies.votes() - named, tallies, annotators }
}
