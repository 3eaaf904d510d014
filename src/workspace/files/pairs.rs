//! Pairs of two dialogs: those of one id in two open files, by two systems, are the sides of a pair while a scheme asks
//! about pairs. The dialog in the file whose name comes first is the pair; the other one is its other side.

use super::Files;
use crate::dialog::{Dialog, PairedWith, Sides, side_names, side_order};
use crate::lint::LintResult;
use crate::workspace::DialogId;

/// Makes a dialog of the file called `name` one side of a pair, whose other one is in the file called `other_name`.
pub fn make_pair(dialog: &mut Dialog, name: &str, other: &Dialog, other_name: &str) {
    let names = side_names(name, other_name);
    let with = PairedWith::of(names[1], other);
    dialog.sides = Some(Sides { names: names.map(Into::into), with: Some(with) });
}

impl Files {
    /// Returns the first two dialogs of this id in different files, in the order of the files' names, as far as ids
    /// are known.
    fn pair_of(&self, id: &str) -> Option<[DialogId; 2]> {
        if id.is_empty() || !self.logs.judgements.pairs {
            return None;
        }
        let all = self.summaries(None);
        let all = all.filter(|(_, summary)| summary.is_some_and(|summary| summary.id == id));
        let mut all: Vec<DialogId> = all.map(|(at, _)| at).collect();
        all.sort_by(|one, other| {
            side_order(self.name(one.file as usize), self.name(other.file as usize))
        });
        let first = *all.first()?;
        let other = all.into_iter().find(|at| at.file != first.file)?;
        Some([first, other])
    }

    /// Returns the dialog that is the pair of which this one is a side.
    pub fn pair_with_side(&self, at: DialogId) -> Option<DialogId> {
        let sides = self.pair_of(&self.summary(at)?.id)?;
        sides.contains(&at).then_some(sides[0])
    }

    /// Returns the other side of the pair that a dialog is.
    pub(super) fn side_of(&self, at: DialogId) -> Option<DialogId> {
        let [first, other] = self.pair_of(&self.summary(at)?.id)?;
        (first == at).then_some(other)
    }

    /// Makes a dialog the pair that it is with a dialog of another file, if it is one.
    pub fn add_sides(&self, at: DialogId, dialog: &mut Dialog) {
        if dialog.sides.is_none()
            && let Some([first, other]) = self.pair_of(&dialog.id)
            && first == at
            && let Some(other_dialog) = self.read_own(other)
        {
            let [name, other_name] = [at, other].map(|at| self.name(at.file as usize));
            make_pair(dialog, name, &other_dialog, other_name);
        }
    }

    /// Returns the other side of a dialog, and where it is; None if it is not a pair, or cannot be read.
    pub fn side_beside(&self, at: DialogId, dialog: &Dialog) -> Option<OtherSide> {
        if dialog.sides.as_ref()?.with.is_none() {
            let (dialog, found) = self.other_side(at)?;
            return Some(OtherSide { at, dialog, found });
        }
        let [_, other] = self.pair_of(&dialog.id)?;
        let dialog = self.read_own(other)?;
        Some(OtherSide { at: other, dialog, found: LintResult::default() })
    }
}

/// The other side of a pair.
pub struct OtherSide {
    /// The dialog that it is in; of two answers in one dialog, that itself.
    pub at: DialogId,
    pub dialog: Dialog,
    pub found: LintResult,
}
