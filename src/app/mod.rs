//! The interactive program as a state machine.
//!
//! [`App`] holds the program's state; [`App::update`] takes a [`Msg`] and returns [`Effect`]s.
//! Equal states and messages give equal results: nothing here draws, reads a clock or opens a file.
//! Bytes of corpora come through the [`crate::corpus::Source`] trait.
//!
//! # Why panes are laid out here
//!
//! Scrolling, the mouse and keeping the cursor visible depend on how many rows things take. So
//! panes become [`line::Line`]s here, which carry meanings rather than colours, and the layer above
//! draws them.

mod adjudicate;
mod arrivals;
mod attribution;
mod bulk_fix;
pub mod charts;
pub mod command;
pub mod details;
mod edit_lock;
mod external_changes;
mod field;
pub mod files;
mod fuzzy;
mod help;
pub mod hints;
mod ignoring;
mod items;
mod journal_entry;
mod judging;
pub mod key;
pub mod keymap;
mod labels;
pub mod layout;
pub mod line;
pub mod list;
mod lost_fields;
pub mod manual;
mod mouse;
pub mod msg;
mod navigate;
mod orphaned;
mod overlay;
mod picker;
mod precheck;
mod prefetch;
mod problems;
mod prompt;
mod prompt_kind;
mod queue;
mod recovery;
mod rename;
mod revert;
mod save;
mod search;
mod segments;
mod session;
pub mod settings;
pub mod transcript;
mod undo;
mod update;
mod vote;
mod vote_logs;
mod window;

pub use bulk_fix::{BulkFix, BulkFixScope, PlannedFix, bulk_fixes_in};
pub use edit_lock::{LockOutcome, LockProvider, VoteLogLock};
pub use field::TextField;
pub use help::Help;
pub use journal_entry::{EditHistory, JournalEntry, JournaledEdit};
pub use judging::{Blind, Judging};
pub use msg::{Bytes, DialogId, EditsToExport, Effect, IgnoresChange, Mouse, MouseAction, Msg};
pub use overlay::{Overlay, Question, QuestionDetails};
pub use problems::{LintContext, LintResult, worth_changing};
pub use prompt::{LabelUse, NameUse, Prompt, PromptChoice, PromptKind, PromptTarget};
pub use queue::{QueueItem, QueueKind, in_order, to_judge};
pub use search::Search;
pub use segments::Caret;
pub use session::Session;
pub use undo::{Grouping, UndoStack, UndoStep};

use details::Details;
use files::{DialogAnalysis, Files, OpenFile};
use keymap::{Keymap, Scope};
use layout::{Layout, Size};
use list::DialogList;
use settings::Settings;

use std::collections::VecDeque;
use std::time::Duration;

use crate::dialog::{Dialog, EditKind};
use crate::query::Names;
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

/// The status line's message, until the next key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    pub text: String,
    /// It reports a failure.
    pub bad: bool,
    /// It came from a background job, not in reply to a key.
    news: bool,
}

impl Status {
    /// Returns this message followed by another, leaving out empty ones.
    fn beside(&self, other: &Self) -> Self {
        let both = [&self.text, &other.text].map(String::as_str);
        let said: Vec<_> = both.into_iter().filter(|text| !text.is_empty()).collect();
        Self {
            text: said.join(" · "),
            bad: self.bad || other.bad,
            news: self.news || other.news,
        }
    }
}

/// Keys pressed so far of a longer input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pending {
    /// Count typed before a command.
    pub count: Option<usize>,
    /// First keys of a longer sequence.
    pub keys: Vec<key::Key>,
}

/// The program's state.
pub struct App {
    pub size: Size,
    pub files: Files,
    pub list: DialogList,
    pub transcript: Transcript,
    pub details: Details,
    pub focus: Focus,
    /// The pane beside the transcript where only one fits.
    pub side: Focus,
    /// Shows the details beside the transcript.
    pub with_details: bool,
    pub overlay: Option<Overlay>,
    pub search: Search,
    /// Previous searches, the last at the end.
    pub searched: Vec<String>,
    pub status: Status,
    /// Message that came while a question was open; shown until the next key after the answer.
    covered: Status,
    pub pending: Pending,
    pub keymap: Keymap,
    pub settings: Settings,
    /// The edits of this run and earlier ones.
    pub steps: UndoStack,
    /// The caret in the current turn; None outside span mode.
    pub span: Option<Caret>,
    /// Moving the caret extends the selection.
    pub selecting: bool,
    pub judging: Judging,
    /// Charts of the votes in all open files, once requested.
    pub charts: charts::Charts,
    /// Time since the start, as of the last message.
    pub now: Duration,
    /// Time of the last check for external changes.
    looked: Duration,
    /// Names in use in the corpora; recently picked labels, newest first.
    pub names: Names,
    pub recent: Vec<String>,
    /// Number of bulk fixes so far.
    reviews: u64,
    /// Questions to ask as soon as nothing else is open.
    questions: VecDeque<Question>,
    /// Quit once everything is saved.
    leaving: bool,
    saving: save::SaveBatch,
    /// Where the last session ended; to go to once it is read.
    wanted: Option<Session>,
    /// Mouse button held down since a press on the text of a turn.
    held: Option<mouse::Drag>,
    arrived: arrivals::Arrivals,
}

impl App {
    /// Returns the program before any file is open. `names` are those of the files to open.
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
            charts: charts::Charts::default(),
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
        }
    }

    /// Returns the layout of the panes; None if the screen is too small.
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

    /// Returns the scopes of the focused pane.
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

    /// Returns true if the format of the current dialog can hold such items.
    pub fn holds(&self, about: EditKind) -> bool {
        self.family()
            .is_some_and(|family| family.has().contains(&about))
    }

    /// Returns true if the format of some open file can hold one of these, or is not known yet.
    pub fn any_holds(&self, any: &[EditKind]) -> bool {
        let mut files = self.files.all().iter().filter_map(OpenFile::format);
        self.files.progress().is_some()
            || files.any(|family| family.has().iter().any(|about| any.contains(about)))
    }

    pub fn say(&mut self, text: impl Into<String>) {
        self.status = Status {
            text: text.into(),
            bad: false,
            news: false,
        };
    }

    pub fn complain(&mut self, text: impl Into<String>) {
        self.status = Status {
            text: text.into(),
            bad: true,
            news: false,
        };
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

    /// Shows a dialog. The effects load its companions.
    pub fn open(&mut self, at: DialogId) -> Vec<Effect> {
        if self.transcript.at == Some(at) {
            return Vec::new();
        }
        self.set_caret(None);
        let known = self.files.summary(at).map(|outline| outline.id.clone());
        let read = match self.files.analyse(at) {
            Ok(Some(DialogAnalysis { dialog, found, .. })) => Ok((dialog, found)),
            Ok(None) => Err("this dialog no longer exists".to_owned()),
            Err(error) if self.files.is_outdated(at.file as usize) => Err(format!(
                "the file was changed by another program, and this dialog is not where it was \
                ({error}); {} reloads the file",
                self.keymap.shown(&command::RELOAD)
            )),
            Err(error) => Err(error.to_string()),
        };
        // An unreadable or different dialog hints that the file has changed.
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
            let hidden = format!("the votes in {log} are not shown: this dialog has changed since");
            self.complain(hidden);
        }
        let id = self.transcript.dialog.id.clone();
        let format = self.files.format(at);
        let log = format.is_some_and(crate::format::Format::has_companions);
        let beside = log.then_some(Effect::Companions { at, id });
        beside.into_iter().chain(look).collect()
    }
}
