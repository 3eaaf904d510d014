//! The prompt that picks the speaker of a turn, or of a new one.

use crate::app::core::{App, Digits, PromptInput, PromptKind, names};
use crate::app::feature::editing::whole_turns::{NewTurnText, after_which};
use crate::app::input::Command;
use crate::app::pane::Line;
use crate::dialog::{Edit, Role};
use crate::query::NameKind;
use crate::text::counted;

#[derive(Debug, Default)]
pub struct SpeakerPicker {
    /// True if they say a new turn.
    of_new: bool,
    /// The speakers that match, best first: without the one of the turn, who in a new one is the last.
    matching: Vec<String>,
}

impl SpeakerPicker {
    /// Returns the prompt for the speaker of a new turn, whose text is asked for next.
    pub fn of_new_turn() -> Self {
        Self { of_new: true, ..Self::default() }
    }
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
        let turn = app.panes.transcript.turn;
        Some(if self.of_new {
            format!("Speaker of a new turn{}", after_which(app))
        } else {
            format!("Speaker of turn {turn}")
        })
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
        let is_own = |name: &String| turn.is_some_and(|turn| turn.speaker.name == *name);
        if self.of_new {
            names.sort_by_key(is_own);
        } else {
            names.retain(|name| !is_own(name));
        }
        (self.matching, input.chosen) = (names, 0);
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        let Some(speaker) = self.matching.get(input.chosen).cloned() else {
            return;
        };
        if self.of_new {
            return app.ask(NewTurnText { speaker }, "");
        }
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
    Some(format!("the turn has {votes}, and nobody judges a user's turn"))
}
