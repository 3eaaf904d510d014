//! The window of the suggestions, and the change that the selected one makes.

use ratatui::layout::Rect;

use super::{place, review, seen};
use crate::app::core::{App, RowMotion, Window, WindowContent};
use crate::app::input::{CommandHint, Scope, places};
use crate::app::pane::difference::differing_words;
use crate::app::pane::window_space::WindowSpace;
use crate::app::pane::{Ink, Line, elided, truncated, wrapped};
use crate::app::state::{Decision, Suggested, SuggestionPlace};
use crate::compare::ConflictLine;
use crate::corpus::{DialogRef, Origin, Proposal};
use crate::text::{grouped, width};

/// Columns of a dialog's id, and of an author's name.
const ID: usize = 16;
const BY: usize = 14;

/// Columns of a window in which files are not named in each row, and ids are shorter.
const NARROW: usize = 60;

/// The window that lists the suggestions.
#[derive(Debug)]
pub struct SuggestionList;

impl Window for SuggestionList {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Suggestions]
    }

    fn content(&self, app: &App) -> Option<WindowContent> {
        let rows = app.panes.suggestion_rows();
        let list = &app.suggestions;
        let first = list.first_listed(rows);
        let columns = app.panes.window().columns();
        let mut lines = Vec::new();
        for (number, one) in list.all.iter().enumerate().skip(first).take(rows) {
            let mut line = entry(app, one, number == list.chosen, columns);
            line.selected = number == list.chosen;
            lines.push(line);
        }
        lines.extend(list.current().map(|one| details(one, columns)).unwrap_or_default());
        Some(WindowContent::new(app, rows_of_window(app), title(app), lines))
    }

    fn hints(&self, app: &App) -> &'static [CommandHint] {
        match app.suggestions.conflict() {
            Some(_) => places::offers_of("conflicts"),
            None => places::offers_of("suggestions"),
        }
    }

    fn frame_below_turn(&self, app: &App, space: WindowSpace) -> Rect {
        space.frame(rows_of_window(app))
    }

    fn on_motion(&self) -> fn(&mut App, RowMotion) {
        review::step
    }
}

/// Returns the lines of the window: some rows of the list, and three about the selected one.
fn rows_of_window(app: &App) -> usize {
    app.panes.suggestion_rows().min(app.suggestions.all.len()) + 3
}

fn title(app: &App) -> String {
    let list = &app.suggestions;
    let (number, all) = (grouped(list.chosen + 1), grouped(list.all.len()));
    let mut title = match list.conflict() {
        None => {
            let taken = grouped(list.made());
            format!("suggestion {number} of {all} · {taken} taken")
        }
        Some(conflict) => {
            let noun = match &conflict.sides {
                Some(_) => "difference",
                None => "conflict",
            };
            let open = grouped(list.open());
            format!("{noun} {number} of {all} · {open} open")
        }
    };
    if let Some(file) = list.current().and_then(|one| file_of(app, one)) {
        title = format!("{title} · {file}");
    }
    if let Some(progress) = place::progress(app) {
        title = format!("{title} · {progress}");
    }
    title
}

/// Returns the name of the file of a conflict, if there are conflicts of several.
fn file_of(app: &App, one: &Suggested) -> Option<String> {
    let [file] = one.files.as_deref().filter(|_| one.as_conflict().is_some())? else {
        return None;
    };
    let name = || app.workspace.files.name(*file as usize).to_owned();
    (app.suggestions.lists.len() > 1).then(name)
}

/// Returns a row: the decision, the place, the edit, and at the right who suggests it and how sure they are.
fn entry(app: &App, one: &Suggested, chosen: bool, columns: usize) -> Line {
    let refused = matches!(one.seen, Some(Err(_)));
    let refused = refused || matches!(one.place, SuggestionPlace::Nowhere(_));
    let is_conflict = one.as_conflict().is_some();
    let (sign, ink) = match one.decision {
        Decision::Taken if is_conflict => ("[t] ", Ink::Good),
        Decision::Taken => ("[x] ", Ink::Good),
        Decision::Both => ("[b] ", Ink::Good),
        Decision::Left if is_conflict => ("[o] ", Ink::Good),
        Decision::Left => ("[-] ", Ink::Dim),
        Decision::ByHand => ("[e] ", Ink::Good),
        Decision::Open if refused => ("[!] ", Ink::Error),
        Decision::Open => ("[ ] ", Ink::Dim),
    };
    let mut line = Line::of(Ink::Strong, if chosen { "▸" } else { " " }).with(ink, sign);
    let is_narrow = columns < NARROW;
    let id_columns = if is_narrow { ID / 2 } else { ID };
    let summary = one.at().and_then(|at| app.workspace.files.summary(at));
    let dialog = match (summary, &one.dialog()) {
        (Some(summary), _) if !summary.id.is_empty() => elided(&summary.id, id_columns),
        (_, DialogRef::Id(id)) if id.is_empty() => "the file".to_owned(),
        (_, DialogRef::Id(id)) => elided(id, id_columns),
        (_, DialogRef::Number(number)) => format!("dialog {number}"),
    };
    // The title has it, too.
    if let Some(file) = file_of(app, one).filter(|_| !is_narrow) {
        line.push(Ink::Dim, &format!("{} ", elided(&file, ID)));
    }
    line.push(Ink::Title, &format!("{dialog} "));
    if one.is_of_turn() {
        line.push(Ink::Dim, &format!("turn {} ", one.turn()));
    }
    let hidden = one.hidden;
    let Origin { by, score, .. } = one.origin();
    let by = by.as_deref().map(|by| elided(by, BY));
    let score = score.filter(|_| !hidden).map(|score| format!("{score:.2}"));
    let origin: Vec<_> = by.into_iter().chain(score).collect();
    let origin = origin.join(" ");
    let quoted = one.as_record().and_then(|record| match &record.proposal {
        Proposal::Quoted(quoted) => Some(&quoted.quote),
        Proposal::Edit(_) => None,
    });
    let what = match (&one.seen, &one.place) {
        (Some(Ok(seen)), _) => seen.title.clone(),
        (None, SuggestionPlace::Unknown | SuggestionPlace::At(_)) => "…".to_owned(),
        _ => match (one.as_conflict(), quoted) {
            (Some(conflict), _) => seen::said(conflict, one.hidden),
            (None, Some(quote)) => format!("\"{quote}\""),
            (None, None) if one.at().is_none() => "its dialog is not known".to_owned(),
            (None, None) => "does not fit".to_owned(),
        },
    };
    let room = columns.saturating_sub(line.width() + width(&origin) + 3);
    line.push(if refused { Ink::Dim } else { Ink::Plain }, &truncated(&what, room));
    line.fill(columns.saturating_sub(width(&origin) + 1));
    line.with(Ink::Dim, &origin)
}

/// Three lines about the selected suggestion: the reason, and the text before and after.
fn details(one: &Suggested, columns: usize) -> [Line; 3] {
    if let Some(conflict) = one.as_conflict() {
        return sides(one, conflict, columns);
    }
    let room = columns.saturating_sub(8);
    let bad = |why: &str| {
        let head = Line::of(Ink::Error, " not possible: ");
        let mut lines = wrapped(head, Ink::Plain, why, columns.saturating_sub(1)).into_iter();
        [(); 3].map(|()| lines.next().unwrap_or_default())
    };
    let seen = match (&one.place, &one.seen) {
        (SuggestionPlace::Nowhere(why), _) | (_, Some(Err(why))) => return bad(why),
        (_, None) => return [Line::new(), Line::new(), Line::new()],
        (_, Some(Ok(seen))) => seen,
    };
    let why = one.origin().why.filter(|_| !one.hidden);
    let why = why.unwrap_or_default().replace('\n', " ");
    let side = |sign: &str, ink: Ink, text: &str| {
        let text = if text.is_empty() { "nothing" } else { text };
        Line::of(ink, &format!("     {sign} ")).with(ink, &truncated(text, room))
    };
    let why = Line::of(Ink::Dim, "     ").with(Ink::Plain, &truncated(&why, room));
    if one.decision.is_made() || seen.before.is_empty() && seen.after.is_empty() {
        return [why, Line::new(), Line::new()];
    }
    [why, side("-", Ink::Removed, &seen.before), side("+", Ink::Added, &seen.after)]
}

/// Three lines about a conflict: both sides, with the words that differ marked, and what was there before both, or why
/// the other side cannot be taken.
fn sides(one: &Suggested, conflict: &ConflictLine, columns: usize) -> [Line; 3] {
    let [ours, theirs] = conflict.names().map(|name| elided(name, BY));
    let names = width(&ours).max(width(&theirs)).max("before".len());
    let room = columns.saturating_sub(names + 7);
    let hidden = one.hidden;
    let said = |side: &Option<String>| match side {
        _ if hidden => "hidden until you have judged the turn".to_owned(),
        Some(said) => said.clone(),
        None => "nothing".to_owned(),
    };
    let [one_said, other_said] = [&conflict.ours, &conflict.theirs].map(said);
    let [own, other] = differing_words([&one_said, &other_said], room);
    let line = |name: &str, runs: Line| {
        let mut line = Line::of(Ink::Dim, &format!("     {name}"));
        line.fill(names + 7);
        line.runs.extend(runs.runs);
        line
    };
    let why = match (&one.place, &one.seen) {
        (SuggestionPlace::Nowhere(why), _) | (_, Some(Err(why))) => Some(why),
        _ => None,
    };
    let last = match (why, &conflict.base) {
        (Some(why), _) => {
            let head = Line::of(Ink::Error, "     not possible: ");
            let room = columns.saturating_sub(head.width() + 1);
            head.with(Ink::Plain, &truncated(why, room))
        }
        (None, Some(_)) => {
            let base = Line::of(Ink::Plain, &truncated(&said(&conflict.base), room));
            line("before", base)
        }
        (None, None) => Line::new(),
    };
    [line(&ours, own), line(&theirs, other), last]
}
