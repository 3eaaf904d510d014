//! The session of a corpus, and the state of this run of the program.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::app::input::Command;
use crate::app::pane::transcript::{Folding, MarkDisplay};
use crate::app::pane::{Focus, SortOrder};
use crate::app::state::Jumps;
use crate::workspace::{DialogId, PastSteps, QueueKind};

/// A place in a corpus, and what is judged there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionPlace {
    /// Name of the file of the open dialog; empty for the beginning.
    pub file: String,
    /// Position of the dialog in it.
    pub dialog: u32,
    pub turn: usize,
    /// The queue.
    pub judging: Option<QueueKind>,
    /// True if dialogs are judged whose format has no votes.
    pub votes: bool,
    /// True if others' votes are hidden until the annotator has judged.
    pub blind: bool,
    /// True if what follows the current turn is hidden; None to do as the settings say.
    pub hides_later: Option<bool>,
}

/// A turn to find again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Bookmark {
    /// Name of the file.
    pub file: String,
    /// Position of the dialog in it.
    pub dialog: u32,
    /// The dialog's id; empty if it has none.
    pub id: String,
    pub turn: usize,
    /// The beginning of the turn's text.
    pub text: String,
}

impl Bookmark {
    /// True if it is in the dialog with this id, or of this position if the dialog has no id.
    pub fn is_of(&self, id: &str, dialog: u32) -> bool {
        self.id == id && (!id.is_empty() || self.dialog == dialog)
    }

    /// True if both are at one turn.
    pub fn is_at(&self, other: &Self) -> bool {
        self.file == other.file && self.turn == other.turn && self.is_of(&other.id, other.dialog)
    }
}

/// The session of a corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    /// The place of `annotator`, and what they judge there.
    #[serde(flatten)]
    pub place: SessionPlace,
    pub filter: String,
    pub sort: SortOrder,
    /// The order of the list is reversed.
    pub backwards: bool,
    pub side: Option<Focus>,
    pub with_details: Option<bool>,
    pub details: String,
    pub marks: MarkDisplay,
    pub folding: Folding,
    /// The annotator who left the session.
    pub annotator: String,
    /// The bookmarks, in the order in which they were set.
    pub bookmarks: Vec<Bookmark>,
}

/// The state of this run of the program that belongs to no pane.
#[derive(Debug, Default)]
pub struct SessionState {
    /// Time since the start, as of the last message.
    pub now: Duration,
    /// The seconds since 1970, as of then; None if unknown.
    pub utc: Option<u64>,
    pub on_screen: OnScreen,
    /// The time of the last check for external changes.
    pub looked: Duration,
    /// The place of the last session, until its dialog is read.
    pub wanted: Option<Session>,
    /// The user has pressed a key, or the place of the last session is restored for somebody who goes on there.
    pub placed: bool,
    /// Columns of the list that no dialog has are reported.
    pub checked_columns: bool,
    pub bookmarks: Vec<Bookmark>,
    /// The way back to places that the user has left.
    pub jumps: Jumps,
    /// The command that ran during the current message.
    pub ran: Option<Command>,
    pub arrived: Arrivals,
    pub changed: Changed,
    /// Labels picked lately, newest first.
    pub recent: Vec<String>,
    /// The digits that labels have had.
    pub digits: LabelDigits,
    /// Reasons given to ignore problems, newest first.
    pub reasons: Vec<String>,
    /// The names of commands run from the palette, newest first.
    pub used: Vec<Command>,
    /// Earlier searches, newest last.
    pub searched: Vec<String>,
    /// The text of the prompt that was cancelled last.
    pub draft: Option<Draft>,
    /// The number of the first step that was redone in this run.
    pub redone: Option<usize>,
    /// Why settings, a scheme or another file that belongs to the corpus cannot be used in this run.
    pub unusable: Vec<String>,
    /// True if the program ends once everything is saved.
    pub leaving: bool,
}

/// Since when a dialog and a turn of it are on the screen, as times since the start.
#[derive(Clone, Copy, Debug, Default)]
pub struct OnScreen {
    place: (DialogId, usize),
    dialog: Duration,
    turn: Duration,
}

/// The longest time that an answer takes; who took longer did something else.
const LONGEST: Duration = Duration::from_mins(10);

impl OnScreen {
    /// Takes note of the place that is on the screen.
    pub fn see(&mut self, place: (DialogId, usize), now: Duration) {
        if self.place.0 != place.0 {
            self.dialog = now;
        }
        if self.place != place {
            self.turn = now;
        }
        self.place = place;
    }

    /// Returns the seconds that an answer took: since its turn, or its dialog if it is about that, is on the screen, or
    /// since the answer before it there. None if that is too long to tell anything.
    pub fn seconds(&mut self, is_of_dialog: bool, now: Duration) -> Option<u32> {
        let since = if is_of_dialog { self.dialog } else { self.turn };
        (self.dialog, self.turn) = (now, now);
        let taken = now.saturating_sub(since);
        (taken <= LONGEST).then_some(taken.as_secs() as u32)
    }
}

/// The labels that digits pick.
#[derive(Debug, Default)]
pub struct LabelDigits {
    /// The file in which they were used last.
    pub file: Option<u32>,
    /// The labels of the digits from 1.
    pub labels: [Option<String>; 9],
}

/// The prompt of a text of several lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftAbout {
    /// The title of its prompt.
    pub title: String,
    /// The dialog and the turn.
    pub place: (DialogId, usize),
    /// The text before the user changed it.
    pub text: String,
}

/// A text of several lines whose prompt the user cancelled; the same prompt begins with it again.
#[derive(Clone, Debug)]
pub struct Draft {
    pub about: DraftAbout,
    pub text: String,
}

/// The changes of the current message. Everything that depends on them is brought up to date after the
/// message, so that features need not know each other.
#[derive(Debug, Default)]
pub struct Changed {
    /// The dialog on the screen, its votes or its problems.
    pub dialog: bool,
    /// The text or the votes of whole files.
    pub files: bool,
    /// A file that was read again.
    pub reread: Option<usize>,
    /// Unsaved edits from the last run are restored.
    pub restored: bool,
    /// A file that cannot be edited before the user has decided about its unsaved edits.
    pub undecided: Option<usize>,
    /// A file of which an edit was refused, perhaps because another program has changed it.
    pub refused: Option<usize>,
}

/// Results that arrived since the panes were last laid out.
#[derive(Debug, Default)]
pub struct Arrivals {
    /// More dialogs of some file are known.
    pub dialogs: bool,
    /// Dialog summaries arrived.
    pub summaries: bool,
    /// Edit histories of earlier runs.
    pub pasts: Vec<PastSteps>,
}
