//! Which rules are looked for, and how bad what they find is.

use super::{RULES, Rule, Severity};

/// A name that no rule has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no rule {0}")]
pub struct Unknown(pub String);

/// The rules that are looked for.
#[derive(Clone, Debug)]
pub struct Selection {
    /// For each rule of [`RULES`], how bad it is; None if it is not looked for.
    levels: Vec<Option<Severity>>,
}

impl Default for Selection {
    fn default() -> Self {
        let level = |rule: &&Rule| rule.on.then_some(rule.severity);
        Self {
            levels: RULES.iter().map(level).collect(),
        }
    }
}

impl Selection {
    /// No rule.
    pub fn none() -> Self {
        Self {
            levels: vec![None; RULES.len()],
        }
    }

    /// Looks for a rule, or for all whose names begin with `name` and a hyphen, or for `all`.
    ///
    /// # Errors
    /// If there is no such rule.
    pub fn select(&mut self, name: &str) -> Result<(), Unknown> {
        self.each(name, |rule, level| *level = level.or(Some(rule.severity)))
    }

    /// Does not look for a rule, or for those that `name` stands for as in [`Selection::select`].
    ///
    /// # Errors
    /// If there is no such rule.
    pub fn ignore(&mut self, name: &str) -> Result<(), Unknown> {
        self.each(name, |_, level| *level = None)
    }

    /// Looks for a rule and says how bad what it finds is.
    ///
    /// # Errors
    /// If there is no such rule.
    pub fn set(&mut self, name: &str, severity: Severity) -> Result<(), Unknown> {
        self.each(name, |_, level| *level = Some(severity))
    }

    fn each(
        &mut self,
        name: &str,
        mut change: impl FnMut(&Rule, &mut Option<Severity>),
    ) -> Result<(), Unknown> {
        let mut any = false;
        for (rule, level) in RULES.iter().zip(&mut self.levels) {
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
            Err(Unknown(name.to_owned()))
        }
    }

    /// The rules that are looked for.
    pub fn rules(&self) -> impl Iterator<Item = (&'static Rule, Severity)> + '_ {
        let all = RULES.iter().zip(&self.levels);
        all.filter_map(|(rule, level)| Some((*rule, (*level)?)))
    }

    /// How bad what `rule` finds is; None if it is not looked for.
    pub fn level(&self, rule: &Rule) -> Option<Severity> {
        let place = RULES.iter().position(|other| std::ptr::eq(*other, rule))?;
        self.levels[place]
    }
}
