//! One rule, and how it reports problems.

use super::diagnostic::{Diagnostic, Severity};
use crate::lint::facts::{Location, Subject};

/// A kind of problem that dialogs may have.
pub struct Rule {
    /// Short and stable, in kebab case.
    pub name: &'static str,
    /// The default severity.
    pub severity: Severity,
    /// True if the rule is selected by default.
    pub on: bool,
    /// The lines of its manual page, each after a space.
    pub lines: &'static str,
    pub check: Check,
}

/// The code that checks a rule.
#[derive(Clone, Copy)]
pub enum Check {
    /// This function, for one dialog.
    Dialog(fn(&Subject<'_>, &mut Findings<'_>)),
    /// The code that reads files: the rule needs several dialogs, or text that is not a dialog.
    Corpus,
}

/// Makes the table of a topic. A row is the manual page of a rule, its name, its severity, `(off)` if it is not selected
/// by default, and the function that checks it in a dialog; rules without one are checked by the code that reads files.
macro_rules! rules {
    ($($(#[doc = $line:literal])+ $name:literal: $severity:ident $(($off:ident))? $(=> $check:ident)?;)+) => {
        /// In the order of listings, see [`crate::lint::RULES`].
        pub static RULES: &[&$crate::lint::engine::Rule] = &[$(&$crate::lint::engine::Rule {
            name: $name,
            severity: $crate::lint::engine::Severity::$severity,
            on: $crate::lint::engine::rules!(@on $($off)?),
            lines: concat!($($line, "\n"),+),
            check: $crate::lint::engine::rules!(@check $($check)?),
        }),+];
    };
    (@on) => { true };
    (@on off) => { false };
    (@check) => { $crate::lint::engine::Check::Corpus };
    (@check $check:ident) => { $crate::lint::engine::Check::Dialog($check) };
}
pub(in crate::lint) use rules;

impl Rule {
    /// Returns the problem that the rule finds, in one line.
    pub fn summary(&self) -> &'static str {
        self.lines.lines().next().unwrap_or_default().trim().trim_end_matches('.')
    }

    /// Returns the manual page, in Markdown.
    pub fn page(&self) -> String {
        let lines = self.lines.lines();
        lines.flat_map(|line| [line.strip_prefix(' ').unwrap_or(line), "\n"]).collect()
    }
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// A rule and the severity with which it is selected.
#[derive(Clone, Copy, Debug)]
pub struct SelectedRule {
    pub rule: &'static Rule,
    pub severity: Severity,
}

impl SelectedRule {
    /// Returns a problem at `location`, without fixes.
    pub fn problem(self, location: Location, message: impl Into<String>) -> Diagnostic {
        let Self { rule, severity } = self;
        Diagnostic { rule, severity, location, message: message.into(), fixes: Vec::new() }
    }

    /// Returns the same rule with a severity of at most `most`.
    pub fn at_most(self, most: Severity) -> Self {
        Self { severity: self.severity.min(most), ..self }
    }
}

/// Collects the problems that one rule finds.
pub struct Findings<'f> {
    of: SelectedRule,
    found: &'f mut Vec<Diagnostic>,
}

impl<'f> Findings<'f> {
    pub fn new(of: SelectedRule, found: &'f mut Vec<Diagnostic>) -> Self {
        Self { of, found }
    }

    /// True if the problems are those of the rule `name`: one function may check several rules.
    pub fn is_of(&self, name: &str) -> bool {
        self.of.rule.name == name
    }

    /// Adds a problem at `location`. The caller adds fixes to the returned diagnostic.
    pub fn add(&mut self, location: Location, message: impl Into<String>) -> &mut Diagnostic {
        self.add_at_most(Severity::Error, location, message)
    }

    /// Like [`Findings::add`], with a severity of at most `most`.
    pub fn add_at_most(
        &mut self,
        most: Severity,
        location: Location,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let place = self.found.len();
        self.found.push(self.of.at_most(most).problem(location, message));
        &mut self.found[place]
    }
}
