//! A slot of the dialogue state that is changed in one turn and has the same value in later ones, as where each
//! state repeats the one before: offers to change it there, too.

use crate::app::core::{Answer, App, Question};
use crate::app::input::Command;
use crate::dialog::{Content, Edit, Turn};
use crate::format::Family;
use crate::text::counted;
use crate::workspace::Grouping;

/// The same edit in each of the later turns.
#[derive(Debug)]
struct LaterStates {
    slot: String,
    edits: Vec<Edit>,
}

/// Returns the same edit for each of the later turns, up to the first one that has another value; none if
/// it is not about the state, or if states of this format do not repeat each other.
pub fn in_later_turns(app: &App, edit: &Edit) -> Vec<Edit> {
    let turns = &app.panes.transcript.dialog.turns;
    let repeats = app.family().is_some_and(Family::keeps_state);
    let (Some(slot), Some(turn)) = (slot(edit).filter(|_| repeats), turns.get(edit.turn())) else {
        return Vec::new();
    };
    let before = values(turn, slot);
    let later = turns.iter().enumerate().skip(edit.turn() + 1);
    let later = later.filter(|(_, turn)| turn.state.is_some());
    let same = later.take_while(|(_, turn)| !before.is_empty() && values(turn, slot) == before);
    same.map(|(turn, _)| edit.clone().at_turn(turn)).collect()
}

/// Asks whether to make the edits, too.
pub fn offer(app: &mut App, edits: Vec<Edit>) {
    if let Some(slot) = edits.first().and_then(slot) {
        let slot = slot.to_owned();
        app.ask_once(LaterStates { slot, edits });
    }
}

fn slot(edit: &Edit) -> Option<&str> {
    match edit {
        Edit::SetState { slot, .. }
        | Edit::RenameState { slot, .. }
        | Edit::RemoveState { slot, .. } => Some(slot),
        _ => None,
    }
}

fn values<'t>(turn: &'t Turn, slot: &str) -> Vec<&'t Content> {
    let slots = turn.state.iter().flatten();
    let named = slots.filter(|other| other.slot == slot);
    named.map(|other| &other.value).collect()
}

impl Question for LaterStates {
    fn text(&self, _: &App) -> String {
        let turns = counted(self.edits.len(), "later turn");
        format!("{turns} already had this value for {}", self.slot)
    }

    fn answers(&self, _: &App) -> Vec<(Answer, &'static str)> {
        vec![(Answer::Yes, "change it there, too"), (Answer::Later, "only in this turn")]
    }

    fn answer(self: Box<Self>, app: &mut App, answer: Answer) {
        if answer != Answer::Yes {
            return;
        }
        if app.make(&self.edits, &Edit::title, Grouping::Joined) {
            let turns = counted(self.edits.len(), "later turn");
            let undo = app.key(Command::Undo);
            app.say(format!("also changed in {turns}; {undo} undoes all"));
        }
    }
}
