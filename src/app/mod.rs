//! The interactive program as a state machine.
//!
//! [`App`] is everything the program knows; [`App::update`] takes a [`Msg`] and answers with
//! [`Effect`]s. Equal states and messages give equal states and effects: nothing here draws, asks a
//! clock or touches a file. Bytes of corpora are read through the trait that `corpus/` reads them
//! with.
//!
//! # Why panes are laid out here
//!
//! Scrolling, the mouse and "keep the cursor visible" need to know how many rows things take. So
//! panes become [`line::Line`]s here, of meaning and not of colour, and the layer above only paints.

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

/// The pane that keys go to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Focus {
    Dialogs,
    #[default]
    Transcript,
    Details,
}

/// What the bottom line says until the next key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    pub text: String,
    /// Something did not work out.
    pub bad: bool,
    /// It was told by the world, and not in answer to a key.
    news: bool,
}

impl Status {
    /// This and, where it says anything, what another says.
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

/// Keys that wait for more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pending {
    /// A number typed before a command.
    pub count: Option<usize>,
    /// Keys typed of a longer sequence.
    pub keys: Vec<key::Key>,
}

/// Everything the program knows.
pub struct App {
    pub size: Size,
    pub files: Files,
    pub list: DialogList,
    pub transcript: Transcript,
    pub details: Details,
    pub focus: Focus,
    /// The pane beside the transcript where there is room for one only.
    pub side: Focus,
    /// The details are shown beside the transcript.
    pub with_details: bool,
    pub overlay: Option<Overlay>,
    pub search: Search,
    /// What was looked for, the last at the end.
    pub searched: Vec<String>,
    pub status: Status,
    /// What was told behind a question, until the next key after that is answered.
    covered: Status,
    pub pending: Pending,
    pub keymap: Keymap,
    pub settings: Settings,
    /// The edits that were made.
    pub steps: UndoStack,
    /// The caret in the current turn; None outside span mode.
    pub span: Option<Caret>,
    /// Moving the caret selects.
    pub selecting: bool,
    pub judging: Judging,
    /// All votes of the open files, once they were asked for.
    pub charts: charts::Charts,
    /// Time since the start, as far as it was told.
    pub now: Duration,
    /// When it was last looked for what other programs have changed.
    looked: Duration,
    /// Names that the corpora use, and labels picked last, newest first.
    pub names: Names,
    pub recent: Vec<String>,
    /// Lists of repairs so far.
    reviews: u64,
    /// What is to be asked as soon as nothing else is open.
    questions: VecDeque<Question>,
    /// The program ends once everything is saved.
    leaving: bool,
    saving: save::SaveBatch,
    /// Where to go as soon as it is read: where the last session ended.
    wanted: Option<Session>,
    /// A button of the mouse is held down that was pressed on what a turn says.
    held: Option<mouse::Drag>,
    arrived: arrivals::Arrivals,
}

impl App {
    /// The program before anything was opened. `names` are those of the files that will be.
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

    /// Where the panes are; None if the screen is too small for any.
    pub fn layout(&self) -> Option<Layout> {
        Layout::new(self.size, self.focus, self.side, self.with_details)
    }

    /// Which keys work now, the most particular first.
    pub fn scopes(&self) -> &'static [Scope] {
        match &self.overlay {
            Some(Overlay::Prompt(_)) => &[Scope::Prompt],
            Some(Overlay::Help(_)) => &[Scope::Help],
            Some(Overlay::Question(_)) => &[Scope::Question],
            Some(Overlay::Review(_)) => &[Scope::Review],
            None => self.scopes_under(),
        }
    }

    /// Which keys work in the panes.
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

    /// True if dialogs of the family that is read may have such things.
    pub fn holds(&self, about: EditKind) -> bool {
        self.family()
            .is_some_and(|family| family.has().contains(&about))
    }

    /// True if dialogs of some open file may have one of these, or that is not known yet.
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

    /// Gives the keys to a pane.
    pub fn focus_on(&mut self, focus: Focus) {
        self.focus = focus;
        if focus != Focus::Transcript {
            self.side = focus;
        }
        if focus == Focus::Details {
            self.with_details = true;
        }
    }

    /// Shows a dialog. The effects look for what belongs to it.
    pub fn open(&mut self, at: DialogId) -> Vec<Effect> {
        if self.transcript.at == Some(at) {
            return Vec::new();
        }
        self.set_caret(None);
        let known = self.files.summary(at).map(|outline| outline.id.clone());
        let read = match self.files.analyse(at) {
            Ok(Some(DialogAnalysis { dialog, found, .. })) => Ok((dialog, found)),
            Ok(None) => Err("the dialog is not there any more".to_owned()),
            Err(error) if self.files.is_outdated(at.file as usize) => Err(format!(
                "the file was changed by another program since it was read, and this dialog is not where \
                 it was ({error}); {} reads the file anew",
                self.keymap.shown(&command::RELOAD)
            )),
            Err(error) => Err(error.to_string()),
        };
        // Whoever cannot read what was there, or reads something else, may find it changed.
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
            let told = format!("the votes in {log} are not shown: this dialog has changed since");
            self.complain(told);
        }
        let id = self.transcript.dialog.id.clone();
        let format = self.files.format(at);
        let log = format.is_some_and(crate::format::Format::has_companions);
        let beside = log.then_some(Effect::Companions { at, id });
        beside.into_iter().chain(look).collect()
    }
}
