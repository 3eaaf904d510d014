//! A problem that a rule has found, and its possible fixes.

use std::fmt;
use std::str::FromStr;

use super::rule::Rule;
use crate::dialog::Edit;
use crate::lint::facts::Location;

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A note; the data is often right.
    Note,
    /// A careful annotator would change the data.
    Warning,
    /// The data cannot be right.
    Error,
}

impl Severity {
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Note];

    /// Returns its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl Severity {
    /// Returns its name in machine-readable output, where a note has always been called `info`.
    pub fn machine_name(self) -> &'static str {
        match self {
            Self::Note => "info",
            Self::Warning | Self::Error => self.name(),
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Severity {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        let is = |s: &Self| s.name() == name || s.machine_name() == name;
        Self::ALL.into_iter().find(is).ok_or(())
    }
}

/// One problem.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    pub rule: &'static Rule,
    /// The selected severity, which may differ from that of the rule.
    pub severity: Severity,
    pub location: Location,
    /// The problem, as a sentence without a full stop that quotes the data in question.
    pub message: String,
    /// Possible fixes, the most likely first.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// Adds a fix that is less likely than those before it. Ignores a fix without edits, or with the
    /// same edits as an earlier one.
    pub fn fix(
        &mut self,
        title: impl Into<String>,
        applicability: Applicability,
        edits: Vec<Edit>,
    ) -> &mut Self {
        let title = title.into();
        if !edits.is_empty() && !self.fixes.iter().any(|fix| fix.edits == edits) {
            self.fixes.push(Fix { title, applicability, edits });
        }
        self
    }

    /// True if `rule` reported this problem.
    pub fn is_of(&self, rule: &Rule) -> bool {
        std::ptr::eq(self.rule, rule)
    }

    /// True for an error or a warning.
    pub fn is_worth_changing(&self) -> bool {
        self.severity > Severity::Note
    }

    /// True if `other` is the same problem, found again after another change.
    pub fn is_same(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    /// Returns the fields that identify a problem across runs.
    pub fn key(&self) -> DiagnosticKey<'_> {
        (self.rule.name, self.location.turn, self.location.segment, &self.message)
    }
}

/// The rule, the turn, the segment and the message of a problem.
pub type DiagnosticKey<'d> = (&'static str, Option<usize>, Option<usize>, &'d str);

/// Whether a fix can be applied without review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Applicability {
    /// A manual fix: the user has to choose it; `turnwise fix` never applies it.
    Display,
    /// Probably right: an unsafe fix.
    Unsafe,
    /// Right whenever the rule is right: a safe fix.
    Safe,
}

impl Applicability {
    pub fn name(self) -> &'static str {
        match self {
            Self::Display => "display",
            Self::Unsafe => "unsafe",
            Self::Safe => "safe",
        }
    }
}

/// Edits that together fix one problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// The change, as a command: "end at 36".
    pub title: String,
    pub applicability: Applicability,
    /// In order: each edit applies to the dialog that the one before produced.
    pub edits: Vec<Edit>,
}
