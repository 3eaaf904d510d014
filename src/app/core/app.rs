//! The state of the program, and what other modules often need to know about it.

use std::collections::HashSet;
use std::sync::Arc;

use crate::app::core::{Effect, Input, Pending, Windows};
use crate::app::input::{Command, Keymap, Scope};
use crate::app::pane::label_colours::LabelOrder;
use crate::app::pane::{Focus, Panes};
use crate::app::settings::Settings;
use crate::app::state::{Judging, Review, SaveBatch, Search, SessionState, Status};
use crate::dialog::{Edit, EditKind};
use crate::format::Family;
use crate::judging::{Kept, Scheme};
use crate::query::NameKind;
use crate::workspace::{DialogId, OpenFile, Workspace};

/// The state of the program.
pub struct App {
    pub workspace: Workspace,
    pub panes: Panes,
    pub windows: Windows,
    pub search: Search,
    pub judging: Judging,
    /// The suggestions and conflicts to review; none unless the user has named a file of them, or opened one with conflicts.
    pub suggestions: Review,
    /// The fixes under review, while their list is open.
    pub fixes: Option<Review>,
    /// The fixes that the user did not want when they were listed; they are not ticked again.
    pub declined: HashSet<(DialogId, Vec<Edit>)>,
    pub saving: SaveBatch,
    pub status: Status,
    pub input: Input,
    pub settings: Settings,
    pub session: SessionState,
    /// The effects that the message at hand has asked for so far, in order.
    pub effects: Vec<Effect>,
}

impl App {
    /// Creates the program before any file is open. `names` are the names of the files to open.
    pub fn new(names: Vec<String>, keymap: Keymap, settings: Settings) -> Self {
        let mut app = Self {
            workspace: Workspace::new(names),
            panes: Panes::default(),
            windows: Windows::default(),
            search: Search::default(),
            judging: Judging::new(settings.annotator.clone()),
            suggestions: Review::default(),
            fixes: None,
            declined: HashSet::new(),
            saving: SaveBatch::default(),
            status: Status::default(),
            input: Input { keymap, pending: Pending::default() },
            settings,
            session: SessionState::default(),
            effects: Vec::new(),
        };
        app.judging.hides_later = app.settings.hide_later;
        app.panes.list.columns = app.settings.list.columns.clone();
        app.order_labels();
        app
    }

    /// Asks for an effect; the shell makes it after the message at hand.
    pub fn request(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Assigns the colours of labels by their order in the corpora, which has changed.
    pub fn order_labels(&mut self) {
        let labels = self.workspace.names.in_order(NameKind::Label);
        let order = LabelOrder::new(labels, self.settings.labels.clone());
        for transcript in self.panes.transcripts_mut() {
            transcript.order_labels(order.clone());
        }
        self.panes.details.stale = true;
    }

    /// Returns the key of a command, as shown; its name in the palette if it has no key.
    pub fn key(&self, command: Command) -> String {
        self.input.keymap.shown(command)
    }

    /// Returns the list under review, or the suggestions to review.
    pub fn review(&self) -> &Review {
        self.fixes.as_ref().unwrap_or(&self.suggestions)
    }

    pub fn review_mut(&mut self) -> &mut Review {
        self.fixes.as_mut().unwrap_or(&mut self.suggestions)
    }

    /// Returns the scopes whose keys work now, the most specific first.
    pub fn scopes(&self) -> &'static [Scope] {
        match &self.windows.open {
            Some(window) => window.scopes(),
            None => self.scopes_under(),
        }
    }

    /// Returns the scopes whose keys work in the panes.
    pub fn scopes_under(&self) -> &'static [Scope] {
        match self.panes.focus {
            Focus::Transcript if self.panes.transcript.caret.is_some() => {
                &[Scope::Span, Scope::Everywhere]
            }
            Focus::Transcript if self.judges() => {
                &[Scope::Judging, Scope::Transcript, Scope::Everywhere]
            }
            pane => pane.scopes(),
        }
    }

    /// True if the format of the open dialog can hold this kind of annotation.
    pub fn holds(&self, about: EditKind) -> bool {
        self.family().is_some_and(|family| family.has().contains(&about))
    }

    /// True if the format of some open file can hold one of these kinds, or if files are still being
    /// read.
    pub fn any_holds(&self, any: &[EditKind]) -> bool {
        let mut files = self.workspace.files.all().iter().filter_map(OpenFile::format);
        self.workspace.files.progress().is_some()
            || files.any(|family| family.has().iter().any(|about| any.contains(about)))
    }

    /// True if the turns of the dialog on the screen can be judged.
    pub fn judges(&self) -> bool {
        self.panes.transcript.at.is_some_and(|at| self.judges_in(at))
    }

    /// True if the turns of a dialog can be judged.
    pub fn judges_in(&self, at: DialogId) -> bool {
        let family = self.workspace.files.format(at);
        family.is_some_and(|f| f.has_votes() || self.judging.on && !f.is_companion())
    }

    /// Returns the scheme whose questions are asked about the dialog on the screen.
    pub fn scheme(&self) -> Option<Arc<Scheme>> {
        self.judges().then(|| self.judging.asks())
    }

    /// True if the answers to the questions asked here are judgements, and neither votes nor gold labels.
    pub fn asks_for_judgements(&self) -> bool {
        let scheme = self.scheme();
        scheme.is_some_and(|scheme| scheme.kept == Kept::Judgements)
    }

    /// True if the file of the dialog on the screen is read-only, or the one with the votes on it while these
    /// are cast.
    pub fn is_read_only(&self) -> bool {
        let Some(at) = self.panes.transcript.at else {
            return false;
        };
        // Each drawing asks this.
        let log = || self.workspace.files.linked_log(at).filter(|_| self.judges());
        self.workspace.files.is_read_only(at.file as usize)
            || log().is_some_and(|log| self.workspace.files.is_read_only(log.file as usize))
    }

    /// Returns the current dialog and turn.
    pub fn place(&self) -> (DialogId, usize) {
        (self.panes.transcript.at.unwrap_or_default(), self.panes.transcript.turn)
    }

    /// Returns the format of the dialog on the screen.
    pub fn family(&self) -> Option<&'static Family> {
        self.workspace.files.format(self.panes.transcript.at?)
    }
}
