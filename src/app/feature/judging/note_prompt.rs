//! The prompt for a note on the selected call or segment, or on the turn, and for a comment on the annotator's own vote
//! or the gold label. Words with a number sign are the tags of a note.

use crate::app::core::{App, TextPrompt};
use crate::app::feature::judging::annotator_prompt::ask_before;
use crate::app::feature::judging::{answering, leading};
use crate::app::input::Command;
use crate::dialog::{Edit, Judgement, PairedWith, Place, spelled_tag, tags_in_note};
use crate::judging::Remarks;

/// Asks for a note; right after an answer that led on, for one on what was judged.
pub fn note(app: &mut App) {
    leading::go_back(app);
    if app.judging.by().is_empty() {
        return ask_before(app, Command::Note, None);
    }
    let place = answering::selected_place(app);
    let turn = app.panes.transcript.turn;
    let what = match (place.call, place.span) {
        _ if place == Place::DIALOG => "the pair".to_owned(),
        (Some(call), _) => format!("call {call} of turn {turn}"),
        (None, Some(_)) => format!("the segment in turn {turn}"),
        (None, None) => format!("turn {turn}"),
    };
    let own = own_note(app, place).map(|own| own.note.clone());
    let prompt = TextPrompt::text("note ", move |app, text| write_note(app, place, text))
        .long(format!("Your note on {what}; #words are its tags"));
    app.ask(prompt.or_else(leading::go_on), &own.unwrap_or_default());
}

/// Asks for a comment on the annotator's vote, or for the reason for the gold label.
pub fn comment(app: &mut App) {
    leading::go_back(app);
    let Some(scheme) = answering::need_answer(app) else {
        return;
    };
    let asked = answering::answered(app, &scheme);
    let (dialog, annotator) = (&app.panes.transcript.dialog, app.judging.by());
    let comment = asked.map_or("", |asked| asked.comment(dialog, annotator));
    let (comment, turn) = (comment.to_owned(), app.panes.transcript.turn);
    let title = if app.judging.adjudicates {
        format!("The reason for the gold label of turn {turn}")
    } else {
        format!("Your comment on turn {turn}")
    };
    let remark = |app: &mut App, text: &str| {
        let remarks = Remarks { comment: Some(text.to_owned()), ..Remarks::default() };
        answering::remark(app, remarks);
        leading::go_on(app);
    };
    let prompt = TextPrompt::text("comment ", remark).long(title);
    app.ask(prompt.or_else(leading::go_on), &comment);
}

fn own_note(app: &App, place: Place) -> Option<&Judgement> {
    let mut all = app.panes.transcript.dialog.all_judgements();
    let with = paired_with(app, place).map(|with| &with.file);
    all.find(|judgement| {
        judgement.is_note()
            && judgement.place == place
            && judgement.by == app.judging.by()
            && judgement.with.as_ref().map(|with| &with.file) == with
    })
}

/// Returns the other dialog of the pair that a note is on.
fn paired_with(app: &App, place: Place) -> Option<&PairedWith> {
    let sides = app.panes.transcript.dialog.sides.as_ref();
    sides.filter(|_| place == Place::DIALOG)?.with.as_ref()
}

/// Writes a note on a part of the dialog.
fn write_note(app: &mut App, place: Place, text: &str) {
    let Some(at) = app.panes.transcript.at else {
        return;
    };
    let annotator = app.judging.by();
    let (files, shown) = (&app.workspace.files, &app.panes.transcript);
    let new = files.new_judgement(at, &shown.dialog, place, annotator);
    let codes = files.logs.judgements.codes(annotator, !shown.judge.blind);
    let known: Vec<String> = codes.into_iter().map(|code| code.name).collect();
    let mut tags: Vec<String> = Vec::new();
    for tag in tags_in_note(text.trim()) {
        let spelled = spelled_tag(tag, &known);
        if !tags.contains(&spelled) {
            tags.push(spelled);
        }
    }
    let note = text.trim().to_owned();
    let with = paired_with(app, place).cloned();
    let judgement = Judgement { with, note, tags, ..new };
    if judgement.is_empty() && own_note(app, place).is_none() {
        return;
    }
    let edit = Edit::Judge { judgement: Box::new(judgement) };
    let title = edit.title();
    if app.edit(&edit, title.clone()) && !app.status.bad {
        leading::go_on(app);
        app.say(title);
    }
}
