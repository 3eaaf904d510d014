//! The command palette: commands found by their names, by other words for them, and by their
//! descriptions.

use std::cmp::Reverse;

use crate::app::core::{App, Command, Effect, PromptInput, PromptKind};
use crate::app::input::FuzzyMatcher;
use crate::app::pane::{Ink, Line};

/// Columns of the names.
const NAME: usize = 22;

/// The palette, with the commands that match, best first.
#[derive(Debug, Default)]
pub struct CommandPalette {
    matching: Vec<&'static Command>,
}

impl PromptKind for CommandPalette {
    fn prefix(&self) -> &'static str {
        ": "
    }

    fn hint(&self) -> &'static str {
        "a command"
    }

    fn title(&self, _: &App, _: &PromptInput) -> Option<String> {
        Some("Commands".to_owned())
    }

    fn count(&self) -> usize {
        self.matching.len()
    }

    fn choice(&self, app: &App, number: usize, _: &PromptInput) -> Line {
        let command = self.matching[number];
        if let Err(why) = (command.can)(app) {
            let mut line = Line::of(Ink::Dim, command.name);
            line.fill(NAME);
            return line.with(Ink::Dim, &format!("{} · {}", command.doc, why.text(app)));
        }
        let mut line = Line::of(Ink::Key, command.name);
        line.fill(NAME);
        line.push(Ink::Plain, command.doc);
        match app.input.keymap.key_of(command.name, app.scopes_under()) {
            Some(key) => line.with(Ink::Dim, &format!("  {key}")),
            None => line,
        }
    }

    fn changed(&mut self, app: &mut App, input: &mut PromptInput) -> Vec<Effect> {
        (self.matching, input.chosen) = (matching(app, &input.text()), 0);
        Vec::new()
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) -> Vec<Effect> {
        if let Some(command) = self.matching.get(input.chosen) {
            return app.run(command, None);
        }
        app.say(format!("no matching command: {}", input.text()));
        Vec::new()
    }
}

/// Returns the commands that `text` matches, best first; those that cannot run now come after those that
/// can and match as well.
fn matching(app: &App, text: &str) -> Vec<&'static Command> {
    let all = app.input.commands.iter().flat_map(|topic| topic.commands);
    let all = all.copied().filter(|command| command.in_palette);
    let can = |command: &Command| (command.can)(app).is_ok();
    if text.trim().is_empty() {
        let (now, later): (Vec<_>, Vec<_>) = all.partition(|command| can(command));
        return [now, later].concat();
    }
    let mut likeness = FuzzyMatcher::new(&text.replace('_', " "));
    let mut scored: Vec<_> = all
        .filter_map(|command| {
            let name = command.name.replace('_', " ");
            let words = command.words.iter().map(|word| likeness.score(word));
            let in_words = words.max().flatten();
            let everything = format!("{name} {}", command.doc);
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
        (field, !can(command), Reverse(*score))
    });
    scored.into_iter().map(|(command, ..)| command).collect()
}
