//! What lies over the panes: the keys that work, a question, a line to type into.

use super::command;
use super::line::{Ink, Line, wrapped};
use super::{App, Effect, Entry, Mouse, MouseAction, Prompt};
use crate::dialog::{Edit, Lost};

/// Columns of a window, at the most.
pub const HELP_COLUMNS: u16 = 96;
/// Columns of the keys in the help.
const HELP_KEYS: usize = 26;

/// What lies over the panes.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// The keys that work here; its first line that is shown.
    Help {
        top: usize,
    },
    Prompt(Box<Prompt>),
    Question(Question),
}

/// Something the user has to decide.
#[derive(Clone, Debug)]
pub enum Question {
    /// There are unsaved edits: save them and leave, leave without them, or stay?
    Leave,
    /// An earlier run ended with unsaved edits of these files: take them back, or drop them?
    Recover { files: Vec<(usize, Vec<Entry>)> },
    /// Another program has changed a file: read it anew?
    Changed { file: usize },
    /// Another annotator's vote is to be changed: is it?
    Adjudicate { edit: Edit, title: String },
    /// A new text of a turn has no place for segments: remove them, or go on typing?
    Cut { text: String, lost: Lost },
}

impl Question {
    /// What is asked, and what the answers yes, no and later mean.
    pub fn text(&self, app: &App) -> (String, [&'static str; 3]) {
        match self {
            Self::Leave => {
                let count = app.files.unsaved();
                let edits = if count == 1 { "edit is" } else { "edits are" };
                (
                    format!("{count} {edits} not saved"),
                    ["save and leave", "leave without saving", "stay"],
                )
            }
            Self::Changed { file } => {
                let name = app.files.get(*file).map_or("", |file| file.name.as_str());
                let take = if app.files.is_modified(*file) {
                    "read it, and make your edits again"
                } else {
                    "read it"
                };
                let asked = format!("{name} was changed by another program");
                (asked, [take, "go on with the old text", "ask again"])
            }
            Self::Cut { lost, .. } => (
                lost.to_string(),
                [
                    "remove what is cut",
                    "go on typing",
                    "leave the text as it was",
                ],
            ),
            Self::Adjudicate { title, .. } => (
                title.clone(),
                ["change it", "leave it as it is", "leave it as it is"],
            ),
            Self::Recover { files } => {
                let name = match files.as_slice() {
                    [(file, _)] => app
                        .files
                        .get(*file)
                        .map_or("", |file| file.name.as_str())
                        .to_owned(),
                    several => format!("{} files", several.len()),
                };
                let count: usize = files
                    .iter()
                    .map(|(_, entries)| Entry::in_force(entries))
                    .sum();
                let edits = if count == 1 { "edit" } else { "edits" };
                let asked = format!("{name}: the last run ended with {count} unsaved {edits}");
                (
                    asked,
                    ["take them back", "drop them", "ask again the next time"],
                )
            }
        }
    }
}

impl App {
    pub(super) fn overlay_mouse(&mut self, mouse: Mouse) -> Vec<Effect> {
        let by = match mouse.action {
            MouseAction::WheelUp => -3,
            MouseAction::WheelDown => 3,
            MouseAction::Press => {
                return match self.overlay {
                    Some(Overlay::Prompt(_)) => self.prompt_cancel(),
                    Some(Overlay::Question(_)) => Vec::new(),
                    _ => {
                        self.overlay = None;
                        Vec::new()
                    }
                };
            }
            _ => return Vec::new(),
        };
        match &self.overlay {
            Some(Overlay::Help { .. }) => self.scroll_help(by),
            _ => self.prompt_step(by.signum()),
        }
        Vec::new()
    }

    pub(super) fn scroll_help(&mut self, by: isize) {
        let last = self
            .help_lines()
            .len()
            .saturating_sub(usize::from(self.size.rows.saturating_sub(3)));
        if let Some(Overlay::Help { top }) = &mut self.overlay {
            *top = top.saturating_add_signed(by).min(last);
        }
    }

    /// The keys that work where the keys go when this overlay is closed, by scope.
    pub fn help_lines(&self) -> Vec<Line> {
        let columns = usize::from(self.size.columns.min(HELP_COLUMNS)).saturating_sub(1);
        let mut lines = Vec::new();
        let scopes = self.scopes_under();
        for scope in scopes {
            if !lines.is_empty() {
                lines.push(Line::new());
            }
            lines.push(Line::of(Ink::Title, &format!(" {}", scope.title())));
            for command in command::all() {
                let keys = self.keymap.keys_of(command, &[*scope]);
                if keys.is_empty() {
                    continue;
                }
                let mut line = Line::new();
                line.push(Ink::Plain, "  ");
                line.push(Ink::Key, &keys.join("  "));
                line.fill(HELP_KEYS);
                if line.width() > HELP_KEYS {
                    // Many keys have a row of their own.
                    lines.push(std::mem::take(&mut line));
                    line.fill(HELP_KEYS);
                }
                lines.extend(wrapped(line, Ink::Plain, command.doc, columns));
            }
        }
        lines.push(Line::new());
        let palette = self.keymap.shown("palette");
        lines.push(Line::of(
            Ink::Dim,
            &format!("  {palette} finds every command by its name"),
        ));
        lines
    }
}
