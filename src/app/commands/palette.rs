//! The command palette: commands found by their names and descriptions.

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

/// Returns the commands that `text` matches, best first; all available ones for an empty text.
fn matching(app: &App, text: &str) -> Vec<&'static Command> {
    let can = |command: &&'static Command| (command.can)(app).is_ok() && command.in_palette;
    let all = app.input.commands.iter().flat_map(|topic| topic.commands);
    let all = all.copied().filter(can);
    if text.trim().is_empty() {
        return all.collect();
    }
    let mut likeness = FuzzyMatcher::new(&text.replace('_', " "));
    let mut scored: Vec<_> = all
        .filter_map(|command| {
            let name = command.name.replace('_', " ");
            // A match in the name counts more than one in the description.
            let all = format!("{name} {}", command.doc);
            let (in_name, in_all) = (likeness.score(&name), likeness.score(&all));
            let score = in_name.max(in_all)?;
            let rank = score.max(in_name.unwrap_or_default() * 2);
            Some((rank, score, command))
        })
        .collect();
    scored.sort_by_key(|(rank, ..)| Reverse(*rank));
    // Scattered letters match only where nothing matches better.
    let best = scored.iter().map(|(_, score, _)| *score).max();
    let enough = best.unwrap_or_default() / 4 * 3;
    let good = scored.into_iter().filter(|(_, score, _)| *score >= enough);
    good.map(|(.., command)| command).collect()
}
