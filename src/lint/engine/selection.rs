//! The selected rules, and the severity of each.

use super::diagnostic::Severity;
use super::rule::{Rule, SelectedRule};

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
