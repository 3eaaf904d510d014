//! The prompt for the annotator's id.

use std::sync::Arc;

use crate::app::core::{App, Effect, Prompt, TextPrompt};
use crate::app::feature::judging::{judge, queue};
use crate::app::input::Command;
use crate::app::state::Blind;
use crate::votes::ids::may_judge;

/// A command that needs the id, and the number that it gets.
#[derive(Clone, Copy, Debug)]
struct WaitingCommand {
    command: Command,
    count: Option<usize>,
}

/// Asks for the annotator's id.
pub fn ask_annotator(app: &mut App) {
    ask_first(app, None);
}

/// Asks for the id that `command` needs, and then runs that.
pub fn ask_before(app: &mut App, command: Command, count: Option<usize>) {
    ask_first(app, Some(WaitingCommand { command, count }));
}

/// Proposes the login name to a user who has no id yet; what is typed takes its place.
fn ask_first(app: &mut App, waiting: Option<WaitingCommand>) {
    let is_known = !app.judging.annotator.is_empty();
    let proposed = if is_known { String::new() } else { app.judging.login.clone() };
    ask(app, waiting, &proposed);
    if let Some(prompt) = app.windows.get_mut::<Prompt>() {
        prompt.input.field.select_all();
    }
}

fn ask(app: &mut App, waiting: Option<WaitingCommand>, text: &str) {
    let noun = noun(app, waiting);
    let title = match waiting {
        Some(_) => {
            format!("Before your first {noun}: your annotator id, stored with your {noun}s")
        }
        None if app.judging.annotator.is_empty() => "Set your annotator id".to_owned(),
        None => format!("Set your annotator id (now {})", app.judging.annotator),
    };
    let take = move |app: &mut App, id: &str| set_annotator(app, waiting, id);
    app.ask(TextPrompt::text("annotator id ", take).long(title), text);
}

/// Returns the word for what the id is stored with.
fn noun(app: &App, waiting: Option<WaitingCommand>) -> &'static str {
    match waiting.map(|waiting| waiting.command) {
        Some(Command::Note) => "note",
        _ if app.asks_for_judgements() => "answer",
        _ => "vote",
    }
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
fn set_annotator(app: &mut App, waiting: Option<WaitingCommand>, id: &str) {
    let known = app.judging.annotator.clone();
    let id = Some(id.trim()).filter(|id| !id.is_empty()).unwrap_or(&known);
    if let Err(why) = may_take(app, id) {
        ask(app, waiting, id);
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
    match waiting {
        Some(WaitingCommand { command, count }) => app.run(command, count),
        None => app.say(format!("you judge as {id}")),
    }
}
