//! The window of the proposals: fixes with the text before and after each, or suggestions and conflicts in some rows below
//! the turn of the selected one, with three lines about that.

use ratatui::layout::Rect;

use super::{decide, fixes, place, seen};
use crate::app::core::{App, RowMotion, Window, WindowContent};
use crate::app::input::{Command, CommandHint, Mouse, Scope, places};
use crate::app::pane::difference::differing_words;
use crate::app::pane::window_space::WindowSpace;
use crate::app::pane::{Ink, Line, elided, truncated, wrapped};
use crate::app::state::{
    Decision, FixSearch, FixSource, ProposalPlace, Proposed, ProposedChange, Review,
};
use crate::compare::ConflictLine;
use crate::corpus::{DialogRef, Origin, Proposal};
use crate::text::{grouped, width};

/// Columns of a dialog's id, and of an author's name.
const ID: usize = 16;
const BY: usize = 14;

/// Columns of a window in which files are not named in each row, and ids are shorter.
const NARROW: usize = 60;

/// The window that lists the proposals under review.
#[derive(Debug)]
pub struct ReviewWindow;

impl Window for ReviewWindow {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Review]
    }

    fn content(&self, app: &App) -> Option<WindowContent> {
        let rows = decide::rows(app);
        let list = app.review();
        let first = list.first_listed(rows);
        let columns = app.panes.window().columns();
        let mut lines = Vec::new();
        for (number, one) in list.all.iter().enumerate().skip(first).take(rows) {
            let is_chosen = number == list.chosen;
            let mut entry = vec![entry(app, one, is_chosen, columns)];
            if list.search.is_some() {
                entry.extend(changes(one, columns));
            }
            for line in &mut entry {
                line.selected = is_chosen;
            }
            lines.extend(entry);
        }
        let title = match &list.search {
            Some(search) => {
                if list.all.is_empty() {
                    lines.push(Line::of(Ink::Dim, &no_fixes(app, search)));
                }
                title_of_fixes(list, search)
            }
            None => {
                lines.extend(list.current().map(|one| details(one, columns)).unwrap_or_default());
                title(app)
            }
        };
        Some(WindowContent::new(app, rows_of_window(app), title, lines))
    }

    fn hints(&self, app: &App) -> &'static [CommandHint] {
        match app.review().conflict() {
            Some(_) => places::offers_of("conflicts"),
            None if app.fixes.is_some() => places::offers_of("fixes"),
            None => places::offers_of("suggestions"),
        }
    }

    fn frame_below_turn(&self, app: &App, space: WindowSpace) -> Rect {
        match app.fixes {
            Some(_) => Rect::default(),
            None => space.frame(rows_of_window(app)),
        }
    }

    fn on_click(&self) -> fn(&mut App, Mouse) {
        |app, mouse| {
            let frame = app.panes.window().frame(rows_of_window(app));
            let row = mouse.row.checked_sub(frame.y + 1).filter(|_| frame.contains(mouse.place()));
            let rows = decide::rows(app);
            let lines = if app.fixes.is_some() { 3 } else { 1 };
            let clicked = row.map(|row| usize::from(row) / lines).filter(|row| *row < rows);
            let clicked = clicked.map(|row| app.review().first_listed(rows) + row);
            if let Some(number) = clicked.filter(|number| *number < app.review().all.len()) {
                let chosen = app.review().chosen;
                decide::step(app, RowMotion::Steps(number as isize - chosen as isize));
            }
        }
    }

    fn on_motion(&self) -> fn(&mut App, RowMotion) {
        decide::step
    }
}

/// Returns the lines of the window: three for each fix, or one for each suggestion, and three about the selected one.
fn rows_of_window(app: &App) -> usize {
    let (list, rows) = (app.review(), decide::rows(app));
    match &list.search {
        Some(search) if search.is_going_on() => rows * 3,
        Some(_) => (list.all.len().min(rows) * 3).max(1),
        None => rows.min(list.all.len()) + 3,
    }
}

/// Says that there are no fixes here, and what may have some.
fn no_fixes(app: &App, search: &FixSearch) -> String {
    let of_mentions = matches!(search.source, FixSource::Mentions(_));
    match fixes::wider(app, search.reach) {
        _ if search.is_going_on() => " …".to_owned(),
        None if of_mentions => " every mention of this text has a segment".to_owned(),
        None => " no such fixes here; fix the remaining problems one by one".to_owned(),
        Some(wider) => {
            let key = app.key(Command::ReviewReach);
            let (here, there) = (search.reach.name(), wider.name());
            let what = if of_mentions { "no other mention" } else { "no such fixes" };
            format!(" {what} {here}; {key} searches {there}")
        }
    }
}

fn title_of_fixes(list: &Review, search: &FixSearch) -> String {
    let what = match &search.source {
        FixSource::Safe => "safe fixes".to_owned(),
        FixSource::Rule(rule) => (*rule).to_owned(),
        FixSource::Mentions(wanted) => {
            format!("label \"{}\" as {}", wanted.text, wanted.labels.join(" + "))
        }
    };
    let reach = search.reach.name();
    let (ticked, all) = (grouped(list.ticked()), grouped(list.all.len()));
    let mut title = format!("{what} {reach}: {ticked} of {all} ticked");
    if search.is_going_on() {
        let (checked, of) = search.checked;
        title = format!("{title} · searching, {} %", checked * 100 / of);
    } else if !list.all.is_empty() {
        title = format!("{title} · number {}", grouped(list.chosen + 1));
    }
    if list.made() > 0 {
        title = format!("{title} · {} taken", grouped(list.made()));
    }
    if search.more > 0 {
        title = format!("{title} · {} more", grouped(search.more));
    }
    title
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
    let ticked = list.ticked();
    if ticked > 0 {
        title = format!("{title} · {} ticked", grouped(ticked));
    }
    if let Some(file) = list.current().and_then(|one| file_of(app, one)) {
        title = format!("{title} · {file}");
    }
    if let Some(progress) = place::progress(app) {
        title = format!("{title} · {progress}");
    }
    title
}

/// Returns the name of the file of a conflict, if there are conflicts of several.
fn file_of(app: &App, one: &Proposed) -> Option<String> {
    let [file] = one.files.as_deref().filter(|_| one.as_conflict().is_some())? else {
        return None;
    };
    let name = || app.workspace.files.name(*file as usize).to_owned();
    (app.suggestions.lists.len() > 1).then(name)
}

/// Returns a row: the decision, the place, the edit, and at the right who suggests it and how sure they are.
fn entry(app: &App, one: &Proposed, chosen: bool, columns: usize) -> Line {
    let refused = matches!(one.seen, Some(Err(_)));
    let refused = refused || matches!(one.place, ProposalPlace::Nowhere(_));
    let (sign, ink) = match one.decision {
        Decision::Taken => ("[✓] ", Ink::Good),
        Decision::Both => ("[b] ", Ink::Good),
        Decision::Left => ("[-] ", Ink::Dim),
        Decision::ByHand => ("[e] ", Ink::Good),
        Decision::Open if refused => ("[!] ", Ink::Error),
        Decision::Open if one.ticked => ("[x] ", Ink::Good),
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
    let care = applicability(one).map(str::to_owned);
    let origin: Vec<_> = by.into_iter().chain(score).chain(care).collect();
    let origin = origin.join(" ");
    let what = match (&one.seen, &one.place) {
        (Some(Ok(seen)), _) => seen.title.clone(),
        (None, ProposalPlace::Unknown | ProposalPlace::At(_)) => "…".to_owned(),
        _ => match &one.change {
            ProposedChange::Fix(problem) => problem.message.clone(),
            ProposedChange::Conflict(conflict) => seen::said(conflict, one.hidden),
            ProposedChange::Record(record) => match &record.edit {
                Proposal::Quoted(quoted) => format!("\"{}\"", quoted.quote),
                Proposal::Edit(_) if one.at().is_none() => "the dialog is not known".to_owned(),
                Proposal::Edit(_) => "does not fit".to_owned(),
            },
        },
    };
    let room = columns.saturating_sub(line.width() + width(&origin) + 3);
    line.push(if refused { Ink::Dim } else { Ink::Plain }, &truncated(&what, room));
    line.fill(columns.saturating_sub(width(&origin) + 1));
    line.with(Ink::Dim, &origin)
}

/// Returns how much care a fix needs; None for other proposals.
fn applicability(one: &Proposed) -> Option<&'static str> {
    Some(one.as_fix()?.fixes.first()?.applicability.shown())
}

/// Three lines about the selected suggestion: the reason, and the text before and after.
fn details(one: &Proposed, columns: usize) -> Vec<Line> {
    if let Some(conflict) = one.as_conflict() {
        return sides(one, conflict, columns).into();
    }
    let mut lines = Vec::new();
    if matches!(one.seen, Some(Ok(_))) {
        let why = one.origin().why.filter(|_| !one.hidden);
        let why = why.unwrap_or_default().replace('\n', " ");
        let room = columns.saturating_sub(8);
        lines.push(Line::of(Ink::Dim, "     ").with(Ink::Plain, &truncated(&why, room)));
    }
    lines.extend(changes(one, columns));
    lines.resize(3, Line::new());
    lines
}

/// Two lines about a proposal, the text before and after, or up to three with the reason why it cannot be made.
fn changes(one: &Proposed, columns: usize) -> Vec<Line> {
    let seen = match (&one.place, &one.seen) {
        (ProposalPlace::Nowhere(why), _) | (_, Some(Err(why))) => {
            let head = Line::of(Ink::Error, " not possible: ");
            let mut lines = wrapped(head, Ink::Plain, why, columns.saturating_sub(1));
            lines.resize(if one.as_fix().is_some() { 2 } else { 3 }, Line::new());
            return lines;
        }
        (_, None) => return vec![Line::new(); 2],
        (_, Some(Ok(seen))) => seen,
    };
    let is_shown = !seen.before.is_empty() || !seen.after.is_empty();
    if one.decision.is_made() || !is_shown && one.as_fix().is_none() {
        return vec![Line::new(); 2];
    }
    let room = columns.saturating_sub(8);
    let side = |sign: &str, ink: Ink, text: &str| {
        let text = if text.is_empty() { "nothing" } else { text };
        Line::of(ink, &format!("     {sign} ")).with(ink, &truncated(text, room))
    };
    vec![side("-", Ink::Removed, &seen.before), side("+", Ink::Added, &seen.after)]
}

/// Three lines about a conflict: both sides, with the words that differ marked, and what was there before both, or why
/// the other side cannot be taken.
fn sides(one: &Proposed, conflict: &ConflictLine, columns: usize) -> [Line; 3] {
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
        (ProposalPlace::Nowhere(why), _) | (_, Some(Err(why))) => Some(why),
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
