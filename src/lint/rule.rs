//! One rule, and how it says what it has found.

use super::{Diagnostic, Severity, Spot, Subject};

/// One thing that may be wrong with dialogs.
pub struct Rule {
    /// Short, stable, in kebab case.
    pub name: &'static str,
    /// How bad it is where nothing else is set.
    pub severity: Severity,
    /// It is looked for where nothing else is set.
    pub on: bool,
    /// The source of the file it is in, whose leading comment is its manual page.
    pub source: &'static str,
    pub look: Look,
}

/// Who finds it.
#[derive(Clone, Copy)]
pub enum Look {
    /// Whoever has one dialog.
    Dialog(fn(&Subject<'_>, &mut Findings<'_>)),
    /// Whoever reads files: it is about a text that is no dialog, or about several dialogs.
    Corpus,
}

impl Rule {
    /// What it finds, in one line.
    pub fn summary(&self) -> &'static str {
        let line = self.source.lines().next().unwrap_or_default();
        line.trim_start_matches("//!").trim().trim_end_matches('.')
    }

    /// Its manual page, in Markdown.
    pub fn page(&self) -> String {
        let lines = self
            .source
            .lines()
            .map_while(|line| line.strip_prefix("//!"));
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

/// Takes what one rule finds.
pub struct Findings<'f> {
    rule: &'static Rule,
    severity: Severity,
    found: &'f mut Vec<Diagnostic>,
}

impl<'f> Findings<'f> {
    pub fn new(rule: &'static Rule, severity: Severity, found: &'f mut Vec<Diagnostic>) -> Self {
        Self {
            rule,
            severity,
            found,
        }
    }

    /// Something is wrong at `spot`. Fixes are added to what is returned.
    pub fn add(&mut self, spot: Spot, message: impl Into<String>) -> &mut Diagnostic {
        let place = self.found.len();
        self.found.push(Diagnostic {
            rule: self.rule,
            severity: self.severity,
            spot,
            message: message.into(),
            fixes: Vec::new(),
        });
        &mut self.found[place]
    }

    /// As [`Findings::add`], of something that is no more than `most`, however bad the rule is.
    pub fn add_at_most(
        &mut self,
        most: Severity,
        spot: Spot,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let diagnostic = self.add(spot, message);
        diagnostic.severity = diagnostic.severity.min(most);
        diagnostic
    }
}
