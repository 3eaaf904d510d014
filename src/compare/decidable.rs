//! The edits that decide a conflict otherwise than for ours.

use std::io;

use super::audit::has_same_leaves;
use super::conflict_line::ConflictLine;
use super::dialogs::{named, put, read};
use super::differences::{Differences, differences_of};
use super::file_conflict::FileConflict;
use super::list::Side;
use super::merge::{Merged, TurnCopies};
use super::pairs::Pairs;
use super::turns::{aligned, is_in_place};
use crate::corpus::{CorpusFile, ReadError};
use crate::dialog::{Dialog, Edit};

/// The copies of a dialog: the base, ours and theirs, as dialogs and as texts.
#[derive(Clone, Copy)]
pub struct Whole<'c> {
    pub dialogs: [&'c Dialog; 3],
    pub texts: &'c [String; 3],
}

impl Whole<'_> {
    /// True if a turn of a merge that was written says what the copy of a side says, also in what no dialog tells.
    fn has(
        self,
        written: &CorpusFile,
        own: usize,
        (merged, turn): (&Merged, usize),
        side: Side,
    ) -> bool {
        let copies = merged.turns.get(turn).copied().unwrap_or_default();
        let (copy, there) = match side {
            Side::Base => (0, copies.base),
            Side::Ours | Side::Both => (1, copies.ours),
            Side::Theirs => (2, copies.theirs),
        };
        let (Some(there), Ok(dialog), Ok(text)) =
            (there, read(written, own), written.whole_text(own))
        else {
            return false;
        };
        let texts = [self.texts[copy].as_str(), &text];
        let dialogs = [self.dialogs[copy], &dialog];
        has_same_leaves(texts, dialogs, [there, turn])
    }
}

/// Returns the conflicts of a dialog of ours, each with the edits that decide it otherwise than for ours. `merged`
/// returns the merge for given decisions. With the copies, a turn of which one side is taken as a whole is checked.
///
/// # Errors
/// If the file cannot be read.
pub fn decidable(
    ours: &mut CorpusFile,
    own: usize,
    copies: Option<Whole<'_>>,
    merged: impl Fn(&dyn Fn(usize) -> Side) -> Merged,
) -> io::Result<Vec<FileConflict>> {
    let dialog = named(ours, own);
    let Ok(text) = ours.whole_text(own) else {
        return Ok(Vec::new());
    };
    let mut decidable = Vec::new();
    let for_ours = merged(&|_| Side::Ours);
    let mut differences = |other: &Merged, turn: Option<(usize, Side)>| -> io::Result<_> {
        let made = differences_of_written(ours, own, &for_ours, other).unwrap_or_default();
        let is_whole = match copies.zip(turn) {
            Some((copies, (turn, side))) => copies.has(ours, own, (other, turn), side),
            None => true,
        };
        put(ours, own, text.clone())?;
        Ok((made, is_whole))
    };
    let as_is = differences(&for_ours, None)?.0.unsaid;
    for (number, conflict) in for_ours.conflicts.iter().enumerate() {
        let clashing = conflict.turn.filter(|turn| {
            let base = for_ours.turns.get(*turn).and_then(|of| of.base);
            base.is_some_and(|was| for_ours.clashing.contains(&was))
        });
        // A turn without its calls or acts is half a turn; an element without what no edit says is better than none.
        let may_lack = conflict.part != "turn";
        let mut edits_of = |side: Side| -> io::Result<Vec<Edit>> {
            let decide = |at| if at == number { side } else { Side::Ours };
            let turn = clashing.map(|turn| (turn, side));
            let (made, is_whole) = differences(&merged(&decide), turn)?;
            let is_whole = is_whole && made.unsaid.iter().all(|unsaid| as_is.contains(unsaid));
            let is_taken = is_whole || (may_lack && side != Side::Both);
            Ok(if is_taken { made.edits } else { Vec::new() })
        };
        let theirs = edits_of(Side::Theirs)?;
        let mut both = edits_of(Side::Both)?;
        if both == theirs {
            both.clear();
        }
        let base = match &conflict.base {
            Some(_) => edits_of(Side::Base)?,
            None => Vec::new(),
        };
        decidable.push(FileConflict {
            dialog: dialog.clone(),
            is_ours: true,
            conflict: conflict.clone(),
            theirs,
            both,
            base,
        });
    }
    Ok(decidable)
}

/// Decides conflicts of a dialog of ours for a side, one after the other, where edits can.
///
/// # Errors
/// If the file cannot be read.
pub fn decide(
    ours: &mut CorpusFile,
    own: usize,
    conflicts: &[FileConflict],
    side: Side,
) -> io::Result<()> {
    let Ok(before) = read(ours, own) else {
        return Ok(());
    };
    let mut made: Vec<Edit> = Vec::new();
    for conflict in conflicts {
        let Ok(now) = read(ours, own) else {
            return Ok(());
        };
        let line = ConflictLine::from(conflict.clone());
        let line = line.carried_by(&before, &made, &now);
        let text = ours.whole_text(own).unwrap_or_default();
        let edits = line.edits_of(side);
        if edits.iter().all(|edit| ours.edit(own, edit).is_ok()) {
            made.extend_from_slice(edits);
        } else {
            put(ours, own, text)?;
        }
    }
    Ok(())
}

/// Makes the dialog at a position of ours, whose turns come from those of `was`, the merged one, and returns how.
pub fn differences_to(
    ours: &mut CorpusFile,
    own: usize,
    was: &[TurnCopies],
    merged: &Merged,
) -> Result<Differences, ReadError> {
    let new = &merged.dialog;
    differences_of(ours, own, new, |dialog| {
        if dialog.turns.len() == was.len() {
            Pairs::by(was, &merged.turns, |of| of.ours.ok_or(of.theirs))
        } else {
            aligned(&dialog.turns, &new.turns)
        }
    })
}

/// As [`differences_to`], of a dialog that was written as another merge, as far as that could be.
pub fn differences_of_written(
    ours: &mut CorpusFile,
    own: usize,
    written: &Merged,
    merged: &Merged,
) -> Result<Differences, ReadError> {
    let new = &merged.dialog;
    differences_of(ours, own, new, |dialog| {
        if is_in_place(&dialog.turns, &written.dialog.turns) {
            Pairs::by(&written.turns, &merged.turns, |of| of.ours.ok_or(of.theirs))
        } else {
            aligned(&dialog.turns, &new.turns)
        }
    })
}
