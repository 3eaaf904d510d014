//! What a rule has found, and what might repair it.

use std::fmt;
use std::str::FromStr;

use super::Rule;
use crate::dialog::{Edit, Extent};

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; often as it should be.
    Info,
    /// A careful annotator would change it.
    Warning,
    /// It cannot be right.
    Error,
}

impl Severity {
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Info];

    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
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
        Self::ALL.into_iter().find(|s| s.name() == name).ok_or(())
    }
}

/// Where in a dialog something is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    /// Position of the turn; None if it is about the dialog as a whole.
    pub turn: Option<usize>,
    /// Position of the segment in the turn, if it is about one.
    pub segment: Option<usize>,
    /// In the text of the dialog. Two extents are always equal, see [`Extent`].
    pub at: Extent,
}

/// One thing that is wrong.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    pub rule: &'static Rule,
    /// As it is selected, which need not be the rule's own.
    pub severity: Severity,
    pub spot: Spot,
    /// What is wrong, in a sentence without a full stop that quotes what it is about.
    pub message: String,
    /// What might repair it, the most likely first.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// Adds a repair that is less likely than those before it.
    pub fn fix(
        &mut self,
        title: impl Into<String>,
        applicability: Applicability,
        edits: Vec<Edit>,
    ) -> &mut Self {
        let title = title.into();
        // Two ways to the same repair are one repair, and nothing to do is none.
        if !edits.is_empty() && !self.fixes.iter().any(|fix| fix.edits == edits) {
            self.fixes.push(Fix {
                title,
                applicability,
                edits,
            });
        }
        self
    }

    /// True if `rule` has found it.
    pub fn is_of(&self, rule: &Rule) -> bool {
        std::ptr::eq(self.rule, rule)
    }

    /// True if it is an error or a warning, which a careful annotator sees to.
    pub fn is_worth_changing(&self) -> bool {
        self.severity > Severity::Info
    }

    /// True if `other` is the same problem, found again after something else was changed.
    pub fn is_same(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    /// What the same problem has in common when it is found again.
    pub fn key(&self) -> Key<'_> {
        (
            self.rule.name,
            self.spot.turn,
            self.spot.segment,
            &self.message,
        )
    }
}

/// The rule, the turn, the segment and the message of a problem.
pub type Key<'d> = (&'static str, Option<usize>, Option<usize>, &'d str);

/// Whether a fix can be taken without being looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Applicability {
    /// For people to look at; never taken for a whole corpus.
    Display,
    /// Probably right.
    Unsafe,
    /// Right wherever the rule is.
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

/// Edits that together repair one problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// What it does, as a command: "end at 36".
    pub title: String,
    pub applicability: Applicability,
    /// In the order in which they are made; each finds the dialog as the one before has left it.
    pub edits: Vec<Edit>,
}
