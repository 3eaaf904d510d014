//! The prompt for a note on the selected call or segment, or on the turn, and for a comment on the annotator's own vote
//! or the gold label. Words with a number sign are the tags of a note.

use crate::app::core::{App, Picker, TextPrompt};
use crate::app::feature::judging::annotator_prompt::ask_before;
use crate::app::feature::judging::codes_tab::{counted_tag, offered};
use crate::app::feature::judging::{answering, leading};
use crate::app::input::Command;
use crate::dialog::{Edit, Judgement, PairedWith, Place, folded_tag, spelled_tag, tags_in_note};
use crate::judging::Remarks;
use crate::workspace::Code;

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
    let find = |app: &App, text: &str| {
        let Some(begun) = begun_tag(text).map(folded_tag) else {
            return Vec::new();
        };
        let mut codes = offered(app);
        codes.retain(|code| folded_tag(&code.name).starts_with(&begun));
        codes
    };
    let line = |_: &App, code: &Code| counted_tag(&code.name, code.uses());
    // A tag takes the place of the one that is typed.
    let complete = |code: &Code, text: &str| {
        let begun = begun_tag(text).map_or(0, str::len);
        format!("{}{}", &text[..text.len() - begun], code.name)
    };
    let take = move |app: &mut App, _: Option<Code>, text: &str| write_note(app, place, text);
    let title = format!("Your note on {what}; #words in it become tags");
    let picker = Picker::new("note ", "", find, line, take).completes(complete).long(title);
    app.ask(picker.or_else(leading::go_on), &own.unwrap_or_default());
}

/// Returns what follows the number sign of a tag at the end of a text, if one is being typed there.
fn begun_tag(text: &str) -> Option<&str> {
    let (before, tag) = text.rsplit_once('#')?;
    let is_begun = before.chars().next_back().is_none_or(char::is_whitespace)
        && !tag.contains(char::is_whitespace);
    is_begun.then_some(tag)
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
    let known: Vec<String> = offered(app).into_iter().map(|code| code.name).collect();
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
