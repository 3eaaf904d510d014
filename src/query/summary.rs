//! The summary of a dialog for the list of dialogs.

use crate::dialog::{Dialog, Short};
use crate::format::Family;
use crate::lint::{Diagnostic, RULES, Severity, text_hash};
use crate::votes::VotesBy;

/// The data of a dialog that the list shows without parsing the dialog again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DialogSummary {
    pub id: Short,
    pub turns: u32,
    /// The number of errors and warnings; 1 for a dialog that cannot be read.
    pub problems: u32,
    /// The number of errors among them.
    pub errors: u32,
    /// The number of problems of each rule, by its position in [`RULES`].
    pub by_rule: Vec<(u8, u32)>,
    /// The number of ignored problems.
    pub ignored: u32,
    /// The number of calls that failed.
    pub failed: u32,
    /// True if the dialog cannot be read.
    pub broken: bool,
    /// True if the dialog is excluded.
    pub excluded: bool,
    /// A hash of its utterances.
    pub text_hash: u64,
    /// The id of its first line, if lines have ids.
    pub first_line: Short,
    /// Its values in the columns of the list, in their order; empty if they are not known.
    pub columns: Box<[Short]>,
    /// The votes in its own file.
    pub votes: VotesBy,
    /// Its family, if that is not the usual one of its file.
    pub other_family: Option<&'static Family>,
}

impl DialogSummary {
    /// Returns the summary of a dialog with these problems, and `ignored` more that are ignored.
    pub fn of(dialog: &Dialog, problems: &[Diagnostic], ignored: usize) -> Self {
        let mut summary = Self {
            id: dialog.id.as_str().into(),
            turns: dialog.turns.len() as u32,
            ignored: ignored as u32,
            failed: dialog.failed_calls().count() as u32,
            text_hash: text_hash(dialog),
            first_line: dialog.lines.first.clone(),
            ..Self::default()
        };
        for found in problems {
            summary.add(found);
        }
        summary
    }

    /// Counts one more problem.
    pub fn add(&mut self, found: &Diagnostic) {
        let rule = RULES.iter().position(|r| std::ptr::eq(*r, found.rule));
        let rule = rule.unwrap_or_default() as u8;
        match self.by_rule.iter_mut().find(|(other, _)| *other == rule) {
            Some((_, count)) => *count += 1,
            None => self.by_rule.push((rule, 1)),
        }
        self.problems += u32::from(found.is_worth_changing());
        self.errors += u32::from(found.severity == Severity::Error);
    }

    /// Returns the summary of a dialog that cannot be read.
    pub fn unreadable() -> Self {
        let syntax = RULES.iter().position(|rule| rule.name == "json-syntax");
        Self {
            by_rule: syntax.map(|rule| (rule as u8, 1)).into_iter().collect(),
            problems: 1,
            errors: 1,
            broken: true,
            ..Self::default()
        }
    }

    /// Returns the severity of its worst error or warning.
    pub fn worst(&self) -> Severity {
        if self.errors > 0 { Severity::Error } else { Severity::Warning }
    }

    /// Returns the number of problems of rules with `name` in their names; if `name` is empty, the number of
    /// errors and warnings.
    pub fn count(&self, name: &str) -> u32 {
        if name.is_empty() {
            return self.problems;
        }
        let named = |(rule, _): &&(u8, u32)| RULES[usize::from(*rule)].name.contains(name);
        self.by_rule.iter().filter(named).map(|(_, n)| n).sum()
    }
}
