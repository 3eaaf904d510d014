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
    /// The source of its file, whose leading comment is the manual page.
    pub source: &'static str,
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

impl Rule {
    /// Returns the problem that the rule finds, in one line.
    pub fn summary(&self) -> &'static str {
        let line = self.source.lines().next().unwrap_or_default();
        line.trim_start_matches("//!").trim().trim_end_matches('.')
    }

    /// Returns the manual page, in Markdown.
    pub fn page(&self) -> String {
        let lines = self.source.lines().map_while(|line| line.strip_prefix("//!"));
        let mut page = String::new();
        for line in lines {
            page.push_str(line.strip_prefix(' ').unwrap_or(line));
            page.push('\n');
        }
        page
    }
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Collects the problems that one rule finds.
pub struct Findings<'f> {
    rule: &'static Rule,
    severity: Severity,
    found: &'f mut Vec<Diagnostic>,
}

impl<'f> Findings<'f> {
    pub fn new(rule: &'static Rule, severity: Severity, found: &'f mut Vec<Diagnostic>) -> Self {
        Self { rule, severity, found }
    }

    /// Adds a problem at `location`. The caller adds fixes to the returned diagnostic.
    pub fn add(&mut self, location: Location, message: impl Into<String>) -> &mut Diagnostic {
        let place = self.found.len();
        self.found.push(Diagnostic {
            rule: self.rule,
            severity: self.severity,
            location,
            message: message.into(),
            fixes: Vec::new(),
        });
        &mut self.found[place]
    }

    /// Like [`Findings::add`], with a severity of at most `most`.
    pub fn add_at_most(
        &mut self,
        most: Severity,
        location: Location,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let diagnostic = self.add(location, message);
        diagnostic.severity = diagnostic.severity.min(most);
        diagnostic
    }
}
