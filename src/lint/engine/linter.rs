//! The selected rules, and the one place that runs them on a dialog.

use std::cmp::Reverse;

use crate::dialog::Dialog;
use crate::format::Family;
use crate::lint::engine::ignores::{DialogPlace, ExcludedDialog, IgnoreEntry, Ignores};
use crate::lint::engine::rule::{Check, Diagnostic, Findings, Rule, SelectedRule, Severity};
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

/// The name of an unknown rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule {0}; `turnwise rules` lists all rules")]
pub struct UnknownRule(pub String);

/// The selected rules, each with a severity.
#[derive(Clone, Debug)]
pub struct Selection {
    /// All rules, in their order.
    table: &'static [&'static Rule],
    /// The severity that each rule of `table` has once it is selected.
    defaults: Vec<Severity>,
    /// The severity of each rule of `table`; None if the rule is not selected.
    levels: Vec<Option<Severity>>,
}

impl Selection {
    /// Selects the rules of `table` that are on by default.
    pub fn defaults_of(table: &'static [&'static Rule]) -> Self {
        let level = |rule: &&Rule| rule.on.then_some(rule.severity);
        let levels = table.iter().map(level).collect();
        Self { levels, ..Self::none_of(table) }
    }

    /// Selects no rule of `table`.
    pub fn none_of(table: &'static [&'static Rule]) -> Self {
        let defaults = table.iter().map(|rule| rule.severity).collect();
        Self { table, defaults, levels: vec![None; table.len()] }
    }

    /// Deselects every rule. Rules that are selected later have the severities of
    /// [`Selection::set_default`].
    pub fn clear(&mut self) {
        self.levels.fill(None);
    }

    /// Sets the severity that the rule `name` has by default, and selects it; with None, deselects it.
    pub fn set_default(&mut self, name: &str, severity: Option<Severity>) {
        if let Some(place) = self.table.iter().position(|rule| rule.name == name) {
            self.levels[place] = severity;
            self.defaults[place] = severity.unwrap_or(self.defaults[place]);
        }
    }

    /// Returns all rules in their order, selected or not.
    pub fn table(&self) -> &'static [&'static Rule] {
        self.table
    }

    /// Selects the rule `name`, all rules whose names begin with `name` and a hyphen, or, for `all`,
    /// every rule.
    ///
    /// # Errors
    /// If `name` matches no rule.
    pub fn select(&mut self, name: &str) -> Result<(), UnknownRule> {
        self.each(name, |default, level| *level = level.or(Some(default)))
    }

    /// Deselects the rules that `name` means in [`Selection::select`].
    ///
    /// # Errors
    /// If `name` matches no rule.
    pub fn ignore(&mut self, name: &str) -> Result<(), UnknownRule> {
        self.each(name, |_, level| *level = None)
    }

    /// Selects rules as [`Selection::select`] does, and sets their severity.
    ///
    /// # Errors
    /// If `name` matches no rule.
    pub fn set(&mut self, name: &str, severity: Severity) -> Result<(), UnknownRule> {
        self.each(name, |_, level| *level = Some(severity))
    }

    fn each(
        &mut self,
        name: &str,
        mut change: impl FnMut(Severity, &mut Option<Severity>),
    ) -> Result<(), UnknownRule> {
        let mut any = false;
        let levels = self.defaults.iter().zip(&mut self.levels);
        for (rule, (default, level)) in self.table.iter().zip(levels) {
            let group = || rule.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'));
            if name == "all" || rule.name == name || group() {
                change(*default, level);
                any = true;
            }
        }
        if any { Ok(()) } else { Err(UnknownRule(name.to_owned())) }
    }

    /// Returns the selected rules.
    pub fn rules(&self) -> impl Iterator<Item = SelectedRule> + '_ {
        let all = self.table.iter().zip(&self.levels);
        all.filter_map(|(rule, level)| Some(SelectedRule { rule, severity: (*level)? }))
    }

    /// Returns the rule `name`; None if it is not selected.
    pub fn selected(&self, name: &str) -> Option<SelectedRule> {
        self.rules().find(|selected| selected.rule.name == name)
    }

    /// Returns the severity of `rule`; None if it is not selected.
    pub fn level(&self, rule: &Rule) -> Option<Severity> {
        self.selected(rule.name).map(|selected| selected.severity)
    }
}
