//! The interactive program as a state machine.
//!
//! [`App`] holds the whole state; [`App::update`] takes a [`Msg`] and returns [`Effect`]s. Equal
//! states and messages give equal states and effects: nothing here draws, reads a clock or touches a
//! file. The bytes of corpora are read through the trait of `corpus/`.
//!
//! # Why panes are laid out here
//!
//! Scrolling, the mouse and "keep the cursor visible" depend on how many rows things take. So this
//! layer lays panes out as [`line::Line`]s, which carry meaning and not colour; the layer above only
//! draws.

mod adjudicate;
mod annotator_prompt;
mod arrivals;
mod attribution;
mod bulk_fix;
mod changed_on_disk;
mod charts;
pub mod command;
mod command_palette;
mod comment_prompt;
mod cut_segments;
mod deleted_on_disk;
pub mod details;
mod dialog_filter;
mod dialog_picker;
mod discard_edits;
mod external_changes;
mod field;
mod file_picker;
mod fix_picker;
mod fuzzy;
mod help;
pub mod hints;
mod ignoring;
mod items;
mod judging;
pub mod key;
pub mod keymap;
mod label_picker;
mod labels;
pub mod layout;
pub mod line;
pub mod list;
mod locking;
mod lost_fields;
pub mod manual;
mod mouse;
pub mod msg;
mod name_picker;
mod navigate;
mod newer_journal;
mod orphaned;
mod overlay;
mod owner_change;
mod precheck;
mod prefetch;
mod problems;
mod prompt;
mod question;
mod quit;
mod recovery;
mod rename;
mod restore_edits;
mod revert;
mod sample_prompt;
mod save;
mod search;
mod search_prompt;
mod segments;
mod session;
pub mod settings;
mod status;
pub mod transcript;
mod turn_text;
mod undo;
mod update;
mod value_prompt;
mod vote;
mod vote_logs;
mod window;

pub use bulk_fix::{BulkFix, BulkFixScope, PlannedFix, bulk_fixes_in};
pub use field::TextField;
pub use help::Help;
pub use judging::{Blind, Judging};
pub use msg::{EditsToExport, Effect, IgnoresChange, Mouse, MouseAction, Msg};
pub use overlay::Overlay;
pub use prompt::{Digits, Prompt, PromptInput, PromptKind};
pub use question::{Answer, Question, QuestionDetails};
pub use restore_edits::RestoreEdits;
pub use search::Search;
pub use segments::Caret;
pub use session::Session;
pub use status::Status;

use details::Details;
use keymap::{Keymap, Scope};
use layout::Layout;
use list::DialogList;
use settings::Settings;

use std::collections::VecDeque;
use std::time::Duration;

use ratatui::layout::Size;

use crate::dialog::{Dialog, EditKind};
use crate::query::Names;
use crate::workspace::{Charts, DialogAnalysis, DialogId, Files, OpenFile, UndoStack};
use transcript::Transcript;

/// The focused pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Focus {
    Dialogs,
    #[default]
    Transcript,
    Details,
}

/// Keys that wait for the rest of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pending {
    /// The count typed before a command.
    pub count: Option<usize>,
    /// The keys typed so far of a longer sequence.
    pub keys: Vec<key::Key>,
}

/// The state of the program.
pub struct App {
    pub size: Size,
    pub files: Files,
    pub list: DialogList,
    pub transcript: Transcript,
    pub details: Details,
    pub focus: Focus,
    /// The pane beside the transcript where there is room for only one.
    pub side: Focus,
    /// True if the details are shown beside the transcript.
    pub with_details: bool,
    pub overlay: Option<Overlay>,
    pub search: Search,
    /// Earlier searches, newest last.
    pub searched: Vec<String>,
    pub status: Status,
    /// The message that a question covers; shown again after the answer, until the next key.
    covered: Status,
    pub pending: Pending,
    pub keymap: Keymap,
    pub settings: Settings,
    /// The edits made so far.
    pub steps: UndoStack,
    /// The caret in the current turn; None outside span mode.
    pub span: Option<Caret>,
    /// True if moving the caret selects.
    pub selecting: bool,
    pub judging: Judging,
    /// All votes of the open files, once somebody has asked for them.
    pub charts: Charts,
    /// Time since the start, as of the last message.
    pub now: Duration,
    /// The time of the last check for external changes.
    looked: Duration,
    /// Names that the corpora use, and labels picked lately, newest first.
    pub names: Names,
    pub recent: Vec<String>,
    /// Number of bulk-fix lists opened so far.
    reviews: u64,
    /// Questions to ask as soon as nothing else is open.
    questions: VecDeque<Box<dyn Question>>,
    /// True if the program ends once everything is saved.
    leaving: bool,
    saving: save::SaveBatch,
    /// The place of the last session, until its dialog is read.
    wanted: Option<Session>,
    /// The mouse button that was pressed on a turn's text and is still down.
    held: Option<mouse::Drag>,
    arrived: arrivals::Arrivals,
    /// The action that waits for edit locks.
    waiting: locking::WaitingAction,
}

impl App {
    /// Creates the program before any file is open. `names` are the names of the files to open.
    pub fn new(names: Vec<String>, keymap: Keymap, settings: Settings) -> Self {
        Self {
            size: Size::default(),
            files: Files::new(names),
            list: DialogList::default(),
            transcript: Transcript::default(),
            details: Details::default(),
            focus: Focus::default(),
            side: Focus::Dialogs,
            with_details: true,
            overlay: None,
            search: Search::default(),
            searched: Vec::new(),
            status: Status::default(),
            covered: Status::default(),
            pending: Pending::default(),
            keymap,
            steps: UndoStack::default(),
            span: None,
            selecting: false,
            judging: Judging::new(settings.annotator.clone()),
            charts: Charts::default(),
            now: Duration::ZERO,
            looked: Duration::ZERO,
            names: Names::default(),
            recent: Vec::new(),
            settings,
            reviews: 0,
            questions: VecDeque::new(),
            leaving: false,
            saving: save::SaveBatch::default(),
            wanted: None,
            held: None,
            arrived: arrivals::Arrivals::default(),
            waiting: locking::WaitingAction::default(),
        }
    }

    /// Returns the areas of the panes; None if the screen is too small.
    pub fn layout(&self) -> Option<Layout> {
        Layout::new(self.size, self.focus, self.side, self.with_details)
    }

    /// Returns the scopes whose keys work now, the most specific first.
    pub fn scopes(&self) -> &'static [Scope] {
        match &self.overlay {
            Some(Overlay::Prompt(_)) => &[Scope::Prompt],
            Some(Overlay::Help(_)) => &[Scope::Help],
            Some(Overlay::Question(_)) => &[Scope::Question],
            Some(Overlay::Review(_)) => &[Scope::Review],
            None => self.scopes_under(),
        }
    }

    /// Returns the scopes whose keys work in the panes.
    pub fn scopes_under(&self) -> &'static [Scope] {
        match self.focus {
            Focus::Transcript if self.span.is_some() => &[Scope::Span, Scope::Everywhere],
            Focus::Dialogs => &[Scope::Dialogs, Scope::Everywhere],
            Focus::Transcript if self.judges() => {
                &[Scope::Judging, Scope::Transcript, Scope::Everywhere]
            }
            Focus::Transcript => &[Scope::Transcript, Scope::Everywhere],
            Focus::Details => &[Scope::Details, Scope::Everywhere],
        }
    }

    /// True if the format of the open dialog can hold this kind of annotation.
    pub fn holds(&self, about: EditKind) -> bool {
        self.family()
            .is_some_and(|family| family.has().contains(&about))
    }

    /// True if the format of some open file can hold one of these kinds, or if files are still being
    /// read.
    pub fn any_holds(&self, any: &[EditKind]) -> bool {
        let mut files = self.files.all().iter().filter_map(OpenFile::format);
        self.files.progress().is_some()
            || files.any(|family| family.has().iter().any(|about| any.contains(about)))
    }

    /// Focuses a pane.
    pub fn focus_on(&mut self, focus: Focus) {
        self.focus = focus;
        if focus != Focus::Transcript {
            self.side = focus;
        }
        if focus == Focus::Details {
            self.with_details = true;
        }
    }

    /// Opens a dialog. The effects fetch its companion files and check for external changes.
    pub fn open(&mut self, at: DialogId) -> Vec<Effect> {
        if self.transcript.at == Some(at) {
            return Vec::new();
        }
        self.set_caret(None);
        let known = self.files.summary(at).map(|outline| outline.id.clone());
        let read = match self.files.analyse(at) {
            Ok(Some(DialogAnalysis { dialog, found, .. })) => Ok((dialog, found)),
            Ok(None) => Err("the dialog does not exist".to_owned()),
            Err(error) if self.files.is_outdated(at.file as usize) => Err(format!(
                "the file was changed by another program, and this dialog has moved ({error}); {} reloads the file",
                self.keymap.shown(&command::RELOAD)
            )),
            Err(error) => Err(error.to_string()),
        };
        // A dialog that cannot be read, or has another id, hints at an external change.
        let other = |(dialog, _): &(Dialog, _)| known.is_some_and(|id| *id != *dialog.id);
        let look = if read.as_ref().map_or(true, other) {
            Some(self.check_files())
        } else {
            self.check_files_if_due()
        };
        self.transcript.open(at, read, self.search.query.as_ref());
        if self.files.is_unreported(at.file as usize) {
            self.on_file_changed(at.file as usize, false);
        }
        self.list.choose(at);
        self.files.link(at);
        self.sync_judge();
        self.go_to_first_judged();
        self.count_votes();
        if let Some(log) = self.files.stale_log(at) {
            self.complain(format!(
                "votes in {log} are not shown: the dialog has changed since"
            ));
        }
        let id = self.transcript.dialog.id.clone();
        let format = self.files.format(at);
        let log = format.is_some_and(crate::format::Format::has_companions);
        let beside = log.then_some(Effect::Companions { at, id });
        beside.into_iter().chain(look).collect()
    }
}
