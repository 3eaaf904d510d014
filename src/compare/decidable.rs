//! The edits that decide a conflict otherwise than for ours.

use std::io;

use super::conflict_line::ConflictLine;
use super::dialogs::{named, put, read};
use super::differences::{Differences, differences_of};
use super::file_conflict::FileConflict;
use super::list::Side;
use super::merge::{Merged, TurnCopies};
use super::pairs::Pairs;
use super::turns::{aligned, is_in_place};
use crate::corpus::{CorpusFile, ReadError};
use crate::dialog::Edit;

/// Returns the conflicts of a dialog of ours, each with the edits that decide it otherwise than for ours. `merged`
/// returns the merge for given decisions. Edits that take less than all of a side are not among them: `is_taken` is asked
/// about the file as it is with them.
///
/// # Errors
/// If the file cannot be read.
pub fn decidable(
    ours: &mut CorpusFile,
    own: usize,
    merged: impl Fn(&dyn Fn(usize) -> Side) -> Merged,
    is_taken: impl Fn(&mut CorpusFile) -> io::Result<bool>,
) -> io::Result<Vec<FileConflict>> {
    let dialog = named(ours, own);
    let Ok(text) = ours.whole_text(own) else {
        return Ok(Vec::new());
    };
    let for_ours = merged(&|_| Side::Ours);
    let mut differences = |other: &Merged, asks: bool| -> io::Result<(Differences, bool)> {
        let made = differences_of_written(ours, own, &for_ours, other).unwrap_or_default();
        let is_taken = !asks || !made.edits.is_empty() && is_taken(ours)?;
        put(ours, own, text.clone())?;
        Ok((made, is_taken))
    };
    let as_is = differences(&for_ours, false)?.0.unsaid;
    let mut edits_to = |other: &Merged, asks: bool| -> io::Result<Vec<Edit>> {
        let (made, is_taken) = differences(other, asks)?;
        let is_whole = is_taken && made.unsaid.iter().all(|unsaid| as_is.contains(unsaid));
        Ok(if is_whole { made.edits } else { Vec::new() })
    };
    let mut decidable = Vec::new();
    for (number, conflict) in for_ours.conflicts.iter().enumerate() {
        let of = |side: Side| merged(&|at| if at == number { side } else { Side::Ours });
        let (for_theirs, for_both) = (of(Side::Theirs), of(Side::Both));
        let has_both = ![&for_ours, &for_theirs].iter().any(|of| of.dialog == for_both.dialog);
        let theirs = edits_to(&for_theirs, true)?;
        let both = if has_both { edits_to(&for_both, true)? } else { Vec::new() };
        // It is only shown.
        let base = match &conflict.base {
            Some(_) => edits_to(&of(Side::Base), false)?,
            None => Vec::new(),
        };
        let mut conflict = conflict.clone();
        let alike = [&conflict.base, &conflict.ours];
        if theirs.is_empty() && alike.contains(&&conflict.theirs) {
            conflict.theirs = conflict.theirs.map(|said| said + ", with more than edits can write");
        }
        decidable.push(FileConflict {
            dialog: dialog.clone(),
            is_ours: true,
            conflict,
            theirs,
            both,
            has_both,
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
