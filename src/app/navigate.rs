//! Going to a dialog.

use super::{App, Effect};
use crate::workspace::{DialogId, LoadState};

impl App {
    /// Opens a dialog and selects it in the list; clears the list's filter if that hides it.
    pub(super) fn open_from_list(&mut self, at: DialogId) -> Vec<Effect> {
        let effects = self.open(at);
        if !self.panes.list.choose(at) && !self.panes.list.filter.is_empty() {
            self.panes.list.dropped = Some(std::mem::take(&mut self.panes.list.filter));
            self.panes.list.rebuild(&self.workspace.files);
            self.panes.list.choose(at);
        }
        effects
    }

    /// Opens the dialog selected in the list.
    pub fn open_chosen(&mut self) -> Vec<Effect> {
        match self.panes.list.chosen() {
            Some(at) => self.open(at),
            None => Vec::new(),
        }
    }

    /// Opens a dialog at a turn.
    pub fn go_to(&mut self, at: DialogId, turn: usize, segment: Option<usize>) -> Vec<Effect> {
        let effects = self.open(at);
        self.panes.transcript.go(turn);
        self.panes.transcript.choose(segment);
        effects
    }

    /// Opens the first dialog of a file, or reports why there is none.
    pub(super) fn go_to_file(&mut self, file: usize) -> Vec<Effect> {
        let Some(open) = self.workspace.files.get(file) else {
            return Vec::new();
        };
        let name = &open.name;
        let why = match &open.state {
            LoadState::Failed(reason) => format!("{name} cannot be read: {reason}"),
            LoadState::Ontology(what) => format!("{name} is a {what} and holds no dialogs"),
            _ if open.dialogs() == 0 => format!("no dialog of {name} has been read yet"),
            _ => {
                let effects = self.open_from_list(DialogId::first_of(file));
                if let Some(why) = self.workspace.files.broken(file) {
                    self.complain(why);
                }
                return effects;
            }
        };
        self.complain(why);
        Vec::new()
    }
}
