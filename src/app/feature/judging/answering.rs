//! Answers to the questions of a scheme: a key an answer, then on to the next open question.

use std::sync::Arc;

use crate::app::core::App;
use crate::app::feature::judging::annotator_prompt::AnnotatorPrompt;
use crate::app::feature::judging::answer_prompt::AnswerPrompt;
use crate::app::feature::judging::queue;
use crate::app::input::{Code, Command, Key, Scope};
use crate::app::state::judging::WaitingVote;
use crate::dialog::{Answer, Edit, Judgement, Place};
use crate::judging::{Asked, Scheme};

/// Returns the scheme whose questions are asked here.
pub fn scheme_here(app: &App) -> Option<Arc<Scheme>> {
    let scheme = app.judging.scheme.clone();
    scheme.filter(|_| app.judges() && !app.judging.adjudicates)
}

/// Returns the questions to answer at the current turn.
pub fn asked_here<'s>(app: &App, scheme: &'s Scheme) -> Vec<Asked<'s>> {
    let shown = &app.panes.transcript;
    scheme.asks(&shown.dialog, shown.turn, &app.judging.annotator)
}

/// Gives the answer that a key of the scheme means. Returns false if it means none here.
pub fn answer_key(app: &mut App, key: Key) -> bool {
    let Code::Char(typed) = key.code else {
        return false;
    };
    if key.ctrl || key.alt || app.scopes().first() != Some(&Scope::Judging) {
        return false;
    }
    let Some(scheme) = scheme_here(app) else {
        return false;
    };
    let asked = asked_here(app, &scheme);
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
    let Some(scheme) = scheme_here(app) else {
        return;
    };
    if app.judging.annotator.is_empty() {
        app.judging.waiting = Some(WaitingVote::Key(key));
        return app.ask(AnnotatorPrompt, "");
    }
    let asked = asked_here(app, &scheme).into_iter();
    let mut asked = asked.filter_map(|asked| Some((asked, asked.question.choice(key)?)));
    let Some((asked, choice)) = asked.next() else {
        return;
    };
    let at = choice.marks_turn.then_some(app.panes.transcript.turn);
    if answer(app, asked, Some(choice.answer.clone()), at) {
        app.judging.count(app.session.now);
        go_on(app, &scheme, asked);
    }
}

/// Writes an answer of the annotator; without one, withdraws it. The note and the tags of an earlier answer stay.
pub fn answer(app: &mut App, asked: Asked<'_>, value: Option<Answer>, at: Option<usize>) -> bool {
    let shown = &app.panes.transcript;
    let Some(dialog_at) = shown.at else {
        return false;
    };
    let annotator = app.judging.annotator.clone();
    let before = asked.given(&shown.dialog, &annotator).cloned();
    let files = &app.workspace.files;
    let new = files.new_judgement(dialog_at, &shown.dialog, asked.place, &annotator);
    let before = before.unwrap_or_default();
    let judgement = Judgement {
        scheme: asked.scheme().name.clone(),
        question: asked.question.name.clone(),
        value,
        at: at.or_else(|| pointed_at(app, asked)),
        note: before.note,
        tags: before.tags,
        ..new
    };
    let edit = Edit::Judge {
        judgement: Box::new(judgement),
    };
    let title = match &before.value {
        Some(was) => format!("{} (was {was})", edit.title()),
        None => edit.title(),
    };
    let made = app.edit(&edit, title.clone());
    if made && !app.status.bad {
        drop_outdated(app, asked);
        app.say_first(title);
    }
    made
}

/// Returns the turn that an earlier answer about the whole dialog points to: answers of one dialog belong together.
fn pointed_at(app: &App, asked: Asked<'_>) -> Option<usize> {
    let own = app
        .panes
        .transcript
        .dialog
        .judgements
        .iter()
        .filter(|judgement| {
            judgement.by == app.judging.annotator
                && judgement.scheme == asked.scheme().name
                && judgement.question != asked.question.name
        });
    let mut pointing =
        own.filter(|judgement| asked.place == Place::DIALOG && judgement.place == asked.place);
    pointing.find_map(|judgement| judgement.at)
}

/// Withdraws answers to questions that are no longer asked after an answer, as a part of the same step.
fn drop_outdated(app: &mut App, after: Asked<'_>) {
    let scheme = after.scheme();
    let dialog = &app.panes.transcript.dialog;
    let annotator = &app.judging.annotator;
    let is_asked = |judgement: &Judgement| {
        let question = scheme.question(&judgement.question);
        question.is_none_or(|question| {
            question
                .places(dialog, annotator)
                .contains(&judgement.place)
        })
    };
    let own = dialog.all_judgements().filter(|judgement| {
        judgement.by == *annotator && judgement.scheme == scheme.name && judgement.value.is_some()
    });
    let outdated: Vec<Judgement> = own
        .filter(|judgement| !is_asked(judgement))
        .cloned()
        .collect();
    for judgement in outdated {
        let edit = Edit::Judge {
            judgement: Box::new(Judgement {
                value: None,
                at: None,
                ..judgement
            }),
        };
        app.edit_joined(&edit, edit.title());
    }
}

/// After an answer: waits for the other answers about the same place, asks those that have to be typed, or goes on to
/// the next open turn.
pub fn go_on(app: &mut App, scheme: &Arc<Scheme>, after: Asked<'_>) {
    let asked = asked_here(app, scheme);
    let dialog = &app.panes.transcript.dialog;
    let annotator = app.judging.annotator.as_str();
    let is_open = |asked: &&Asked<'_>| {
        asked.place == after.place && asked.answer(dialog, annotator).is_none()
    };
    let mut by_key = asked.iter().filter(|asked| !asked.question.kind.is_typed());
    if by_key.any(|asked| is_open(&asked)) {
        return;
    }
    let typed = asked.iter().filter(|asked| asked.question.kind.is_typed());
    // Those before a typed one were asked, and left open.
    let mut typed = typed.filter(|asked| {
        !after.question.kind.is_typed()
            || scheme.position(&asked.question.name) > scheme.position(&after.question.name)
    });
    if let Some(asked) = typed.find(is_open) {
        return ask(app, scheme, *asked, true);
    }
    let shown = &app.panes.transcript;
    if after.place == Place::DIALOG || shown.judge.has_judged(&shown.dialog, shown.turn) {
        let from = app.place();
        queue::next_to_judge(app, false);
        app.judging.led = Some([from, app.place()]);
    }
}

/// Opens the prompt for a question whose answer is typed.
fn ask(app: &mut App, scheme: &Arc<Scheme>, asked: Asked<'_>, leads_on: bool) {
    let answer = asked.answer(&app.panes.transcript.dialog, &app.judging.annotator);
    let text = match answer.and_then(|answer| answer.value.as_ref()) {
        Some(Answer::Several(tags)) => tags.join(" "),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let prompt = AnswerPrompt::new(app, Arc::clone(scheme), asked, leads_on);
    app.ask(prompt, &text);
}

/// Asks the first open question here whose answer is typed; if all are answered, the first one. With the code of a
/// key of the scheme, as its hint has it, gives that answer.
pub fn ask_here(app: &mut App, key: Option<usize>) {
    if let Some(key) = key.and_then(|code| char::from_u32(code as u32)) {
        return give(app, key);
    }
    let Some(scheme) = scheme_here(app) else {
        return;
    };
    if app.judging.annotator.is_empty() {
        return app.ask(AnnotatorPrompt, "");
    }
    let asked = asked_here(app, &scheme);
    let typed: Vec<_> = asked
        .iter()
        .filter(|asked| asked.question.kind.is_typed())
        .collect();
    let dialog = &app.panes.transcript.dialog;
    let open = typed
        .iter()
        .find(|asked| asked.answer(dialog, &app.judging.annotator).is_none());
    match open.or(typed.first()) {
        Some(asked) => ask(app, &scheme, **asked, false),
        None => app.say("all questions here are answered by keys"),
    }
}

/// Withdraws the last answer if it moved on to here, otherwise the answers at the current turn.
pub fn withdraw(app: &mut App) {
    super::vote::go_back(app);
    let Some(scheme) = scheme_here(app) else {
        return;
    };
    let dialog = &app.panes.transcript.dialog;
    let annotator = &app.judging.annotator;
    let asked = asked_here(app, &scheme);
    let given: Vec<_> = asked
        .into_iter()
        .filter(|asked| asked.answer(dialog, annotator).is_some())
        .collect();
    let Some(last) = given.first() else {
        app.say("you have not answered a question here");
        return;
    };
    answer(app, *last, None, None);
}
