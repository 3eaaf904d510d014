//! Two dialogs have the same id.
//!
//! Annotations, splits and reports refer to dialogs by id. If two dialogs share an id, a join by id
//! mixes them up, and a dialog may end up in both the training data and the test data. The usual
//! cause is a file that was copied or appended to itself.
//!
//! Within a file, this is an error. If the other dialog is in another file, it is only a note, and only
//! if both files are of the same family:
//!
//! * The texts are the same: samples, splits and later releases contain copies. A copy of a test dialog
//!   in the training data is worth a look.
//! * The texts differ, and the files are in one folder and in the same split, as a translation
//!   (`human_val.json`) beside its original (`val.json`). In other folders, and in other splits (`train`,
//!   `dev` and `test` in the names of files), corpora often start to count again, so nothing is reported.
//!
//! A corpus and its conversion to another family, or a dialog and the breakdown log with the votes on it,
//! share ids on purpose. The ids of chats with tool calls often number the tasks of a test, so in other
//! files they are compared only if the texts are the same.
//!
//! The lines of several sessions may take turns in a file of Claude Code; then each session is in several parts, and these
//! share its id.
//!
//! There is no fix, because only a person can decide which dialog to remove or rename.
//!
//! ```json bad
//! [{"conversation_id": "d", "instruction_id": "i", "utterances": [
//!    {"index": 0, "speaker": "USER", "text": "two for Dune"}]},
//!  {"conversation_id": "d", "instruction_id": "i", "utterances": [
//!    {"index": 0, "speaker": "USER", "text": "a table for four"}]}]
//! ```
//!
//! ```json good
//! [{"conversation_id": "d", "instruction_id": "i", "utterances": [
//!    {"index": 0, "speaker": "USER", "text": "two for Dune"}]},
//!  {"conversation_id": "e", "instruction_id": "i", "utterances": [
//!    {"index": 0, "speaker": "USER", "text": "a table for four"}]}]
//! ```

use std::hash::{BuildHasher as _, Hash as _, Hasher as _};

use foldhash::quality::FixedState;
use foldhash::{HashMap, HashMapExt as _, HashSet};
use twox_hash::XxHash3_64;

use crate::dialog::Dialog;
use crate::lint::engine::{Check, Diagnostic, Findings, Rule, Selection, Severity};
use crate::lint::facts::Location;

pub static RULE: Rule = Rule {
    name: "duplicate-dialog-id",
    severity: Severity::Error,
    on: true,
    source: include_str!("duplicate_dialog_id.rs"),
    check: Check::Corpus,
};

/// The facts about a dialog that this rule needs.
#[derive(Clone, Copy, Debug)]
pub struct KnownDialog<'k> {
    /// A number that identifies its file.
    pub file: usize,
    /// Its position in the file.
    pub dialog: usize,
    /// Not empty.
    pub id: &'k str,
    /// See [`text_hash`].
    pub text_hash: u64,
    /// The name of its family.
    pub family: &'static str,
    /// True if ids of its family name dialogs of one file, such as the tasks that several agents were given.
    pub local: bool,
    /// True if a dialog of its family may be in several parts of its file.
    pub parted: bool,
    /// The id of the line of its first turn; empty if it has none.
    pub first_line: &'k str,
}

/// Finds dialogs with the id of an earlier one; iterates `all` twice.
pub fn find<'k>(
    all: impl Iterator<Item = KnownDialog<'k>> + Clone,
    name: impl Fn(usize) -> String,
    selection: &Selection,
) -> Vec<(usize, Diagnostic)> {
    let Some(severity) = selection.level(&RULE) else {
        return Vec::new();
    };
    // Hardly any of millions of ids occur twice, so only those that do are kept.
    let twice = repeated(all.clone().map(|known| hash(&known)));
    let mut parts = Parts::default();
    let mut seen: HashMap<(&str, Among), KnownDialog<'k>> = HashMap::new();
    let mut found = Vec::new();
    let twice = all.enumerate().filter(|(_, known)| twice.contains(&hash(known)));
    for (place, again) in twice {
        let (id, family) = (again.id, again.family);
        let in_file = Among::File(again.file);
        let copies = Among::Copies(family, again.text_hash);
        let part = || Among::Part(family, parts.of(again.file, &name));
        let in_part = (!again.local).then(part);
        let all = [Some(in_file), Some(copies), in_part];
        let first = all.iter().flatten().find_map(|among| {
            let first = seen.get(&(id, *among))?;
            let is_copy = matches!(among, Among::Copies(..));
            let is_part = again.parted && first.file == again.file && !is_copy;
            (!is_part).then_some((*among, first.dialog, first.file))
        });
        for among in all.into_iter().flatten() {
            seen.entry((id, among)).or_insert(again);
        }
        let Some((among, number, file)) = first else {
            continue;
        };
        let (message, most) = match among {
            Among::File(_) => {
                (format!("dialog {number} also has the id \"{id}\""), Severity::Error)
            }
            Among::Copies(..) => {
                let file = name(file);
                let message =
                    format!("dialog {number} of {file} has the same id \"{id}\" and the same text");
                (message, Severity::Note)
            }
            Among::Part(..) => {
                let file = name(file);
                let message = format!("dialog {number} of {file} also has the id \"{id}\"");
                (message, Severity::Note)
            }
        };
        let mut problem = Vec::new();
        Findings::new(&RULE, severity, &mut problem).add_at_most(
            most,
            Location::default(),
            message,
        );
        found.extend(problem.pop().map(|problem| (place, problem)));
    }
    found
}

/// Dialogs among which ids are compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Among {
    /// Those of a file.
    File(usize),
    /// Those of a family that have the same text, by its hash.
    Copies(&'static str, u64),
    /// Those of a family that are in one part of a corpus.
    Part(&'static str, usize),
}

/// The parts of corpora: files in one folder that belong to the same split.
#[derive(Default)]
struct Parts {
    of_files: HashMap<usize, usize>,
    known: HashMap<(String, Option<&'static str>), usize>,
}

impl Parts {
    /// Returns the part that a file belongs to.
    fn of(&mut self, file: usize, name: impl Fn(usize) -> String) -> usize {
        let known = &mut self.known;
        *self.of_files.entry(file).or_insert_with(|| {
            let path = name(file);
            let (folder, name) = path.rsplit_once(['/', '\\']).unwrap_or(("", &path));
            let (count, key) = (known.len(), (folder.to_owned(), split_of(name)));
            *known.entry(key).or_insert(count)
        })
    }
}

/// The splits of corpora, each with the words by which names of files say it.
const SPLITS: [(&str, &[&str]); 3] = [
    ("train", &["train", "training"]),
    ("dev", &["dev", "devel", "val", "valid", "validation"]),
    ("test", &["test", "testing"]),
];

/// Returns the split that the name of a file says.
fn split_of(name: &str) -> Option<&'static str> {
    let mut words = name.split(|c: char| !c.is_ascii_alphabetic());
    words.find_map(|word| {
        let is = |known: &&str| word.eq_ignore_ascii_case(known);
        let split = SPLITS.iter().find(|(_, words)| words.iter().any(is));
        split.map(|(split, _)| *split)
    })
}

/// Returns a hash of the id and the family: duplicates have equal hashes.
fn hash(known: &KnownDialog<'_>) -> u64 {
    let family = XxHash3_64::oneshot(known.family.as_bytes());
    XxHash3_64::oneshot_with_seed(family, known.id.as_bytes())
}

/// Returns the hashes that occur more than once.
fn repeated(hashes: impl Iterator<Item = u64>) -> HashSet<u64> {
    let mut hashes: Vec<u64> = hashes.collect();
    hashes.sort_unstable();
    let pairs = hashes.windows(2).filter(|pair| pair[0] == pair[1]);
    pairs.map(|pair| pair[0]).collect()
}

/// Returns a hash of the texts of a dialog, turn by turn.
pub fn text_hash(dialog: &Dialog) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    for turn in &dialog.turns {
        turn.text.hash(&mut hasher);
    }
    hasher.finish()
}
