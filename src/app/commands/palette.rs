//! The command palette: commands found by their names, by other words for them, and by their
//! descriptions; and the saved queries.

use std::cmp::Reverse;

use crate::app::core::{App, Picker};
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

/// Opens the palette, or the menu of those commands alone that fit what is selected; what is typed there finds the
/// others, too.
pub fn ask(app: &mut App, only_here: bool) {
    let here = hints::actions(app);
    let title = if only_here { "What you can do here" } else { "Commands" };
    let find = move |app: &App, text: &str| offers(app, text, &here, only_here);
    let take = |app: &mut App, offer: Option<Offer>, typed: &str| match offer {
        Some(Offer::Command(command)) => {
            let used = &mut app.session.used;
            used.retain(|used| *used != command);
            used.insert(0, command);
            app.run(command, None);
        }
        Some(Offer::Query { text, .. }) => search::start_search(app, &text),
        Some(Offer::Answer { key, .. }) => app.run(Command::TypeAnswer, Some(key as usize)),
        None => app.say(format!("no matching command: {typed}")),
    };
    app.ask(Picker::new(": ", title, find, line, take).hint("a command"), "");
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

/// Returns an offer as it is listed.
fn line(app: &App, offer: &Offer) -> Line {
    let command = match offer {
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
        .keys_of(command, app.scopes_under())
        .next()
        .map_or_else(String::new, |key| format!("  {key}"));
    let room = app.panes.window_columns();
    let room = room.saturating_sub(MARGIN + NAME + width(&key));
    line.push(Ink::Plain, &truncated(command.doc(), room));
    line.with(Ink::Dim, &key)
}

/// Returns what `text` matches, best first.
fn offers(app: &App, text: &str, here: &[Command], only_here: bool) -> Vec<Offer> {
    let mut all = if only_here { answers(app, text) } else { Vec::new() };
    if only_here && text.is_empty() {
        all.extend(here.iter().copied().map(Offer::Command));
        return all;
    }
    let queries = saved_queries(app, text);
    let commands = matching(app, text, here).into_iter().map(Offer::Command);
    // Saved queries come first only where they are asked for.
    if text.is_empty() {
        all.extend(commands.chain(queries));
    } else {
        all.extend(queries.into_iter().chain(commands));
    }
    all
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
            let key = app.input.keymap.keys_of(*command, &Scope::ALL).next();
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
