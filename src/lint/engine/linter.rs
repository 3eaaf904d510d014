//! Finds the problems of a dialog: the one place that runs rules on a dialog.

use std::cmp::Reverse;

use super::diagnostic::Diagnostic;
use super::ignores::{DialogPlace, ExcludedDialog, IgnoreEntry, Ignores};
use super::rule::{Check, Findings};
use super::selection::Selection;
use crate::dialog::Dialog;
use crate::format::Family;
use crate::lint::facts::{ParsedDialog, Subject, ontology_of};
use crate::ontology::{Ontologies, Ontology};

/// The selected rules, the ontologies and the ignored problems.
#[derive(Clone, Debug, Default)]
pub struct Linter {
    pub selection: Selection,
    pub ontologies: Ontologies,
    pub ignores: Ignores,
}

/// The problems of a dialog.
#[derive(Clone, Debug, Default)]
pub struct LintResult {
    pub problems: Vec<Diagnostic>,
    /// Ignored problems, each with its entry in the ignore file.
    pub ignored: Vec<(Diagnostic, IgnoreEntry)>,
    /// The line that excludes the dialog; it has no problems then.
    pub excluded: Option<ExcludedDialog>,
}

impl Linter {
    /// Returns the problems of a dialog, without those that are ignored at its place; none if the dialog is excluded.
    pub fn problems(&self, read: ParsedDialog<'_>, place: DialogPlace<'_>) -> Vec<Diagnostic> {
        if self.ignores.excluding(place, &read.dialog.id).is_some() {
            return Vec::new();
        }
        self.part(self.find(read), read.dialog, place).problems
    }

    /// Returns the ontology for a dialog of a format.
    pub fn ontology(&self, format: &'static Family, dialog: &Dialog) -> &Ontology {
        ontology_of(&self.ontologies, format, dialog)
    }

    /// Returns all problems that the selected rules find in a dialog: those of the dialog as a whole, then those of
    /// each turn, in the order of the text.
    pub fn find(&self, read: ParsedDialog<'_>) -> Vec<Diagnostic> {
        let subject = Subject::new(read, self.ontology(read.format, read.dialog));
        let mut found = Vec::new();
        for selected in self.selection.rules() {
            if let Check::Dialog(check) = selected.rule.check {
                check(&subject, &mut Findings::new(selected, &mut found));
            }
        }
        // If several start at one place, the most severe one comes first.
        found.sort_by_key(|d| (d.location.turn, d.location.at.start, Reverse(d.severity)));
        found
    }

    /// Separates the problems that are ignored at this place.
    pub fn part(
        &self,
        mut problems: Vec<Diagnostic>,
        dialog: &Dialog,
        place: DialogPlace<'_>,
    ) -> LintResult {
        let parted = self.ignores.part(place, dialog, &mut problems);
        let entry = |(found, line): (Diagnostic, usize)| (found, self.ignores.all[line].clone());
        let ignored = parted.into_iter().map(entry).collect();
        LintResult { problems, ignored, excluded: None }
    }
}
