//! The prompt that picks the speaker of a turn.

use crate::app::core::{App, Digits, PromptInput, PromptKind, names};
use crate::app::input::Command;
use crate::app::pane::Line;
use crate::dialog::{Edit, Role};
use crate::query::NameKind;
use crate::text::counted;

#[derive(Debug, Default)]
pub struct SpeakerPicker {
    /// The speakers that match, best first, without the one of the turn.
    matching: Vec<String>,
}

impl PromptKind for SpeakerPicker {
    fn is_about_turn(&self) -> bool {
        true
    }

    fn prefix(&self) -> &'static str {
        "speaker "
    }

    fn hint(&self) -> &'static str {
        "type to search, or press a digit"
    }

    fn title(&self, app: &App, _: &PromptInput) -> Option<String> {
        Some(format!("Speaker of turn {}", app.panes.transcript.turn))
    }

    fn digits(&self) -> Digits {
        Digits::Pick
    }

    fn count(&self) -> usize {
        self.matching.len()
    }

    fn choice(&self, app: &App, number: usize, input: &PromptInput) -> Line {
        let digit = (input.is_empty() && number < 9).then_some(number as u8 + 1);
        names::name_choice(app, NameKind::Speaker, &self.matching[number], digit)
    }

    fn changed(&mut self, app: &mut App, input: &mut PromptInput) {
        let mut names = names::matching_names(app, NameKind::Speaker, &input.text());
        let turn = app.panes.transcript.current();
        names.retain(|name| turn.is_none_or(|turn| turn.speaker.name != *name));
        (self.matching, input.chosen) = (names, 0);
    }

    fn edits(&self, app: &mut App, _: &PromptInput) -> Vec<usize> {
        app.file_here()
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        let Some(speaker) = self.matching.get(input.chosen).cloned() else {
            return;
        };
        let is_new = names::is_new(app, NameKind::Speaker, &speaker);
        let turn = app.panes.transcript.turn;
        let says = format!("speaker of turn {turn}: {speaker}");
        let edit = Edit::SetSpeaker { turn, speaker };
        if let Some(why) = is_judged(app, &edit) {
            app.complain(why);
            return;
        }
        if app.edit(&edit, edit.title()) && app.status.is_empty() {
            let undo = app.key(Command::Undo);
            let new = if is_new { ", a new name" } else { "" };
            app.say(format!("{says}{new}; {undo} undoes"));
        }
    }
}

/// Says why a turn cannot become a user's: its votes, which may be in a log beside the corpus.
fn is_judged(app: &App, edit: &Edit) -> Option<String> {
    let mut after = app.panes.transcript.dialog.clone();
    let votes = app.panes.transcript.current()?.votes.len();
    app.family()?.apply(edit, &mut after).ok()?;
    let role = after.turns.get(edit.turn())?.speaker.role;
    let votes = (votes > 0 && role == Role::User).then(|| counted(votes, "vote"))?;
    Some(format!(
        "the turn has {votes}, and nobody judges a user's turn"
    ))
}
