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
mod input;
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
mod panes;
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
pub use input::{Input, Pending};
pub use judging::{Blind, Judging};
pub use msg::{EditsToExport, Effect, IgnoresChange, Mouse, MouseAction, Msg};
pub use overlay::{Overlay, Overlays};
pub use panes::{Focus, Panes};
pub use prompt::{Digits, Prompt, PromptInput, PromptKind};
pub use question::{Answer, Question, QuestionDetails};
pub use restore_edits::RestoreEdits;
pub use search::Search;
pub use segments::Caret;
pub use session::{Session, SessionState};
pub use status::Status;

use keymap::{Keymap, Scope};
use layout::Layout;
use settings::Settings;

use crate::dialog::{Dialog, EditKind};
use crate::workspace::{DialogAnalysis, DialogId, OpenFile, Workspace};

/// The state of the program.
pub struct App {
    pub workspace: Workspace,
    pub panes: Panes,
    pub overlay: Overlays,
    pub search: Search,
    pub judging: Judging,
    saving: save::SaveBatch,
    pub status: Status,
    pub input: Input,
    pub settings: Settings,
    pub session: SessionState,
}

impl App {
    /// Creates the program before any file is open. `names` are the names of the files to open.
    pub fn new(names: Vec<String>, keymap: Keymap, settings: Settings) -> Self {
        Self {
            workspace: Workspace::new(names),
            panes: Panes::default(),
            overlay: Overlays::default(),
            search: Search::default(),
            judging: Judging::new(settings.annotator.clone()),
            saving: save::SaveBatch::default(),
            status: Status::default(),
            input: Input::new(keymap),
            settings,
            session: SessionState::default(),
        }
    }

    /// Returns the areas of the panes; None if the screen is too small.
    pub fn layout(&self) -> Option<Layout> {
        self.panes.layout()
    }

    /// Returns the scopes whose keys work now, the most specific first.
    pub fn scopes(&self) -> &'static [Scope] {
        match &self.overlay.open {
            Some(Overlay::Prompt(_)) => &[Scope::Prompt],
            Some(Overlay::Help(_)) => &[Scope::Help],
            Some(Overlay::Question(_)) => &[Scope::Question],
            Some(Overlay::Review(_)) => &[Scope::Review],
            None => self.scopes_under(),
        }
    }

    /// Returns the scopes whose keys work in the panes.
    pub fn scopes_under(&self) -> &'static [Scope] {
        match self.panes.focus {
            Focus::Transcript if self.panes.transcript.caret.is_some() => {
                &[Scope::Span, Scope::Everywhere]
            }
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
        let mut files = self
            .workspace
            .files
            .all()
            .iter()
            .filter_map(OpenFile::format);
        self.workspace.files.progress().is_some()
            || files.any(|family| family.has().iter().any(|about| any.contains(about)))
    }

    /// Opens a dialog. The effects fetch its companion files and check for external changes.
    pub fn open(&mut self, at: DialogId) -> Vec<Effect> {
        if self.panes.transcript.at == Some(at) {
            return Vec::new();
        }
        self.set_caret(None);
        let known = self
            .workspace
            .files
            .summary(at)
            .map(|outline| outline.id.clone());
        let read = match self.workspace.files.analyse(at) {
            Ok(Some(DialogAnalysis { dialog, found, .. })) => Ok((dialog, found)),
            Ok(None) => Err("the dialog does not exist".to_owned()),
            Err(error) if self.workspace.files.is_outdated(at.file as usize) => Err(format!(
                "the file was changed by another program, and this dialog has moved ({error}); {} reloads the file",
                self.input.keymap.shown(&command::RELOAD)
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
        self.panes
            .transcript
            .open(at, read, self.search.query.as_ref());
        if self.workspace.files.is_unreported(at.file as usize) {
            self.on_file_changed(at.file as usize, false);
        }
        self.panes.list.choose(at);
        self.workspace.files.link(at);
        self.sync_judge();
        self.go_to_first_judged();
        self.count_votes();
        if let Some(log) = self.workspace.files.stale_log(at) {
            self.complain(format!(
                "votes in {log} are not shown: the dialog has changed since"
            ));
        }
        let id = self.panes.transcript.dialog.id.clone();
        let format = self.workspace.files.format(at);
        let log = format.is_some_and(crate::format::Format::has_companions);
        let beside = log.then_some(Effect::Companions { at, id });
        beside.into_iter().chain(look).collect()
    }
}
