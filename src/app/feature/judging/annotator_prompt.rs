//! The prompt for the annotator's id.

use std::sync::Arc;

use crate::app::core::{Action, App, Effect, PromptInput, PromptKind};
use crate::app::feature::judging::{judge, queue, vote};
use crate::app::input::Command;
use crate::app::pane::{Ink, Line};
use crate::app::state::Blind;
use crate::app::state::judging::WaitingVote;
use crate::votes::ids::may_judge;

#[derive(Debug)]
pub struct AnnotatorPrompt;

impl PromptKind for AnnotatorPrompt {
    fn is_about_turn(&self) -> bool {
        true
    }

    fn prefix(&self) -> &'static str {
        " your annotator id "
    }

    fn hint(&self) -> &'static str {
        "your initials, for example"
    }

    fn title(&self, app: &App, _: &PromptInput) -> Option<String> {
        Some(match app.judging.waiting {
            Some(_) => "Before your first vote: your annotator id".to_owned(),
            None if app.judging.annotator.is_empty() => "Your annotator id".to_owned(),
            None => format!("Your annotator id, now {}", app.judging.annotator),
        })
    }

    fn explained(&self) -> usize {
        2
    }

    fn explanation(&self, app: &App) -> Vec<Line> {
        let [accept, cancel] = [Command::Accept, Command::Cancel].map(|command| app.key(command));
        let (accepts, cancels) = match app.judging.waiting {
            Some(vote) => {
                let turn = app.panes.transcript.turn;
                match vote {
                    WaitingVote::Breakdown(vote) => (
                        format!(" accepts it and votes {} on turn {turn}   ", vote.letter()),
                        " cancels the vote",
                    ),
                    WaitingVote::Key(key) => (
                        format!(" accepts it and gives the answer {key}   "),
                        " cancels the answer",
                    ),
                }
            }
            None => (" accepts it   ".to_owned(), " cancels"),
        };
        let keys = Line::of(Ink::Key, &format!(" {accept}"));
        vec![
            Line::of(
                Ink::Dim,
                " It is stored with your votes, and asked for only once.",
            ),
            keys.with(Ink::Plain, &accepts)
                .with(Ink::Key, &cancel)
                .with(Ink::Plain, cancels),
        ]
    }

    fn refuses_lines(&self) -> Option<&'static str> {
        Some("an annotator id is one line; that text has several")
    }

    fn edits(&self, app: &mut App, input: &PromptInput) -> Vec<usize> {
        let votes = app.judging.waiting.is_some() && may_judge(input.text().trim()).is_ok();
        if votes && app.judging.scheme.is_none() {
            app.file_of_votes_here()
        } else {
            Vec::new()
        }
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        set_annotator(app, &input.text());
    }

    fn cancel(self: Box<Self>, app: &mut App) {
        // Otherwise an id that is set later would cast the vote, on another turn.
        app.judging.waiting = None;
    }
}

/// Asks for the annotator's id.
pub fn ask_annotator(app: &mut App) {
    app.ask(AnnotatorPrompt, "");
}

/// Returns why a blind annotator may not take an id: the votes of whoever has judged a turn are not hidden.
fn may_take(app: &App, id: &str) -> Result<(), String> {
    let is_others = app.judging.blind == Blind::Always
        && id != app.judging.annotator
        && app.workspace.files.has_answers_of(id);
    if is_others {
        let start = format!("if that is you, start with --annotator {id}");
        return Err(format!("--blind: {id} has judged in these files; {start}"));
    }
    may_judge(id).map_err(str::to_owned)
}

/// Sets the annotator's id.
fn set_annotator(app: &mut App, id: &str) {
    let known = app.judging.annotator.clone();
    let id = Some(id.trim())
        .filter(|id| !id.is_empty())
        .unwrap_or(&known);
    if let Err(why) = may_take(app, id) {
        // A vote that waits for the id goes on waiting.
        app.ask(AnnotatorPrompt, id);
        app.complain(why);
        return;
    }
    id.clone_into(&mut app.judging.annotator);
    judge::sync_judge(app);
    if let Some(rules) = &mut app.workspace.files.rules {
        id.clone_into(&mut Arc::make_mut(rules).judge);
    }
    app.request(Effect::RememberAnnotator(id.to_owned()));
    app.judging.queue = None;
    let wanted = app.judging.wanted.clone();
    queue::queue(app, wanted);
    match app.judging.waiting.take() {
        Some(WaitingVote::Breakdown(breakdown)) => vote::vote(app, breakdown),
        Some(WaitingVote::Key(key)) => {
            let files = app.file_of_judgements_here();
            app.lock_for(
                files,
                Action::Command(Command::TypeAnswer, Some(key as usize)),
            );
        }
        None => app.say(format!("you judge as {id}")),
    }
}
