//! Figures as text in a window: answers by system and position, the work of annotators, and who made the parts of the
//! dialog what they are.

use crate::app::core::{App, Effect, FiguresOf, Pager};
use crate::app::manual::Page;
use crate::app::pane::{Ink, Line, wrapped};

/// Shows the answers in the open files by system and by position.
pub fn show_groups(app: &mut App) {
    // Hidden votes are left out; of other answers that cannot be seen turn by turn.
    let hidden =
        app.asks_for_judgements().then(|| app.would_tell_votes("the answers of all annotators"));
    match hidden.flatten() {
        Some(why) => app.complain(why),
        None => open(app, "Answers by system and position", FiguresOf::Groups),
    }
}

/// Shows the work of all annotators.
pub fn show_team(app: &mut App) {
    let what = "the work of all annotators";
    match app.would_tell_votes(what).or_else(|| app.would_tell_sides(what)) {
        Some(why) => app.complain(why),
        None => open(app, "The work of all annotators", FiguresOf::Team),
    }
}

/// Shows who made the parts of the open dialog what they are.
pub fn show_blame(app: &mut App) {
    let what = "showing who changed what";
    let hidden = app.would_tell_votes(what).or_else(|| app.would_tell_sides(what));
    if let Some(why) = hidden.or_else(|| app.would_tell_later(what)) {
        return app.complain(why);
    }
    let (at, turn) = app.place();
    open(app, "Who changed what in the dialog", FiguresOf::Blame { at, turn });
}

/// Opens a window for figures, and asks for them.
fn open(app: &mut App, title: &str, of: FiguresOf) {
    app.windows.lists += 1;
    let number = app.windows.lists;
    let mut pager = Pager::new(title, "guideline", |_, _| page("reading …", usize::MAX));
    pager.job = number;
    app.windows.open(pager);
    app.request(Effect::Figures { number, of });
}

/// Shows the figures, or how far they are read; ends the job if its window is closed. A newer one has ended it already.
pub fn on_figures(app: &mut App, number: u64, text: String, first: usize) {
    match app.windows.get_mut::<Pager>() {
        Some(pager) if pager.job == number => {
            pager.show(move |_, columns| page(&text, columns), first);
        }
        Some(pager) if pager.job > 0 => {}
        _ => app.request(Effect::CancelFigures),
    }
}

/// Lays out a text; what is too long for a line goes on below it, indented.
fn page(text: &str, columns: usize) -> Page {
    let line = |line: &str| {
        let mut lines = wrapped(Line::of(Ink::Plain, " "), Ink::Plain, line, columns);
        for more in lines.iter_mut().skip(1) {
            more.runs.splice(0..0, Line::of(Ink::Plain, "    ").runs);
        }
        lines
    };
    Page { lines: text.lines().flat_map(line).collect(), links: Vec::new() }
}
