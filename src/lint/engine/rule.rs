//! One rule, the problems that it reports, and their possible fixes.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::dialog::Edit;
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
pub(crate) use rules;

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
    #[must_use]
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

impl Serialize for Severity {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.machine_name())
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
    /// Returns its name for people.
    pub fn shown(self) -> &'static str {
        match self {
            Self::Display => "manual",
            Self::Unsafe | Self::Safe => self.name(),
        }
    }

    /// Returns its name in the findings that programs read.
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
