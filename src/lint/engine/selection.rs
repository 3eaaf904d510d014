//! The selected rules, and the severity of each.

use super::diagnostic::Severity;
use super::rule::Rule;

/// The name of an unknown rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule {0}; `turnwise rules` lists all rules")]
pub struct UnknownRule(pub String);

/// The selected rules, each with a severity.
#[derive(Clone, Debug)]
pub struct Selection {
    /// All rules, in their order.
    table: &'static [&'static Rule],
    /// The severity of each rule of `table`; None if the rule is not selected.
    levels: Vec<Option<Severity>>,
}

impl Selection {
    /// Selects the rules of `table` that are on by default.
    pub fn defaults_of(table: &'static [&'static Rule]) -> Self {
        let level = |rule: &&Rule| rule.on.then_some(rule.severity);
        Self {
            table,
            levels: table.iter().map(level).collect(),
        }
    }

    /// Selects no rule of `table`.
    pub fn none_of(table: &'static [&'static Rule]) -> Self {
        Self {
            table,
            levels: vec![None; table.len()],
        }
    }

    /// All rules in their order, selected or not.
    pub fn table(&self) -> &'static [&'static Rule] {
        self.table
    }

    /// Selects the rule `name`, all rules whose names begin with `name` and a hyphen, or, for `all`,
    /// every rule.
    ///
    /// # Errors
    /// If `name` matches no rule.
    pub fn select(&mut self, name: &str) -> Result<(), UnknownRule> {
        self.each(name, |rule, level| *level = level.or(Some(rule.severity)))
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
        mut change: impl FnMut(&Rule, &mut Option<Severity>),
    ) -> Result<(), UnknownRule> {
        let mut any = false;
        for (rule, level) in self.table.iter().zip(&mut self.levels) {
            let group = || {
                rule.name
                    .strip_prefix(name)
                    .is_some_and(|rest| rest.starts_with('-'))
            };
            if name == "all" || rule.name == name || group() {
                change(rule, level);
                any = true;
            }
        }
        if any {
            Ok(())
        } else {
            Err(UnknownRule(name.to_owned()))
        }
    }

    /// The selected rules with their severities.
    pub fn rules(&self) -> impl Iterator<Item = (&'static Rule, Severity)> + '_ {
        let all = self.table.iter().zip(&self.levels);
        all.filter_map(|(rule, level)| Some((*rule, (*level)?)))
    }

    /// The severity of `rule`; None if it is not selected.
    pub fn level(&self, rule: &Rule) -> Option<Severity> {
        let place = self
            .table
            .iter()
            .position(|other| std::ptr::eq(*other, rule))?;
        self.levels[place]
    }
}
