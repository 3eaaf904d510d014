//! The prompt for a note on the selected call or segment, or on the turn, and for a comment on the annotator's own vote
//! or the gold label. Words with a number sign are the tags of a note.

use crate::app::core::{App, PromptInput, PromptKind};
use crate::app::feature::judging::annotator_prompt::AnnotatorPrompt;
use crate::app::feature::judging::{answering, leading};
use crate::app::input::Command;
use crate::dialog::{Edit, Judgement, Place, spelled_tag, tags_in_note};
use crate::judging::Remarks;

#[derive(Debug)]
struct NotePrompt {
    /// The part of the dialog that the note is on; None for the annotator's vote.
    place: Option<Place>,
}

/// Asks for a note; right after an answer that led on, for one on what was judged.
pub fn note(app: &mut App) {
    leading::go_back(app);
    if app.judging.annotator.is_empty() {
        return app.ask(AnnotatorPrompt::before(Command::Note, None), "");
    }
    let place = answering::selected_place(app);
    let own = own_note(app, place).map(|own| own.note.clone());
    let place = Some(place);
    app.ask(NotePrompt { place }, &own.unwrap_or_default());
}

/// Asks for a comment on the annotator's vote, or for the reason for the gold label.
pub fn comment(app: &mut App) {
    leading::go_back(app);
    if let Some(scheme) = answering::need_answer(app) {
        let asked = answering::answered(app, &scheme);
        let (dialog, annotator) = (&app.panes.transcript.dialog, &app.judging.annotator);
        let comment = asked.map_or("", |asked| asked.comment(dialog, annotator));
        let comment = comment.to_owned();
        app.ask(NotePrompt { place: None }, &comment);
    }
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
        if self.place.is_some() { "note " } else { "comment " }
    }

    fn title(&self, app: &App, _: &PromptInput) -> Option<String> {
        let turn = app.panes.transcript.turn;
        let what = match self.place.map(|place| (place.call, place.span)) {
            None if app.judging.adjudicates => {
                return Some(format!("The reason for the gold label of turn {turn}"));
            }
            None => return Some(format!("Your comment on turn {turn}")),
            _ if self.place == Some(Place::DIALOG) => "the pair".to_owned(),
            Some((Some(call), _)) => format!("call {call} of turn {turn}"),
            Some((None, Some(_))) => format!("the segment in turn {turn}"),
            Some((None, None)) => format!("turn {turn}"),
        };
        Some(format!("Your note on {what}; #words are its tags"))
    }

    fn is_long(&self) -> bool {
        true
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        let Some(at) = app.panes.transcript.at else {
            return;
        };
        let Some(place) = self.place else {
            let remarks = Remarks { comment: Some(input.text()), ..Remarks::default() };
            answering::remark(app, remarks);
            return leading::go_on(app);
        };
        let text = input.text().trim().to_owned();
        let annotator = app.judging.annotator.clone();
        let dialog = &app.panes.transcript.dialog;
        let new = app.workspace.files.new_judgement(at, dialog, place, &annotator);
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
        let judgement = Judgement { tags, note: text, ..new };
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

    fn cancel(self: Box<Self>, app: &mut App) {
        leading::go_on(app);
    }
}
