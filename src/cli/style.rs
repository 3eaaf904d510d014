//! The few styles of printed output, for a [`Printer`](super::printer::Printer) to use if styles are on.

use std::path::Path;

use anstyle::{AnsiColor, Style};

use crate::app::pane::Ink;
use crate::dialog::Role;
use crate::text::visible;

pub const ERROR: Style = AnsiColor::Red.on_default().bold();
pub const PLAIN: Style = Style::new();
pub const PLACE: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
pub const LABEL: Style = AnsiColor::Cyan.on_default();
pub const CALL: Style = AnsiColor::Magenta.on_default();
pub const USER: Style = AnsiColor::Green.on_default().bold();
pub const SYSTEM: Style = AnsiColor::Blue.on_default().bold();
pub const ADDED: Style = AnsiColor::Green.on_default();
pub const REMOVED: Style = AnsiColor::Red.on_default();
pub const HUNK: Style = AnsiColor::Cyan.on_default();

/// Returns the style of an ink of the screen.
pub fn of(ink: Ink) -> Style {
    match ink {
        Ink::Title | Ink::Strong | Ink::Speaker(Role::Context | Role::Other) => PLACE,
        Ink::Speaker(Role::User) => USER,
        Ink::Speaker(Role::System) => SYSTEM,
        Ink::Dim => DIM,
        Ink::Key | Ink::Label(_) | Ink::Barred(_) | Ink::Changed => LABEL,
        Ink::Call => CALL,
        Ink::Error | Ink::Warning => ERROR,
        Ink::Added | Ink::Good => ADDED,
        Ink::Removed => REMOVED,
        Ink::Plain | Ink::Vote(_) | Ink::Name | Ink::Text | Ink::Number => PLAIN,
    }
}

/// Returns `path` made safe for a terminal and for a command line: file names may contain control characters, or begin
/// with a hyphen.
pub fn shown(path: &Path) -> String {
    let shown = visible(&path.to_string_lossy()).into_owned();
    if shown.starts_with('-') && shown.len() > 1 { format!("./{shown}") } else { shown }
}

/// Returns the width of the terminal, up to a readable limit, in columns; 100 in a pipe.
pub fn terminal_columns() -> usize {
    let size = terminal_size::terminal_size_of(std::io::stdout());
    size.map_or(100, |(columns, _)| usize::from(columns.0).min(120))
}
