//! The session: the place and the settings of the screen that turnwise restores at the next start.

use serde::{Deserialize, Serialize};

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

impl App {
    /// Returns the session as it is now.
    pub fn session(&self) -> Session {
        let at = self.transcript.at.unwrap_or_default();
        let name = self
            .files
            .get(at.file as usize)
            .map(|file| file.name.clone());
        // Until the last place is restored, keep it.
        let (file, dialog, turn) = match &self.wanted {
            Some(wanted) => (wanted.file.clone(), wanted.dialog, wanted.turn),
            None => (name.unwrap_or_default(), at.dialog, self.transcript.turn),
        };
        Session {
            file,
            dialog,
            turn,
            filter: self.list.filter.clone(),
            sort: self.list.sort,
            focus: self.focus,
            side: Some(self.side),
            with_details: Some(self.with_details),
            details: self.details.tab().name.to_owned(),
            marks: self.transcript.marks,
            folded: self.transcript.folded,
            blind: self.judging.blind == Blind::Yes,
            judging: Some(self.judging.wanted),
            annotator: self.judging.annotator.clone(),
            votes: self.judging.on,
        }
    }

    /// Restores a session; goes to its dialog as soon as that is read.
    pub fn restore(&mut self, session: Session) {
        (self.list.filter, self.list.sort) = (session.filter.clone(), session.sort);
        self.focus = session.focus;
        self.side = session.side.unwrap_or(self.side);
        self.with_details = session.with_details.unwrap_or(self.with_details);
        self.details.show(&session.details);
        self.transcript.marks = session.marks;
        self.transcript.folded = session.folded;
        if session.blind && self.judging.blind == Blind::No {
            self.judging.blind = Blind::Yes;
        }
        self.judging.on |= session.votes;
        if session.annotator == self.judging.annotator {
            self.judging.wanted = session.judging.unwrap_or_default();
        }
        if !session.filter.is_empty() {
            let key = self.keymap.key_of(&command::FILTER, self.scopes_under());
            let key = key.unwrap_or_else(|| format!(":{}", command::FILTER.name));
            let cancel = self.keymap.shown(&command::CANCEL);
            self.say(format!(
                "showing dialogs whose id contains {}, as when you left; {key} {cancel} shows all",
                session.filter
            ));
        }
        self.wanted = Some(session);
    }

    /// Goes to the place of the last session, once its dialog is read.
    pub(super) fn go_to_session_place(&mut self) -> Vec<Effect> {
        let Some(session) = &self.wanted else {
            return Vec::new();
        };
        let all = self.files.all();
        let file = all.iter().position(|file| file.name == session.file);
        let at = file.map(|file| DialogId::new(file, session.dialog as usize));
        let turn = session.turn;
        match at.filter(|at| self.files.has_dialog(*at)) {
            Some(at) => {
                self.wanted = None;
                self.go_to(at, turn, None)
            }
            None => {
                if self.files.progress().is_none() {
                    // The dialog does not exist.
                    self.wanted = None;
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
