//! The project's guideline, in a window with the keys of the help.

use crate::app::core::{App, Pager};
use crate::app::manual::{Page, indented};
use crate::app::pane::{Ink, Line, wrapped};
use crate::app::state::Guideline;

/// Opens the guideline where it was left.
pub fn open_guideline(app: &mut App) {
    if let Some(guideline) = app.judging.guideline.clone() {
        let title = format!("Guideline: {}", guideline.name);
        let make = move |_: &App, columns: usize| laid_out(&guideline, columns);
        let pager = Pager::new(title, "guideline", make).where_left(app);
        app.windows.open(pager);
    }
}

/// Lays out a guideline, which is Markdown or plain text.
fn laid_out(guideline: &Guideline, columns: usize) -> Page {
    if guideline.is_markdown() {
        return indented(&guideline.text, columns);
    }
    let line = |line| wrapped(Line::of(Ink::Plain, " "), Ink::Plain, line, columns - 1);
    Page { lines: guideline.text.lines().flat_map(line).collect(), links: Vec::new() }
}
