//! The last row while it shows no message: the most useful keys of the current place, each with a word
//! or two, and the progress of a search.

use crate::app::commands;
use crate::app::core::{App, Command, Overlay};
use crate::app::feature::problems::problem;
use crate::app::input::Scope;
use crate::app::pane::details::PROBLEMS;
use crate::app::pane::{Focus, Item, truncated};
use crate::app::state::Subject;
use crate::text::{counted, grouped, width};

/// A key and a word for its command.
#[derive(Debug)]
pub struct Hint<'k> {
    /// Its first column.
    pub x: u16,
    pub key: &'k str,
    pub word: &'static str,
    pub command: &'static Command,
}

/// A command and a word or two for it.
type CommandHint = (&'static Command, &'static str);

// The hints of each place, the most useful first.
const DIALOGS: &[CommandHint] = &[
    (&commands::LIST_DOWN, "next"),
    (&commands::FOCUS_TRANSCRIPT, "read"),
    (&commands::FILTER, "filter"),
    (&commands::SORT, "sort"),
    (&commands::GOTO_DIALOG, "go to"),
    (&commands::SEARCH, "find"),
    (&commands::FOCUS_NEXT, "pane"),
    (&commands::HELP, "help"),
    (&commands::QUIT, "quit"),
];
const TRANSCRIPT: &[CommandHint] = &[
    (&commands::TURN_NEXT, "turn"),
    (&commands::SEGMENT_NEXT, "segment"),
    (&commands::SPAN_ENTER, "edit"),
    (&commands::DIALOG_NEXT, "dialog"),
    (&commands::SEARCH, "find"),
    (&commands::FIND_LABEL, "label"),
    (&commands::FIND_API, "API"),
    (&commands::TAB_NEXT, "details"),
    (&commands::FOCUS_NEXT, "pane"),
    (&commands::HELP, "help"),
    (&commands::QUIT, "quit"),
];
const JUDGING: &[CommandHint] = &[
    (&commands::VOTE_O, "no breakdown"),
    (&commands::VOTE_T, "possible"),
    (&commands::VOTE_X, "breakdown"),
    (&commands::VOTE_COMMENT, "comment"),
    (&commands::VOTE_WITHDRAW, "withdraw"),
    (&commands::VOTE_SKIP, "skip"),
    (&commands::BLIND, "blind"),
    (&commands::UNDO, "undo"),
    (&commands::TURN_NEXT, "turn"),
    (&commands::DIALOG_NEXT, "dialog"),
    (&commands::HELP, "help"),
    (&commands::QUIT, "quit"),
];
const SPAN: &[CommandHint] = &[
    (&commands::CARET_RIGHT, "caret"),
    (&commands::SELECT_WORD_RIGHT, "select word"),
    (&commands::END_RIGHT, "end →"),
    (&commands::END_LEFT, "← end"),
    (&commands::START_LEFT, "← start"),
    (&commands::START_RIGHT, "start →"),
    (&commands::ADD_SEGMENT, "add"),
    (&commands::RELABEL, "label"),
    (&commands::DELETE_SEGMENT, "delete"),
    (&commands::UNDO, "undo"),
    (&commands::HELP, "help"),
    (&commands::SPAN_LEAVE, "done"),
];
const SEGMENT: &[CommandHint] = &[
    (&commands::END_RIGHT, "end →"),
    (&commands::END_LEFT, "← end"),
    (&commands::RELABEL, "label"),
    (&commands::DELETE_SEGMENT, "delete"),
];
const ITEMS: &[CommandHint] = &[
    (&commands::DETAILS_DOWN, "choose"),
    (&commands::ITEM_CHANGE, "change"),
    (&commands::ITEM_ADD, "add"),
    (&commands::ITEM_RENAME, "rename"),
    (&commands::ITEM_DELETE, "delete"),
    (&commands::UNDO, "undo"),
    (&commands::TAB_NEXT, "next tab"),
    (&commands::BACK, "transcript"),
    (&commands::HELP, "help"),
    (&commands::QUIT, "quit"),
];
const LEADING: &[CommandHint] = &[
    (&commands::DETAILS_DOWN, "choose"),
    (&commands::ITEM_CHANGE, "go to"),
    (&commands::FIX, "fix"),
    (&commands::IGNORE, "ignore"),
    (&commands::UNDO, "undo"),
    (&commands::TAB_NEXT, "next tab"),
    (&commands::BACK, "transcript"),
    (&commands::HELP, "help"),
    (&commands::QUIT, "quit"),
];
const BALLOT: &[CommandHint] = &[
    (&commands::DETAILS_DOWN, "choose"),
    (&commands::VOTE_O, "not a breakdown"),
    (&commands::VOTE_T, "possible"),
    (&commands::VOTE_X, "breakdown"),
    (&commands::ITEM_DELETE, "remove"),
    (&commands::UNDO, "undo"),
    (&commands::TAB_NEXT, "next tab"),
    (&commands::BACK, "transcript"),
    (&commands::HELP, "help"),
    (&commands::QUIT, "quit"),
];
const MENDABLE: &[CommandHint] = &[
    (&commands::FIX, "fix"),
    (&commands::IGNORE, "ignore"),
    (&commands::END_RIGHT, "end →"),
    (&commands::END_LEFT, "← end"),
    (&commands::RELABEL, "label"),
    (&commands::DELETE_SEGMENT, "delete"),
];
const DETAILS: &[CommandHint] = &[
    (&commands::DETAILS_DOWN, "scroll"),
    (&commands::TAB_NEXT, "next tab"),
    (&commands::BACK, "transcript"),
    (&commands::SEARCH, "find"),
    (&commands::FOCUS_NEXT, "pane"),
    (&commands::HELP, "help"),
    (&commands::QUIT, "quit"),
];
/// For a pane without keys of its own.
const ELSEWHERE: &[CommandHint] = &[
    (&commands::BACK, "transcript"),
    (&commands::SEARCH, "find"),
    (&commands::FOCUS_NEXT, "pane"),
    (&commands::HELP, "help"),
    (&commands::QUIT, "quit"),
];
const REVIEW: &[CommandHint] = &[
    (&commands::REVIEW_ACCEPT, "apply"),
    (&commands::REVIEW_TICK, "select"),
    (&commands::REVIEW_CANCEL, "cancel"),
    (&commands::REVIEW_REACH, "dialog, file, all"),
    (&commands::REVIEW_TICK_ALL, "all, none"),
    (&commands::REVIEW_DOWN, "next"),
];
const HELP: &[CommandHint] = &[
    (&commands::HELP_DOWN, "scroll"),
    (&commands::HELP_LINK_NEXT, "manual"),
    (&commands::HELP_BACK, "close"),
];
const CHAPTER: &[CommandHint] = &[
    (&commands::HELP_DOWN, "scroll"),
    (&commands::HELP_LINK_NEXT, "link"),
    (&commands::HELP_BACK, "back"),
    (&commands::HELP_CLOSE, "close"),
];
const LINK: &[CommandHint] = &[
    (&commands::HELP_OPEN, "open"),
    (&commands::HELP_LINK_NEXT, "next"),
    (&commands::HELP_LINK_PREVIOUS, "previous"),
    (&commands::HELP_BACK, "back"),
];
const SEARCH: &[CommandHint] = &[
    (&commands::FIND_NEXT, "next"),
    (&commands::FIND_PREVIOUS, "previous"),
    (&commands::BACK, "end search"),
];

impl Hint<'_> {
    /// Columns of its key and its word.
    fn width(&self) -> u16 {
        (width(self.key) + 1 + width(self.word)) as u16
    }
}

/// Columns between two hints.
const GAP: u16 = 2;

/// Returns the text at the right of the last row: the keys typed so far, and the progress of the search.
pub fn position_hint(app: &App) -> String {
    let mut right = String::new();
    if let Some(count) = app.input.pending.count {
        right = format!(" {count}");
    }
    for key in &app.input.pending.keys {
        right = format!("{right} {}", key.shown(app.input.keymap.names));
    }
    if let Some(query) = &app.search.query {
        let state = if app.search.done {
            String::new()
        } else {
            format!(" · {} searched", grouped(app.search.searched))
        };
        let found = format!(
            "{} in {}",
            grouped(app.search.count()),
            counted(app.search.dialogs(), "dialog")
        );
        let query = query.to_string();
        let query = query.trim_end_matches(':');
        // The message at the left names the query already.
        right = if app.status.is_about(Subject::Hit) {
            format!("{right} {found}{state}")
        } else {
            format!("{right} {query}: {found}{state}")
        };
    }
    truncated(&right, usize::from(app.panes.size.width) / 2)
}

/// Returns the most useful keys here, as many as there is room for, always including the last two.
pub fn hints(app: &App) -> Vec<Hint<'_>> {
    let columns = app.panes.size.width.saturating_sub(1);
    let room = columns.saturating_sub(width(&position_hint(app)) as u16);
    let (found, table) = (found_here(app), table(app));
    let always = if app.overlay.open.is_none() { 2 } else { 0 };
    let (some, last) = table.split_at(table.len().saturating_sub(always));
    let scopes = app.scopes();
    let hint = |(command, word): &CommandHint| {
        let key = app.input.keymap.hint(command.name, scopes)?;
        (command.can)(app).ok()?;
        let x = 0;
        Some(Hint {
            x,
            key,
            word,
            command,
        })
    };
    let last: Vec<_> = last.iter().filter_map(hint).collect();
    let taken: u16 = last.iter().map(|hint| hint.width() + GAP).sum();
    let mut left = room.saturating_sub(taken + 1);
    let mut fitting = |table: &'static [CommandHint]| {
        let fits = |hint: &Hint<'_>| {
            let rest = left.checked_sub(hint.width() + GAP);
            rest.inspect(|rest| left = *rest).is_some()
        };
        table.iter().filter_map(hint).take_while(fits).collect()
    };
    // Hints for the current problem, segment or search get room first but come last, so that the others
    // keep their places from turn to turn, for the eye and for the mouse.
    let found: Vec<_> = fitting(found);
    let mut shown: Vec<_> = fitting(some);
    shown.extend(found);
    let mut x = 1;
    shown.extend(last);
    for hint in &mut shown {
        hint.x = x;
        x += hint.width() + GAP;
    }
    shown.retain(|hint| hint.x < room);
    shown
}

/// Returns the command of the hint in a column of the last row; None while the row shows a message.
pub fn hint_at(app: &App, column: u16) -> Option<&'static Command> {
    if !app.status.is_empty() {
        return None;
    }
    let hints = hints(app).into_iter();
    let mut there = hints.filter(|hint| (hint.x..hint.x + hint.width()).contains(&column));
    there.next().map(|hint| hint.command)
}

/// Returns the hints for the current problem, segment or search.
fn found_here(app: &App) -> &'static [CommandHint] {
    if app.overlay.open.is_some() {
        return &[];
    }
    let searching = app.search.query.is_some() && app.panes.transcript.caret.is_none();
    let reading = app.scopes() == [Scope::Transcript, Scope::Everywhere];
    let segment = app.panes.transcript.segment.is_some() && reading;
    let wrong =
        app.panes.focus == Focus::Transcript && problem::problems_here(app).next().is_some();
    let fixable = wrong && problem::problems_here(app).any(|d| !d.fixes.is_empty());
    match (segment, searching) {
        (true, _) if fixable => MENDABLE,
        (true, _) if wrong => &MENDABLE[1..],
        (false, false) if fixable => &MENDABLE[..2],
        (false, false) if wrong => &MENDABLE[1..2],
        (true, _) => SEGMENT,
        (false, true) => SEARCH,
        (false, false) => &[],
    }
}

fn table(app: &App) -> &'static [CommandHint] {
    match &app.overlay.open {
        Some(Overlay::Question(_)) => return &[],
        Some(Overlay::Review(_)) => return REVIEW,
        Some(Overlay::Help(help)) if help.has_chosen() => return LINK,
        Some(Overlay::Help(help)) if help.chapter.is_some() => return CHAPTER,
        Some(Overlay::Help(_)) => return HELP,
        Some(Overlay::Prompt(_)) | None => {}
    }
    match app.scopes_under()[0] {
        Scope::Dialogs => DIALOGS,
        Scope::Span => SPAN,
        Scope::Judging => JUDGING,
        Scope::Transcript => TRANSCRIPT,
        Scope::Details => match app.panes.details.item() {
            Some(Item::Vote { .. }) => BALLOT,
            _ if app.panes.details.shown == PROBLEMS => LEADING,
            _ if app.panes.details.has_items() => ITEMS,
            _ => DETAILS,
        },
        _ => ELSEWHERE,
    }
}
