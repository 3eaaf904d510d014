//! The command palette: commands found by their names, by other words for them, and by their
//! descriptions; and the saved queries.

use std::cmp::Reverse;

use crate::app::core::{App, PromptInput, PromptKind};
use crate::app::feature::finding::search;
use crate::app::feature::judging::answering;
use crate::app::hints;
use crate::app::input::{Command, FuzzyMatcher, Scope};
use crate::app::pane::{Ink, Line, truncated};
use crate::text::width;

/// Columns of the names.
const NAME: usize = 22;
/// Columns before a name and after a choice.
const MARGIN: usize = 3;
/// Between a description and the reason why the command cannot run.
const SEPARATOR: &str = " · ";

/// The palette, with what matches, best first.
#[derive(Debug)]
pub struct CommandPalette {
    matching: Vec<Offer>,
    /// The commands that fit what is selected.
    here: Vec<Command>,
    /// True for the menu of these alone; what is typed finds the others, too.
    only_here: bool,
}

impl CommandPalette {
    /// Returns the palette of all commands.
    pub fn all(app: &App) -> Self {
        Self { matching: Vec::new(), here: hints::actions(app), only_here: false }
    }

    /// Returns the menu of the commands that fit what is selected.
    pub fn here(app: &App) -> Self {
        Self { only_here: true, ..Self::all(app) }
    }
}

/// An offer of the palette.
#[derive(Debug)]
enum Offer {
    Command(Command),
    /// A saved query, with its name.
    Query {
        name: String,
        text: String,
    },
    /// An answer to a question that is asked here, by its key.
    Answer {
        key: char,
        name: String,
        help: String,
    },
}

impl PromptKind for CommandPalette {
    fn prefix(&self) -> &'static str {
        ": "
    }

    fn hint(&self) -> &'static str {
        "a command"
    }

    fn title(&self, _: &App, _: &PromptInput) -> Option<String> {
        Some(if self.only_here { "What you can do here" } else { "Commands" }.to_owned())
    }

    fn count(&self) -> usize {
        self.matching.len()
    }

    fn choice(&self, app: &App, number: usize, _: &PromptInput) -> Line {
        let command = match &self.matching[number] {
            Offer::Command(command) => *command,
            Offer::Query { name, text } => {
                let mut line = Line::of(Ink::Key, name);
                line.fill(NAME);
                return line.with(Ink::Plain, &format!("search {text}"));
            }
            Offer::Answer { key, name, help } => {
                let mut line = Line::of(Ink::Key, &truncated(name, NAME - 1));
                line.fill(NAME);
                let room = app.panes.window_columns();
                let room = room.saturating_sub(MARGIN + NAME + 3);
                line.push(Ink::Plain, &truncated(help, room));
                return line.with(Ink::Dim, &format!("  {key}"));
            }
        };
        if let Err(why) = app.can(command) {
            let mut line = Line::of(Ink::Dim, command.name());
            line.fill(NAME);
            let why = why.text(app);
            // The description has at least half of the room.
            let taken = MARGIN + NAME + width(SEPARATOR);
            let room = app.panes.window_columns().saturating_sub(taken);
            let doc = room.saturating_sub(width(&why)).max(room / 2);
            let doc = truncated(command.doc(), doc);
            let why = truncated(&why, room.saturating_sub(width(&doc)));
            return line.with(Ink::Dim, &format!("{doc}{SEPARATOR}{why}"));
        }
        let mut line = Line::of(Ink::Key, command.name());
        line.fill(NAME);
        let key = app
            .input
            .keymap
            .hint(command, app.scopes_under())
            .map_or_else(String::new, |key| format!("  {key}"));
        let room = app.panes.window_columns();
        let room = room.saturating_sub(MARGIN + NAME + width(&key));
        line.push(Ink::Plain, &truncated(command.doc(), room));
        line.with(Ink::Dim, &key)
    }

    fn changed(&mut self, app: &mut App, input: &mut PromptInput) {
        let text = input.text();
        let mut answers = if self.only_here { answers(app, &text) } else { Vec::new() };
        if self.only_here && text.trim().is_empty() {
            answers.extend(self.here.iter().copied().map(Offer::Command));
            (self.matching, input.chosen) = (answers, 0);
            return;
        }
        let mut offers = saved_queries(app, &text);
        let commands = matching(app, &text, &self.here);
        // Saved queries come first only where they are asked for.
        let place = if text.trim().is_empty() { commands.len() } else { 0 };
        let mut all: Vec<_> = commands.into_iter().map(Offer::Command).collect();
        all.splice(place..place, offers.drain(..));
        all.splice(..0, answers);
        (self.matching, input.chosen) = (all, 0);
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        match self.matching.get(input.chosen) {
            Some(Offer::Command(command)) => {
                let used = &mut app.session.used;
                used.retain(|used| used != command);
                used.insert(0, *command);
                return app.run(*command, None);
            }
            Some(Offer::Query { text, .. }) => return search::start_search(app, text),
            Some(Offer::Answer { key, .. }) => {
                return app.run(Command::TypeAnswer, Some(*key as usize));
            }
            None => {}
        }
        app.say(format!("no matching command: {}", input.text()));
    }
}

/// Returns the saved queries whose names contain `text`.
fn saved_queries(app: &App, text: &str) -> Vec<Offer> {
    let wanted = text.trim().to_lowercase();
    let queries = app.settings.queries.iter();
    let queries = queries.filter(|(name, _)| name.to_lowercase().contains(&wanted));
    let offer =
        |(name, text): (&str, &str)| Offer::Query { name: name.to_owned(), text: text.to_owned() };
    queries.map(offer).collect()
}

/// Returns the answers that keys give here and that contain `text`, those to the question that is asked now first.
fn answers(app: &App, text: &str) -> Vec<Offer> {
    if app.scopes_under()[0] != Scope::Judging || !app.asks_for_judgements() {
        return Vec::new();
    }
    let scheme = &app.judging.scheme;
    let wanted = text.trim().to_lowercase();
    let mut keys = Vec::new();
    let mut offers = Vec::new();
    let asked = answering::asked_here(app, scheme);
    for asked in answering::asked_now(app, scheme).iter().chain(&asked) {
        for choice in &asked.question.choices {
            let key = choice.key.as_ref().and_then(|key| key.chars().next());
            let Some(key) = key.filter(|key| !keys.contains(key)) else {
                continue;
            };
            keys.push(key);
            let name = format!("{}: {}", asked.question.name, choice.answer);
            if name.to_lowercase().contains(&wanted) {
                let help = choice.help.clone();
                offers.push(Offer::Answer { key, name, help });
            }
        }
    }
    offers
}

/// Returns the commands that `text` matches, best first; those that cannot run now come after those that
/// can and match as well. Without a text, those used lately come first, then those that fit `here`.
fn matching(app: &App, text: &str, here: &[Command]) -> Vec<Command> {
    let all = Command::ALL.iter().copied();
    let all = all.filter(|command| command.row().in_palette);
    let can = |command: &Command| app.can(*command).is_ok();
    if text.trim().is_empty() {
        // Of the others, those without a key come first: the rest is quicker by their keys.
        let used = |command: &Command| {
            let mut used = app.session.used.iter();
            used.position(|used| used == command)
        };
        let has_key = |command: &Command| {
            let key = app.input.keymap.hint(*command, &Scope::ALL);
            key.is_some()
        };
        let mut all: Vec<_> = all.collect();
        all.sort_by_cached_key(|command| {
            let used = used(command).unwrap_or(usize::MAX);
            let fits = here.iter().position(|here| here == command);
            (!can(command), used, fits.unwrap_or(usize::MAX), has_key(command))
        });
        return all;
    }
    let text = text.trim().replace('_', " ");
    let mut likeness = FuzzyMatcher::new(&text);
    let mut scored: Vec<_> = all
        .filter_map(|command| {
            let name = command.name().replace('_', " ");
            let words = command.row().words.iter().map(|word| likeness.score(word));
            let in_words = words.max().flatten();
            let everything = format!("{name} {}", command.doc());
            let scores = [likeness.score(&name), in_words, likeness.score(&everything)];
            Some((command, scores, scores.into_iter().max()??))
        })
        .collect();
    // Scattered letters match only where nothing matches better.
    let best = scored.iter().map(|(.., score)| *score).max();
    let enough = best.unwrap_or_default() / 4 * 3;
    scored.retain(|(.., score)| *score >= enough);
    // A match in the name counts more than one in the other words, and those more than the description.
    scored.sort_by_key(|(command, scores, score)| {
        let field = scores.iter().position(|score| *score >= Some(enough));
        let exact = command.name().replace('_', " ") == text;
        (field, !exact, !can(command), Reverse(*score))
    });
    scored.into_iter().map(|(command, ..)| command).collect()
}
