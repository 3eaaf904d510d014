//! The edits that are saved without a key.

use serde::{Deserialize, Serialize};

/// The edits to save while nobody types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Autosave {
    /// Votes and gold labels, a moment after they are cast, so that colleagues and `turnwise votes` see them.
    #[default]
    Votes,
    /// Nothing.
    Off,
}
