//! Small corpora written as oddly as corpora are found: every check there is, on each of them.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use turnwise::corpus::{Arrangement, DialogList};
use turnwise::dialog::{Breakdown, Dialog, Edit, EditError};

use super::bytes::edits;
use crate::support::check::{Printed, Tried, one_edit, read};
use crate::support::files::{open, open_path, original, own, own_files, saved};
use crate::support::plan;

fn fixtures() -> Vec<std::path::PathBuf> {
    let folder = own("tests/fixtures");
    let mut files = own_files();
    files.retain(|path| path.starts_with(&folder));
    assert!(files.len() > 10);
    files
}

#[test]
fn take_many_edits() {
    let mut tried = Tried::default();
    for path in fixtures() {
        tried += edits(&path);
    }
    assert!(tried.edits > 200 && tried.refused > 10, "{tried:?}");
}

#[test]
fn arrangements_are_recognised() {
    let arrangement = |name: &str| {
        let file = open_path(&own("tests/fixtures").join(name)).expect("dialogs");
        (file.index().arrangement.clone(), file.index().pieces.len())
    };
    let member =
        Arrangement::Members(vec![DialogList { key: "dialogs".to_owned(), dialogs: 0..2 }]);
    assert_eq!(arrangement("taskmaster-2-bom-crlf.json"), (Arrangement::Array, 3));
    assert_eq!(arrangement("taskmaster-1-lines.jsonl"), (Arrangement::Lines, 3));
    assert_eq!(arrangement("taskmaster-3-member.json"), (member, 2));
    assert_eq!(arrangement("taskmaster-3-escapes.json"), (Arrangement::Single, 1));
    assert_eq!(arrangement("taskmaster-2-rows.json"), (Arrangement::Array, 2));
    assert_eq!(arrangement("empty.json"), (Arrangement::Array, 0));
}

/// Numbers from which an edit of whatever dialog is made.
type Choice = (usize, u8, usize, usize, usize);

/// An edit that fits the dialog, if its family has edits of the kind chosen. `round` keeps the
/// characters of new texts apart.
fn chosen(dialog: &Dialog, round: u32, choice: Choice) -> Option<Edit> {
    let (turn, kind, a, b, c) = choice;
    let turn = turn % dialog.turns.len().max(1);
    let at = dialog.turns.get(turn)?;
    let length = at.length(dialog.units);
    let span = || {
        let (start, end) = (a.min(b) % length.max(1), a.max(b) % length.max(1) + 1);
        (start.min(end - 1) as u32, end as u32)
    };
    let segment = c % at.segments.len().max(1);
    let labels = |count: usize| (0..count).map(|i| format!("l{round}.{i}")).collect();
    let annotator = ["a-01", "a-02", "a-03", "me", "you"][a % 5].to_owned();
    Some(match kind % 7 {
        0 => {
            let (start, end) = span();
            Edit::SetSpan { turn, segment, start, end }
        }
        1 => {
            let (start, end) = span();
            Edit::AddSegment { turn, start, end, labels: labels(c % 3) }
        }
        2 => Edit::RemoveSegment { turn, segment },
        3 => Edit::SetLabels { turn, segment, labels: labels(a % 4) },
        4 => {
            let new = char::from_u32(0x2460 + round)?;
            let texts = plan::texts(dialog, turn, new);
            texts.get(a % texts.len().max(1))?.clone()
        }
        5 => Edit::CastVote {
            turn,
            annotator,
            breakdown: Breakdown::ALL[b % 3],
            comment: (c % 2 == 0).then(|| format!("round {round}: «{c}»")),
            ungrammatical: None,
        },
        _ => Edit::WithdrawVote { turn, annotator },
    })
}

/// Any sequence of edits has its intended effects, touches no other dialog, and can be undone.
#[test]
fn any_edits_and_their_inverse_are_the_identity() {
    let files: Vec<_> = fixtures().iter().filter_map(|path| open_path(path)).collect();
    let files: Vec<_> = files.into_iter().filter(|f| !f.index().pieces.is_empty()).collect();
    let choice = (any::<usize>(), any::<u8>(), 0..40_usize, 0..40_usize, any::<usize>());
    let steps = proptest::collection::vec((any::<usize>(), choice), 1..12);
    let mut runner =
        TestRunner::new(Config { cases: 300, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&(0..files.len(), steps), |(file, steps)| {
        there_and_back(&original(&files[file]), &steps);
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

/// True for refusals that blame the text and not the edit.
fn gives_up(refused: &EditError) -> bool {
    matches!(
        refused,
        EditError::NotEditable { .. }
            | EditError::ReadsBackDifferently(_)
            | EditError::NoPlace { .. }
            | EditError::BreaksForm(_)
    )
}

fn there_and_back(bytes: &[u8], steps: &[(usize, Choice)]) {
    let mut file = open(bytes.to_vec());
    let mut states = vec![saved(&file)];
    for (round, (position, choice)) in steps.iter().enumerate() {
        let position = position % file.index().pieces.len();
        let dialog = read(&file, position);
        let Some(edit) = chosen(&dialog, round as u32, *choice) else {
            continue;
        };
        let mut tried = open(saved(&file));
        if let Err(refused) = tried.edit(position, &edit) {
            assert!(saved(&tried) == *states.last().unwrap(), "{edit:?} changed something");
            assert!(!gives_up(&refused), "{edit:?}: {refused}");
            continue;
        }
        let before = Printed::of(&file, position);
        one_edit(&mut file, position, &edit, &before);
        // An edit that changes nothing is not recorded, and undo skips it.
        if saved(&file) != *states.last().unwrap() {
            states.push(saved(&file));
        }
    }
    let last = states.pop().unwrap();
    while let Some(state) = states.pop() {
        file.undo().expect("as many as were made");
        assert!(saved(&file) == state, "undo does not lead back");
    }
    assert_eq!(file.undo(), None);
    while file.redo().is_some() {}
    assert!(saved(&file) == last, "redo does not lead forward");
}
