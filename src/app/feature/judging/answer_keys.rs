//! Answers by keys: a key an answer, then on to the next open question.

use crate::app::core::App;
use crate::app::feature::judging::annotator_prompt::ask_before;
use crate::app::feature::judging::{answer_prompt, answering, queue};
use crate::app::input::{Code, Command, Key, Scope};
use crate::dialog::Answer;
use crate::judging::{Asked, Choice, Scheme};

/// Gives the answer that a key of the scheme means. Returns false if it means none here.
pub fn answer_key(app: &mut App, key: Key) -> bool {
    let Code::Char(typed) = key.code else {
        return false;
    };
    if key.ctrl || key.alt || app.scopes().first() != Some(&Scope::Judging) {
        return false;
    }
    let Some(scheme) = app.scheme() else {
        return false;
    };
    let asked = answering::asked_here(app, &scheme);
    if asked.iter().all(|asked| asked.question.choice(typed).is_none()) {
        return false;
    }
    app.run(Command::TypeAnswer, Some(typed as usize));
    true
}

/// Gives the answer that a command means here: the label that it votes for, or, of the scheme, the answer whose key
/// has this code. Its file is locked.
pub fn give(app: &mut App, command: Command, code: Option<usize>) {
    let Some(scheme) = app.scheme() else {
        return;
    };
    let key = code.and_then(|code| char::from_u32(u32::try_from(code).ok()?));
    let is_meant = |choice: &&Choice| match (command.vote(), &choice.answer) {
        (Some(label), Answer::Text(letter)) => letter == label.letter(),
        (Some(_), _) => false,
        (None, _) => {
            choice.key.as_deref().is_some_and(|own| key.is_some_and(|key| own.starts_with(key)))
        }
    };
    let mut taking = answering::asked_here(app, &scheme);
    taking.retain(|asked| asked.question.choices.iter().any(|choice| is_meant(&choice)));
    if answering::is_unclear(app, &taking) {
        let withdraw = app.key(Command::VoteWithdraw);
        return app.say(format!(
            "all questions with this key are already answered · {withdraw} withdraws an answer"
        ));
    }
    let asked = answering::next(app, &taking);
    let choice = asked.and_then(|asked| asked.question.choices.iter().find(is_meant));
    let Some((asked, choice)) = asked.zip(choice) else {
        if let Some(why) = queue::not_judged(app, app.panes.transcript.turn) {
            let skip = app.key(Command::VoteSkip);
            app.say(format!("{why} · {skip} skips to the next turn to judge"));
        }
        return;
    };
    if app.judging.by().is_empty() && !app.judging.adjudicates {
        return ask_before(app, command, code);
    }
    let at = choice.marks_turn.then_some(app.panes.transcript.turn);
    let value = answering::answer_of(app, asked, choice);
    answering::give(app, &scheme, asked, value, at);
}

/// Returns the first open question here whose answer is typed; if all are answered, the one after that which was asked
/// last.
pub fn next_typed<'s>(app: &App, scheme: &'s Scheme) -> Option<Asked<'s>> {
    let mut typed = answering::asked_here(app, scheme);
    typed.retain(|asked| asked.question.kind.is_typed());
    let dialog = &app.panes.transcript.dialog;
    let mut open = typed.iter();
    let open = open.find(|asked| asked.answer(dialog, app.judging.by()).is_none());
    let last = typed.iter().position(|asked| asked.question.name == app.judging.last_typed);
    let next = last.map_or(0, |last| (last + 1) % typed.len());
    open.or(typed.get(next)).copied()
}

/// Asks the next question here whose answer is typed.
pub fn ask_here(app: &mut App) {
    let Some(scheme) = app.scheme() else {
        return;
    };
    if app.judging.by().is_empty() {
        return ask_before(app, Command::TypeAnswer, None);
    }
    match next_typed(app, &scheme) {
        Some(asked) => {
            let dialog = &app.panes.transcript.dialog;
            let is_open = asked.answer(dialog, app.judging.by()).is_none();
            answer_prompt::ask(app, &scheme, asked, is_open);
        }
        None => app.say("all questions here are answered with keys"),
    }
}
