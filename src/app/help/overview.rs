//! The first lines of the help: the commands needed most in the current pane or mode.

use crate::app::core::{App, Unavailable};
use crate::app::help::keys::keys_here;
use crate::app::input::places::{self, HelpRow, Place};
use crate::app::input::{Command, Scope};
use crate::app::pane::{Ink, Line, truncated};

/// Returns the current pane or mode.
pub fn place(app: &App) -> Option<&'static Place> {
    places::place(match app.scopes_under()[0] {
        Scope::Dialogs => "help_list",
        Scope::Span => "help_span",
        Scope::Judging => "help_judging",
        Scope::Details => "help_details",
        _ => "help_reading",
    })
}

/// Columns before the keys.
const MARGIN: usize = 10;
/// Space between two commands.
const GAP: &str = "   ";

/// Lists the commands of the current pane or mode, one task a line, as many as fit into `columns`.
pub fn lines(app: &App, columns: usize) -> Vec<Line> {
    let rows = place(app).map_or(&[][..], |place| &place.rows).iter();
    rows.filter_map(|row| line(app, row, columns)).collect()
}

fn line(app: &App, row: &HelpRow, columns: usize) -> Option<Line> {
    let mut line = Line::of(Ink::Plain, "  ").with(Ink::Title, row.task);
    line.fill(MARGIN);
    let mut is_empty = true;
    for (commands, word) in &row.offers {
        let keys = commands.iter().filter_map(|command| key(app, *command));
        let keys: Vec<_> = keys.collect();
        if keys.is_empty() {
            continue;
        }
        let mut next = Line::of(Ink::Key, &keys.join(" "));
        if !word.is_empty() {
            next = next.with(Ink::Plain, &format!(" {word}"));
        }
        let gap = if is_empty { "" } else { GAP };
        if line.width() + gap.len() + next.width() > columns {
            if is_empty {
                let room = columns.saturating_sub(line.width());
                line.push(Ink::Plain, &truncated(&next.text(), room));
                is_empty = false;
            }
            break;
        }
        line.push(Ink::Plain, gap);
        line.runs.extend(next.runs);
        is_empty = false;
    }
    (!is_empty).then_some(line)
}

/// Returns the key of a command here, or its name in the palette; None if it cannot work here.
fn key(app: &App, command: Command) -> Option<String> {
    if let Err(Unavailable::Here(_)) = app.can(command) {
        return None;
    }
    // Commands of the help have keys only in its own scope.
    let in_help = app.input.keymap.keys_of(command, &[Scope::Help]);
    let key = keys_here(app, command).into_iter().chain(in_help).next();
    let named = || command.row().in_palette.then(|| format!(":{}", command.name()));
    key.map(str::to_owned).or_else(named)
}
