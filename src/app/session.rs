//! The session: the place and the settings of the screen that turnwise restores at the next start.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::arrivals::Arrivals;
use super::command;
use super::list::SortOrder;
use super::transcript::MarkDisplay;
use super::{App, Blind, Effect, Focus};
use crate::workspace::{DialogId, QueueKind};

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
    pub focus: Focus,
    pub side: Option<Focus>,
    pub with_details: Option<bool>,
    pub details: String,
    pub marks: MarkDisplay,
    pub folded: bool,
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
    pub(super) looked: Duration,
    /// The place of the last session, until its dialog is read.
    pub(super) wanted: Option<Session>,
    pub(super) arrived: Arrivals,
    /// Labels picked lately, newest first.
    pub recent: Vec<String>,
    /// Earlier searches, newest last.
    pub searched: Vec<String>,
    /// True if the program ends once everything is saved.
    pub(super) leaving: bool,
}

impl App {
    /// Returns the session as it is now.
    pub fn session(&self) -> Session {
        let at = self.panes.transcript.at.unwrap_or_default();
        let name = self
            .workspace
            .files
            .get(at.file as usize)
            .map(|file| file.name.clone());
        // Until the last place is restored, keep it.
        let (file, dialog, turn) = match &self.session.wanted {
            Some(wanted) => (wanted.file.clone(), wanted.dialog, wanted.turn),
            None => (
                name.unwrap_or_default(),
                at.dialog,
                self.panes.transcript.turn,
            ),
        };
        Session {
            file,
            dialog,
            turn,
            filter: self.panes.list.filter.clone(),
            sort: self.panes.list.sort,
            focus: self.panes.focus,
            side: Some(self.panes.side),
            with_details: Some(self.panes.with_details),
            details: self.panes.details.tab().name.to_owned(),
            marks: self.panes.transcript.marks,
            folded: self.panes.transcript.folded,
            blind: self.judging.blind == Blind::Yes,
            judging: Some(self.judging.wanted),
            annotator: self.judging.annotator.clone(),
            votes: self.judging.on,
        }
    }

    /// Restores a session; goes to its dialog as soon as that is read.
    pub fn restore(&mut self, session: Session) {
        (self.panes.list.filter, self.panes.list.sort) = (session.filter.clone(), session.sort);
        self.panes.focus = session.focus;
        self.panes.side = session.side.unwrap_or(self.panes.side);
        self.panes.with_details = session.with_details.unwrap_or(self.panes.with_details);
        self.panes.details.show(&session.details);
        self.panes.transcript.marks = session.marks;
        self.panes.transcript.folded = session.folded;
        if session.blind && self.judging.blind == Blind::No {
            self.judging.blind = Blind::Yes;
        }
        self.judging.on |= session.votes;
        if session.annotator == self.judging.annotator {
            self.judging.wanted = session.judging.unwrap_or_default();
        }
        if !session.filter.is_empty() {
            let key = self
                .input
                .keymap
                .key_of(&command::FILTER, self.scopes_under());
            let key = key.unwrap_or_else(|| format!(":{}", command::FILTER.name));
            let cancel = self.input.keymap.shown(&command::CANCEL);
            self.say(format!(
                "showing dialogs whose id contains {}, as when you left; {key} {cancel} shows all",
                session.filter
            ));
        }
        self.session.wanted = Some(session);
    }

    /// Goes to the place of the last session, once its dialog is read.
    pub(super) fn go_to_session_place(&mut self) -> Vec<Effect> {
        let Some(session) = &self.session.wanted else {
            return Vec::new();
        };
        let all = self.workspace.files.all();
        let file = all.iter().position(|file| file.name == session.file);
        let at = file.map(|file| DialogId::new(file, session.dialog as usize));
        let turn = session.turn;
        match at.filter(|at| self.workspace.files.has_dialog(*at)) {
            Some(at) => {
                self.session.wanted = None;
                self.go_to(at, turn, None)
            }
            None => {
                if self.workspace.files.progress().is_none() {
                    // The dialog does not exist.
                    self.session.wanted = None;
                }
                Vec::new()
            }
        }
    }
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
