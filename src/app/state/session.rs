//! The session of a corpus, and the state of this run of the program.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::app::pane::transcript::{Folding, MarkDisplay};
use crate::app::pane::{Focus, SortOrder};
use crate::workspace::{QueueKind, UndoStep};

/// The session of a corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    /// Name of the file of the open dialog.
    pub file: String,
    /// Position of the dialog in it.
    pub dialog: u32,
    pub turn: usize,
    pub filter: String,
    pub sort: SortOrder,
    pub side: Option<Focus>,
    pub with_details: Option<bool>,
    pub details: String,
    pub marks: MarkDisplay,
    pub folding: Folding,
    /// True if others' votes are hidden until the annotator has judged.
    pub blind: bool,
    pub judging: Option<QueueKind>,
    /// The annotator; another one starts with the queue of all turns.
    pub annotator: String,
    /// True if dialogs are judged whose format has no votes.
    pub votes: bool,
}

/// The state of this run of the program that belongs to no pane.
#[derive(Debug, Default)]
pub struct SessionState {
    /// Time since the start, as of the last message.
    pub now: Duration,
    /// The time of the last check for external changes.
    pub looked: Duration,
    /// The place of the last session, until its dialog is read.
    pub wanted: Option<Session>,
    pub arrived: Arrivals,
    pub changed: Changed,
    /// Labels picked lately, newest first.
    pub recent: Vec<String>,
    /// Reasons given to ignore problems, newest first.
    pub reasons: Vec<String>,
    /// Earlier searches, newest last.
    pub searched: Vec<String>,
    /// True if the program ends once everything is saved.
    pub leaving: bool,
}

/// The changes of the current message. Everything that depends on them is brought up to date after the
/// message, so that features need not know each other.
#[derive(Debug, Default)]
pub struct Changed {
    /// The dialog on the screen, its votes or its problems.
    pub dialog: bool,
    /// The text or the votes of whole files.
    pub files: bool,
    /// Unsaved edits from the last run are restored.
    pub restored: bool,
    /// A file that cannot be edited before the user has decided about its unsaved edits.
    pub undecided: Option<usize>,
}

/// Results that arrived since the panes were last laid out.
#[derive(Debug, Default)]
pub struct Arrivals {
    /// More dialogs of some file are known.
    pub dialogs: bool,
    /// Dialog summaries arrived.
    pub summaries: bool,
    /// Edit histories of earlier runs: the file, its steps, and how many of those are applied.
    pub pasts: Vec<(usize, Vec<UndoStep>, usize)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_round_trip() {
        let session = Session {
            file: "a.json".to_owned(),
            dialog: 3,
            sort: SortOrder::Turns,
            ..Session::default()
        };
        let text = toml::to_string(&session).expect("TOML");
        assert_eq!(toml::from_str::<Session>(&text), Ok(session));
        assert_eq!(toml::from_str::<Session>(""), Ok(Session::default()));
    }
}
