//! Finding a line of the help.

use crate::app::core::{App, PromptInput, PromptKind};
use crate::app::help::Help;
use crate::app::pane::Line;

/// Lines of the page that stay visible above the one that was found.
const ABOVE: usize = 2;

/// The prompt for a part of a line; it lists the lines with it.
#[derive(Debug)]
struct HelpSearch {
    /// The help in which it searches.
    help: Help,
    /// The numbers of the lines that fit.
    matching: Vec<usize>,
}

/// Asks for a part of a line of the open help.
pub fn search_help(app: &mut App) {
    match app.windows.take::<Help>() {
        Some(help) => {
            let (help, matching) = (*help, Vec::new());
            app.ask(HelpSearch { help, matching }, "");
        }
        None => app.say("only the help and the manual are searched"),
    }
}

impl PromptKind for HelpSearch {
    fn prefix(&self) -> &'static str {
        "find in the help "
    }

    fn hint(&self) -> &'static str {
        "part of a line"
    }

    fn title(&self, _: &App, _: &PromptInput) -> Option<String> {
        Some("Lines of this page".to_owned())
    }

    fn count(&self) -> usize {
        self.matching.len()
    }

    fn choice(&self, _: &App, number: usize, _: &PromptInput) -> Line {
        self.help.page.lines[self.matching[number]].clone()
    }

    fn changed(&mut self, _: &mut App, input: &mut PromptInput) {
        let text = input.text().to_lowercase();
        let lines = self.help.page.lines.iter().map(Line::text).enumerate();
        let fitting = lines.filter(|(_, line)| {
            !line.trim().is_empty() && line.to_lowercase().contains(text.trim())
        });
        self.matching = fitting.map(|(number, _)| number).collect();
        input.chosen = 0;
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        let found = self.matching.get(input.chosen).copied();
        let mut help = self.help;
        match found {
            Some(line) => {
                help.top = line.saturating_sub(ABOVE);
                (help.found, help.chosen) = (Some(line), None);
                help.scroll(0, app.panes.help_rows());
            }
            None => app.say(format!("no line contains {}", input.text().trim())),
        }
        app.windows.open(help);
    }

    fn cancel(self: Box<Self>, app: &mut App) {
        app.windows.open(self.help);
    }
}
