//! Writing and withdrawing the annotator's answers to the questions of a scheme.

use crate::app::core::App;
use crate::app::feature::judging::leading;
use crate::dialog::{Answer, Edit, Judgement, Place};
use crate::judging::{Asked, Choice, Question, Scheme, Subject};

/// Returns the questions to answer at the current turn.
pub fn asked_here<'s>(app: &App, scheme: &'s Scheme) -> Vec<Asked<'s>> {
    let shown = &app.panes.transcript;
    scheme.asks(&shown.dialog, shown.turn, &app.judging.annotator)
}

/// Returns the answer that a choice of a question is here: for a side of a pair, its name.
pub fn answer_of(app: &App, asked: Asked<'_>, choice: &Choice) -> Answer {
    let of_pair = asked.question.of == Subject::Pair;
    Question::answer_of(choice, app.sides_shown().filter(|_| of_pair))
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
    let order = app
        .sides_shown()
        .filter(|_| asked.question.of == Subject::Pair && value.is_some());
    let order = order.map(|order| order.map(str::to_owned).into());
    let judgement = Judgement {
        scheme: asked.scheme().name.clone(),
        question: asked.question.name.clone(),
        value,
        at: at.or_else(|| pointed_at(app, asked)),
        order: order.unwrap_or_default(),
        note: before.note,
        tags: before.tags,
        ..new
    };
    let edit = Edit::Judge {
        judgement: Box::new(judgement),
    };
    let title = match &before.value {
        // The names of the sides stay hidden.
        _ if asked.question.of == Subject::Pair => pair_title(asked, &edit),
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

/// Returns the title of an answer about a pair, with the key that gave it in place of a name of a side.
fn pair_title(asked: Asked<'_>, edit: &Edit) -> String {
    let name = &asked.question.name;
    let Edit::Judge { judgement } = edit else {
        return edit.title();
    };
    let order = judgement.order.iter().map(String::as_str);
    let order = <[&str; 2]>::try_from(order.collect::<Vec<_>>()).ok();
    let mut choices = asked.question.choices.iter();
    let choice = choices.find(|choice| Some(Question::answer_of(choice, order)) == judgement.value);
    match choice.and_then(|choice| choice.key.as_ref()) {
        Some(key) => format!("{name}: {key} on the pair"),
        None => format!("{name} on the pair withdrawn"),
    }
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

/// Withdraws the last answer if it moved on to here, otherwise the answers at the current turn.
pub fn withdraw(app: &mut App) {
    leading::go_back(app);
    let Some(scheme) = app.scheme() else {
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
