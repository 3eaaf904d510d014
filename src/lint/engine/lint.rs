//! Runs rules on a dialog.

use std::cmp::Reverse;

use super::diagnostic::Diagnostic;
use super::rule::{Check, Findings};
use super::selection::Selection;
use crate::lint::facts::Subject;

/// All problems that the selected rules find in a dialog, in the order of its text.
pub fn lint(subject: &Subject<'_>, selection: &Selection) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (rule, severity) in selection.rules() {
        if let Check::Dialog(check) = rule.check {
            check(subject, &mut Findings::new(rule, severity, &mut found));
        }
    }
    // If several start at one place, the most severe one comes first.
    found.sort_by_key(|d| (d.spot.turn, d.spot.at.start, Reverse(d.severity)));
    found
}
