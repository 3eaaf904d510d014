//! Answers to the questions of a scheme: a key an answer, then on to the next open question.

use crate::app::core::App;
use crate::app::feature::judging::annotator_prompt::AnnotatorPrompt;
use crate::app::feature::judging::{answer_prompt, answering};
use crate::app::input::{Code, Command, Key, Scope};

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
    if asked
        .iter()
        .all(|asked| asked.question.choice(typed).is_none())
    {
        return false;
    }
    app.run(Command::TypeAnswer, Some(typed as usize));
    true
}

/// Gives the answer of a key. Its file is locked.
fn give(app: &mut App, key: char) {
    let Some(scheme) = app.scheme() else {
        return;
    };
    if app.judging.annotator.is_empty() {
        let count = Some(key as usize);
        return app.ask(AnnotatorPrompt::before(Command::TypeAnswer, count), "");
    }
    let asked = answering::asked_here(app, &scheme).into_iter();
    let mut asked = asked.filter_map(|asked| Some((asked, asked.question.choice(key)?)));
    let Some((asked, choice)) = asked.next() else {
        return;
    };
    let at = choice.marks_turn.then_some(app.panes.transcript.turn);
    if answering::answer(
        app,
        asked,
        Some(answering::answer_of(app, asked, choice)),
        at,
    ) {
        app.judging.count(app.session.now);
        answer_prompt::go_on(app, &scheme, asked);
    }
}

/// Asks the first open question here whose answer is typed; if all are answered, the first one. With the code of a
/// key of the scheme, as its hint has it, gives that answer.
pub fn ask_here(app: &mut App, key: Option<usize>) {
    if let Some(key) = key.and_then(|code| char::from_u32(code as u32)) {
        return give(app, key);
    }
    let Some(scheme) = app.scheme() else {
        return;
    };
    if app.judging.annotator.is_empty() {
        return app.ask(AnnotatorPrompt::before(Command::TypeAnswer, None), "");
    }
    let asked = answering::asked_here(app, &scheme);
    let typed: Vec<_> = asked
        .iter()
        .filter(|asked| asked.question.kind.is_typed())
        .collect();
    let dialog = &app.panes.transcript.dialog;
    let open = typed
        .iter()
        .find(|asked| asked.answer(dialog, &app.judging.annotator).is_none());
    match open.or(typed.first()) {
        Some(asked) => answer_prompt::ask(app, &scheme, **asked, false),
        None => app.say("all questions here are answered by keys"),
    }
}
