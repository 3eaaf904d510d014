//! Plans the votes that the copies of a file add to it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::copies::{Base, MatchedDialog};
use crate::cli::style::shown;
use crate::corpus::CorpusFile;
use crate::dialog::{Breakdown, Dialog, Edit, EditError, Vote};
use crate::format::{EditGroup, Formats};
use crate::shell::{Identity, OpenedFile, open};
use crate::votes::{Conflict, Prefer, join};

/// The edits of one file, and the obstacles to them.
#[derive(Default)]
pub struct Plan {
    /// The file's identity when it was read.
    pub identity: Option<Identity>,
    /// The edits, each with the position of its dialog.
    pub edits: Vec<(usize, Edit)>,
    /// Number of votes that the file did not have.
    pub added: u64,
    pub clashes: Vec<VoteClash>,
    /// Copies that cannot be merged, and the reasons.
    pub refused: Vec<(PathBuf, String)>,
    /// A file could not be read.
    pub unreadable: bool,
}

/// Two different votes of an annotator, as text.
pub struct VoteClash {
    pub place: String,
    pub first: String,
    pub last: String,
}

impl Plan {
    /// Returns the number of votes that change.
    pub fn changed(&self) -> u64 {
        self.edits.len() as u64 - self.added
    }

    fn unreadable(&mut self, path: &Path, why: &dyn std::fmt::Display) {
        self.refused.push((path.to_owned(), why.to_string()));
        self.unreadable = true;
    }
}

/// The files that hold copies of the dialogs, each opened once.
type Opens<'c> = HashMap<&'c Path, OpenedFile>;

pub fn plan(base: &Base<'_>, prefer: Prefer) -> Plan {
    let mut plan = Plan::default();
    let mut opened = match open(base.path, &Formats::default(), false) {
        Ok(opened) => opened,
        Err(error) => {
            plan.unreadable(base.path, &error);
            return plan;
        }
    };
    plan.identity = opened.identity;
    let mut copies = Opens::new();
    for (position, matched) in base.dialogs.iter().enumerate() {
        join_copies(&mut plan, &mut opened, position, matched, &mut copies, prefer);
    }
    plan
}

fn join_copies<'c>(
    plan: &mut Plan,
    opened: &mut OpenedFile,
    position: usize,
    matched: &MatchedDialog<'c>,
    copies: &mut Opens<'c>,
    prefer: Prefer,
) {
    for (path, theirs) in &matched.copies {
        let file = match copies.entry(path) {
            std::collections::hash_map::Entry::Occupied(there) => there.into_mut(),
            std::collections::hash_map::Entry::Vacant(place) => {
                match open(path, &Formats::default(), false) {
                    Ok(opened) => place.insert(opened),
                    Err(error) => return plan.unreadable(path, &error),
                }
            }
        };
        let (log, copy) = match (dialog(&opened.file, position), dialog(&file.file, *theirs)) {
            (Ok(log), Ok(copy)) => (log, copy),
            (Err(error), _) => return plan.unreadable(&opened.path, &error),
            (_, Err(error)) => return plan.unreadable(path, &error),
        };
        let refuse = |why: &dyn std::fmt::Display| {
            (path.to_path_buf(), format!("dialog {:?}: {why}", matched.id))
        };
        let joined = match join(&log, &copy, prefer) {
            Ok(joined) => joined,
            Err(why) => return plan.refused.push(refuse(&why)),
        };
        let changed = if prefer == Prefer::Last { joined.conflicts.len() } else { 0 };
        plan.added += (joined.edits.len() - changed) as u64;
        if let Err(refused) = make_all(&mut opened.file, position, &joined.edits) {
            return plan.refused.push(refuse(&refused));
        }
        let edits = joined.edits.into_iter().map(|edit| (position, edit));
        plan.edits.extend(edits);
        let clash = |conflict: &Conflict| clash(conflict, matched.id, [&opened.path, path]);
        plan.clashes.extend(joined.conflicts.iter().map(clash));
    }
}

/// Makes edits of a dialog.
///
/// # Errors
/// The first that is refused.
pub fn make_all(file: &mut CorpusFile, position: usize, edits: &[Edit]) -> Result<(), EditError> {
    let edits = edits.chunks(1);
    let groups: Vec<_> = edits.map(|edits| EditGroup { edits, on: None }).collect();
    let made = file.edit_all(position, &groups);
    made.results.into_iter().try_for_each(|result| result.map(|_| ()))
}

/// Returns a dialog with the votes merged so far. Format issues are accepted here; a vote that cannot be
/// written is refused later.
fn dialog(file: &CorpusFile, position: usize) -> Result<Dialog, String> {
    match file.dialog(position) {
        Ok(Some((dialog, _))) => Ok(dialog),
        Ok(None) => Err("it no longer has dialogs".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn clash(conflict: &Conflict, id: &str, [first, last]: [&Path; 2]) -> VoteClash {
    let Conflict { turn, first: ours, last: theirs } = conflict;
    let vote_line = |vote: &Vote, other: &Vote, path: &Path| {
        let label = vote.breakdown.map_or("no label", Breakdown::letter);
        let comment = format!(" {:?}", vote.comment);
        let mark = format!(" ungrammatical {:?}", vote.ungrammatical);
        let differing = [
            (vote.comment != other.comment, comment.as_str()),
            (vote.ungrammatical != other.ungrammatical, &mark),
            (vote.fields != other.fields, " with other fields"),
        ];
        let differing: String =
            differing.iter().filter(|(differs, _)| *differs).map(|(_, text)| *text).collect();
        format!("{label}{differing} in {}", shown(path))
    };
    VoteClash {
        place: format!("dialog {id:?}, turn {turn}, {:?}", ours.annotator),
        first: vote_line(ours, theirs, first),
        last: vote_line(theirs, ours, last),
    }
}
