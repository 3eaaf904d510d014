//! The prompt for a note on the selected call or segment, or on the turn. Words with a number sign are its tags.

use crate::app::core::{App, PromptInput, PromptKind};
use crate::app::feature::judging::annotator_prompt::AnnotatorPrompt;
use crate::app::feature::judging::leading;
use crate::app::input::Command;
use crate::app::pane::Item;
use crate::dialog::{Edit, Judgement, Place, spelled_tag, tags_in_note};

#[derive(Debug)]
struct NotePrompt {
    place: Place,
}

/// Returns the selected call, segment or turn.
fn place_here(app: &App) -> Place {
    let shown = &app.panes.transcript;
    let turn = Place::turn(shown.turn);
    if let Some((_, call)) = app.panes.details.item().and_then(Item::call) {
        return Place {
            call: Some(call),
            ..turn
        };
    }
    let segment = shown
        .segment
        .and_then(|segment| shown.current()?.segments.get(segment)?.span);
    Place {
        span: segment.map(|span| [span.start, span.end]),
        ..turn
    }
}

/// Asks for a note; right after an answer that led on, for one on what was judged.
pub fn note(app: &mut App) {
    leading::go_back(app);
    if app.judging.annotator.is_empty() {
        return app.ask(AnnotatorPrompt::before(Command::Note, None), "");
    }
    let place = place_here(app);
    let own = own_note(app, place).map(|own| own.note.clone());
    app.ask(NotePrompt { place }, &own.unwrap_or_default());
}

fn own_note(app: &App, place: Place) -> Option<&Judgement> {
    let mut all = app.panes.transcript.dialog.all_judgements();
    all.find(|judgement| {
        judgement.is_note() && judgement.place == place && judgement.by == app.judging.annotator
    })
}

impl PromptKind for NotePrompt {
    fn is_about_turn(&self) -> bool {
        true
    }

    fn prefix(&self) -> &'static str {
        "note "
    }

    fn title(&self, app: &App, _: &PromptInput) -> Option<String> {
        let turn = app.panes.transcript.turn;
        let what = match (self.place.call, self.place.span) {
            (Some(call), _) => format!("call {call} of turn {turn}"),
            (None, Some(_)) => format!("the segment in turn {turn}"),
            (None, None) => format!("turn {turn}"),
        };
        Some(format!("Your note on {what}; #words are its tags"))
    }

    fn is_long(&self) -> bool {
        true
    }

    fn edits(&self, app: &mut App, _: &PromptInput) -> Vec<usize> {
        app.file_of_judgements_here()
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        let Some(at) = app.panes.transcript.at else {
            return;
        };
        let text = input.text().trim().to_owned();
        let annotator = app.judging.annotator.clone();
        let dialog = &app.panes.transcript.dialog;
        let new = app
            .workspace
            .files
            .new_judgement(at, dialog, self.place, &annotator);
        let codes = app
            .workspace
            .files
            .logs
            .judgements
            .codes(&annotator, !app.panes.transcript.judge.blind);
        let known: Vec<String> = codes.into_iter().map(|code| code.name).collect();
        let mut tags: Vec<String> = Vec::new();
        for tag in tags_in_note(&text) {
            let spelled = spelled_tag(tag, &known);
            if !tags.contains(&spelled) {
                tags.push(spelled);
            }
        }
        let judgement = Judgement {
            tags,
            note: text,
            ..new
        };
        if judgement.is_empty() && own_note(app, self.place).is_none() {
            return;
        }
        let edit = Edit::Judge {
            judgement: Box::new(judgement),
        };
        let title = edit.title();
        if app.edit(&edit, title.clone()) && !app.status.bad {
            leading::go_on(app);
            app.say(title);
        }
    }

    fn cancel(self: Box<Self>, app: &mut App) {
        leading::go_on(app);
    }
}
