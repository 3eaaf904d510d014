//! The prompt for the annotator's id.

use std::sync::Arc;

use crate::app::core::{App, Effect, PromptInput, PromptKind};
use crate::app::feature::judging::{judge, queue};
use crate::app::input::Command;
use crate::app::pane::{Ink, Line};
use crate::app::state::Blind;
use crate::votes::ids::may_judge;

/// Asks for the id, and then runs what waits for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnnotatorPrompt {
    waiting: Option<WaitingCommand>,
}

/// A command that needs the id, and the number that it gets.
#[derive(Clone, Copy, Debug)]
struct WaitingCommand {
    command: Command,
    count: Option<usize>,
}

impl AnnotatorPrompt {
    /// Returns a prompt after which `command` runs.
    pub fn before(command: Command, count: Option<usize>) -> Self {
        Self { waiting: Some(WaitingCommand { command, count }) }
    }

    /// Returns the word for what the id is stored with.
    fn noun(&self, app: &App) -> &'static str {
        let waiting = self.waiting.map(|waiting| waiting.command);
        match waiting {
            Some(Command::Note) => "note",
            _ if app.asks_for_judgements() => "answer",
            _ => "vote",
        }
    }
}

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
        Some(match self.waiting {
            Some(_) => format!("Before your first {}", self.noun(app)),
            None if app.judging.annotator.is_empty() => "Your annotator id".to_owned(),
            None => format!("Your annotator id, now {}", app.judging.annotator),
        })
    }

    fn explained(&self) -> usize {
        2
    }

    fn explanation(&self, app: &App) -> Vec<Line> {
        let [accept, cancel] = [Command::Accept, Command::Cancel].map(|command| app.key(command));
        let turn = app.panes.transcript.turn;
        let (does, cancels) = match self.waiting {
            None => (String::new(), ""),
            Some(WaitingCommand { command, count }) => match (command, count.and_then(char_of)) {
                (Command::VoteO, _) => (format!(" and votes O on turn {turn}"), " the vote"),
                (Command::VoteT, _) => (format!(" and votes T on turn {turn}"), " the vote"),
                (Command::VoteX, _) => (format!(" and votes X on turn {turn}"), " the vote"),
                (Command::Note, _) => (" and begins the note".to_owned(), " the note"),
                (_, Some(key)) => (format!(" and gives the answer {key}"), " the answer"),
                _ => (" and goes on".to_owned(), ""),
            },
        };
        let keys = Line::of(Ink::Key, &format!(" {accept}"));
        let noun = self.noun(app);
        let stored = format!(" It is stored with your {noun}s, and asked for only once.");
        vec![
            Line::of(Ink::Dim, &stored),
            keys.with(Ink::Plain, &format!(" accepts it{does}   "))
                .with(Ink::Key, &cancel)
                .with(Ink::Plain, &format!(" cancels{cancels}")),
        ]
    }

    fn refuses_lines(&self) -> Option<&'static str> {
        Some("an annotator id is one line; that text has several")
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        set_annotator(app, *self, &input.text());
    }
}

/// Returns the key of an answer whose code is the number of a command.
fn char_of(code: usize) -> Option<char> {
    char::from_u32(u32::try_from(code).ok()?)
}

/// Asks for the annotator's id.
pub fn ask_annotator(app: &mut App) {
    app.ask(AnnotatorPrompt::default(), "");
}

/// Checks whether the annotator may take an id. On turns that somebody has judged, they see others' votes: the blind
/// do not become that person.
///
/// # Errors
/// The reason why not.
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

/// Sets the annotator's id, and runs what waits for it.
fn set_annotator(app: &mut App, prompt: AnnotatorPrompt, id: &str) {
    let known = app.judging.annotator.clone();
    let id = Some(id.trim()).filter(|id| !id.is_empty()).unwrap_or(&known);
    if let Err(why) = may_take(app, id) {
        app.ask(prompt, id);
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
    match prompt.waiting {
        Some(WaitingCommand { command, count }) => app.run(command, count),
        None => app.say(format!("you judge as {id}")),
    }
}
