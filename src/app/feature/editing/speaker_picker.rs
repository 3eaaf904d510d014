//! The prompt that picks the speaker of a turn, or of a new one.

use crate::app::core::{App, Digits, Picker, names};
use crate::app::feature::editing::whole_turns::{after_which, ask_for_text};
use crate::app::input::Command;
use crate::dialog::{Edit, Role};
use crate::query::NameKind;
use crate::text::counted;

/// Asks for the speaker of the current turn.
pub fn ask_for_speaker(app: &mut App) {
    let title = format!("Speaker of turn {}", app.panes.transcript.turn);
    let find = |app: &App, text: &str| {
        let mut names = names::matching_names(app, NameKind::Speaker, text);
        names.retain(|name| !is_own(app, name));
        names
    };
    ask(app, title, find, set_speaker);
}

/// Asks for the speaker of a new turn, whose text is asked for next.
pub fn ask_for_new(app: &mut App) {
    let title = format!("Speaker of the new turn{}", after_which(app));
    let find = |app: &App, text: &str| {
        let mut names = names::matching_names(app, NameKind::Speaker, text);
        names.sort_by_key(|name| is_own(app, name));
        names
    };
    let take = |app: &mut App, speaker| ask_for_text(app, speaker, "");
    ask(app, title, find, take);
}

fn is_own(app: &App, name: &str) -> bool {
    let turn = app.panes.transcript.current();
    turn.is_some_and(|turn| turn.speaker.name == name)
}

fn ask(
    app: &mut App,
    title: String,
    find: fn(&App, &str) -> Vec<String>,
    take: fn(&mut App, String),
) {
    let line = |app: &App, name: &String| names::name_choice(app, NameKind::Speaker, name);
    let take = move |app: &mut App, name: Option<String>, _: &str| {
        if let Some(name) = name {
            take(app, name);
        }
    };
    let picker = Picker::new("speaker ", title, find, line, take);
    let picker = picker.hint("type to search, or press a digit");
    app.ask(picker.digits(Digits::Pick), "");
}

fn set_speaker(app: &mut App, speaker: String) {
    let is_new = names::is_new(app, NameKind::Speaker, &speaker);
    let turn = app.panes.transcript.turn;
    let says = format!("speaker of turn {turn}: {speaker}");
    let edit = Edit::SetSpeaker { turn, speaker };
    if let Some(why) = is_judged(app, &edit) {
        return app.complain(why);
    }
    if app.edit(&edit, edit.title()) && app.status.is_empty() {
        let undo = app.key(Command::Undo);
        let new = if is_new { ", a new name" } else { "" };
        app.say(format!("{says}{new}; {undo} undoes"));
    }
}

/// Says why a turn cannot become a user's: its votes, which may be in a log beside the corpus.
fn is_judged(app: &App, edit: &Edit) -> Option<String> {
    let mut after = app.panes.transcript.dialog.clone();
    let votes = app.panes.transcript.current()?.votes.len();
    app.family()?.apply(edit, &mut after).ok()?;
    let role = after.turns.get(edit.turn())?.speaker.role;
    let votes = (votes > 0 && role == Role::User).then(|| counted(votes, "vote"))?;
    Some(format!("not changed: the turn has {votes}, and only system turns are judged"))
}
