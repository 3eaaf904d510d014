//! When a blind annotator sees the votes of others.

use serde::{Deserialize, Serialize};

/// The moment at which blind mode shows others' votes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reveal {
    /// Once the annotator has judged the turn.
    #[default]
    Turn,
    /// Once the annotator has judged all system turns of the dialog.
    Dialog,
    /// Not while blind mode is on.
    Never,
}

impl Reveal {
    /// Returns the condition under which votes are shown, to follow "votes are hidden"; begins with a space
    /// unless it is empty.
    pub fn until(self) -> &'static str {
        match self {
            Self::Turn => " until you have judged",
            Self::Dialog => " until you have judged the dialog",
            Self::Never => "",
        }
    }
}
