//! The last row: the most useful keys of the current place, each with a word or two, beside a message if
//! both fit, and the progress of a search.

use std::borrow::Cow;

use crate::app::commands;
use crate::app::core::{App, Command, Overlay, names};
use crate::app::feature::problems::problem;
use crate::app::input::Scope;
use crate::app::pane::details::PROBLEMS;
use crate::app::pane::{Focus, Item, elided, truncated};
use crate::app::state::Subject;
use crate::dialog::EditKind;
use crate::query::NameKind;
use crate::text::{counted, grouped, visible, width};

/// A key and a word for its command.
#[derive(Debug)]
pub struct Hint<'k> {
    /// Its first column.
    pub x: u16,
    pub key: &'k str,
    pub word: Cow<'static, str>,
    pub command: &'static Command,
    /// The number that the command gets.
    pub count: Option<usize>,
}

/// A command and a word or two for it.
type CommandHint = (&'static Command, &'static str);

/// The word for the command that goes to the next problem while there is no search.
const NEXT_PROBLEM: &str = "problem";

// The hints of each place, the most useful first.
const DIALOGS: &[CommandHint] = &[
    (&commands::LIST_DOWN, "next"),
    (&commands::LIST_OPEN, "read"),
    (&commands::FILTER, "filter"),
    (&commands::SORT, "sort"),
    (&commands::LIST_FOLD, "fold"),
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
    (&commands::FIND_NEXT, NEXT_PROBLEM),
    (&commands::SEARCH, "find"),
    (&commands::FIND_LABEL, "label"),
    (&commands::FIND_API, "API"),
    (&commands::TAB_NEXT, "details"),
    (&commands::EDIT_TEXT, "text"),
    (&commands::FOCUS_NEXT, "pane"),
    (&commands::PALETTE, "commands"),
    (&commands::SHOW_PROBLEMS, "problems"),
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
const ADJUDICATING: &[CommandHint] = &[
    (&commands::VOTE_O, "gold O"),
    (&commands::VOTE_T, "gold T"),
    (&commands::VOTE_X, "gold X"),
    (&commands::VOTE_COMMENT, "reason"),
    (&commands::VOTE_WITHDRAW, "remove"),
    (&commands::VOTE_SKIP, "skip"),
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
/// While text is selected; the labels of the digits come after them.
const SELECTION: &[CommandHint] = &[
    (&commands::SELECT_WORD_RIGHT, "select word"),
    (&commands::ADD_SEGMENT, "add"),
    (&commands::SEGMENT_TO_SELECTION, "resize"),
    (&commands::HELP, "help"),
    (&commands::SPAN_LEAVE, "drop"),
];
const SEGMENT: &[CommandHint] = &[
    (&commands::END_RIGHT, "end →"),
    (&commands::END_LEFT, "← end"),
    (&commands::RELABEL, "label"),
    (&commands::DELETE_SEGMENT, "delete"),
];
const CALLS: &[CommandHint] = &[
    (&commands::DETAILS_DOWN, "choose"),
    (&commands::ITEM_CHANGE, "change"),
    (&commands::ITEM_ADD, "add"),
    (&commands::ITEM_RENAME, "rename"),
    (&commands::ITEM_DELETE, "delete"),
    (&commands::UNDO, "undo"),
    (&commands::TOGGLE_CALL, "fold"),
    (&commands::TAB_NEXT, "next tab"),
    (&commands::BACK, "transcript"),
    (&commands::HELP, "help"),
    (&commands::QUIT, "quit"),
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
    (&commands::VOTE_O, "gold O"),
    (&commands::VOTE_T, "gold T"),
    (&commands::VOTE_X, "gold X"),
    (&commands::CHANGE_VOTE_O, "make it O"),
    (&commands::CHANGE_VOTE_T, "T"),
    (&commands::CHANGE_VOTE_X, "X"),
    (&commands::ITEM_DELETE, "remove vote"),
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
const UNFIXABLE: &[CommandHint] = &[
    (&commands::FIND_NEXT, "next"),
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
const SUGGESTIONS: &[CommandHint] = &[
    (&commands::SUGGESTION_TAKE, "take"),
    (&commands::SUGGESTION_LEAVE, "leave"),
    (&commands::SUGGESTIONS_CLOSE, "end"),
    (&commands::REVIEW_DOWN, "next"),
    (&commands::REVIEW_UP, "previous"),
    (&commands::END_RIGHT, "end right"),
    (&commands::END_LEFT, "end left"),
    (&commands::START_RIGHT, "start right"),
    (&commands::START_LEFT, "start left"),
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

/// While the file has unsaved edits.
const UNSAVED: &[CommandHint] = &[(&commands::SAVE, "save"), (&commands::UNDO, "undo")];

impl<'k> Hint<'k> {
    /// Returns the hint of a command that has a key here and can run.
    fn new(app: &'k App, (command, word): &CommandHint) -> Option<Self> {
        let key = app.input.keymap.hint(command.name, app.scopes())?;
        (command.can)(app)
            .ok()
            .filter(|()| has_use(app, command, word))?;
        Some(Self {
            x: 0,
            key,
            word: Cow::Borrowed(word),
            command,
            count: None,
        })
    }

    /// Columns of its key and its word.
    fn width(&self) -> u16 {
        (width(self.key) + 1 + width(&self.word)) as u16
    }
}

/// True unless a command searches for something that dialogs like this one do not have.
fn has_use(app: &App, command: &Command, word: &str) -> bool {
    if word == NEXT_PROBLEM {
        let searching = app.search.query.is_some();
        !searching && (commands::SHOW_PROBLEMS.can)(app).is_ok()
    } else if command == &commands::FIND_API {
        let anywhere = app.workspace.names.any(NameKind::Api);
        app.panes.transcript.has(EditKind::Calls) || app.holds(EditKind::Calls) && anywhere
    } else if command == &commands::FIND_LABEL {
        app.holds(EditKind::Segments) || app.holds(EditKind::Acts)
    } else {
        true
    }
}

/// Columns between two hints.
const GAP: u16 = 2;
/// Columns between a message and the hints.
const AFTER_MESSAGE: usize = 3;
/// Columns of a label.
const LABEL: usize = 16;
const DIGITS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

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

/// Returns the most useful keys here, as many as there is room for; without a message, always including
/// the last two. With a message, the hints for the current problem, segment or search come first.
pub fn hints(app: &App) -> Vec<Hint<'_>> {
    let columns = app.panes.size.width.saturating_sub(1);
    let room = columns.saturating_sub(width(&position_hint(app)) as u16);
    let start = message_end(app, room);
    let table = table(app).iter().filter_map(|hint| Hint::new(app, hint));
    let mut table: Vec<_> = table.collect();
    let always = match app.overlay.open {
        None if app.status.is_empty() => 2,
        _ => 0,
    };
    let last = table.split_off(table.len().saturating_sub(always));
    let taken: u16 = last.iter().map(|hint| hint.width() + GAP).sum();
    let mut left = room.saturating_sub(taken + start);
    // Hints for the current problem, segment or search get room first but come last, so that the others
    // keep their places from turn to turn, for the eye and for the mouse.
    let mut found = hints_for_current(app, left / 4 * 3);
    let message = app.status.text();
    let names = |key: &str| {
        ["·", ";"]
            .iter()
            .any(|sign| message.contains(&format!("{sign} {key} ")))
    };
    found.retain(|hint| !names(hint.key));
    let mut found = fit(found, &mut left);
    table.retain(|hint| !found.iter().any(|found| found.key == hint.key));
    let mut shown = fit(table, &mut left);
    if app.status.is_empty() {
        shown.extend(found);
    } else {
        found.extend(shown);
        shown = found;
    }
    shown.extend(last);
    let mut x = start;
    for hint in &mut shown {
        hint.x = x;
        x += hint.width() + GAP;
    }
    shown.retain(|hint| hint.x < room);
    shown
}

/// Returns the first hints that fit into `left` columns, and subtracts theirs.
fn fit<'k>(hints: Vec<Hint<'k>>, left: &mut u16) -> Vec<Hint<'k>> {
    let fits = |hint: &Hint<'_>| {
        let rest = left.checked_sub(hint.width() + GAP);
        rest.inspect(|rest| *left = *rest).is_some()
    };
    hints.into_iter().take_while(fits).collect()
}

/// Returns the first column for hints, after the message.
fn message_end(app: &App, room: u16) -> u16 {
    let message = app.status.text();
    if message.is_empty() {
        1
    } else if message.contains('\n') {
        room
    } else {
        let end = 1 + width(&visible(&message)) + AFTER_MESSAGE;
        u16::try_from(end).unwrap_or(room).min(room)
    }
}

/// Returns the command of the hint in a column of the last row, and the number that it gets.
pub fn hint_at(app: &App, column: u16) -> Option<(&'static Command, Option<usize>)> {
    let hints = hints(app).into_iter();
    let mut there = hints.filter(|hint| (hint.x..hint.x + hint.width()).contains(&column));
    there.next().map(|hint| (hint.command, hint.count))
}

/// Returns the hints for the current problem, selection, segment or search, and for unsaved edits.
fn hints_for_current(app: &App, room: u16) -> Vec<Hint<'_>> {
    if app.overlay.open.is_some() {
        return Vec::new();
    }
    let at = app.panes.transcript.at;
    let unsaved = at.is_some_and(|at| app.workspace.files.is_modified(at.file as usize));
    let save = if unsaved { UNSAVED } else { &[] };
    let tables = save.iter().chain(found_here(app));
    let mut hints = label_hints(app, room);
    hints.extend(tables.filter_map(|hint| Hint::new(app, hint)));
    hints
}

/// Returns the digits that label the selection, with their labels, as many as fit into `room` columns.
fn label_hints(app: &App, mut room: u16) -> Vec<Hint<'_>> {
    if app.scopes()[0] != Scope::Span || app.panes.transcript.selection().is_none() {
        return Vec::new();
    }
    let labels = names::labels_with_digits(app);
    let labels = labels
        .iter()
        .map_while(|(digit, label)| Some(((*digit)?, label.as_str())));
    let labels: Vec<_> = labels.collect();
    let same = common_parts(labels.iter().map(|(_, label)| *label));
    let hint = |(digit, label): (u8, &str)| {
        let count = usize::from(digit);
        Hint {
            x: 0,
            key: DIGITS[count - 1],
            word: Cow::Owned(elided(&label[same..], LABEL)),
            command: &commands::ADD_SEGMENT,
            count: Some(count),
        }
    };
    fit(labels.into_iter().map(hint).collect(), &mut room)
}

/// Returns the length in bytes of the parts, each with its full stop, with which all labels begin.
fn common_parts<'l>(mut labels: impl Iterator<Item = &'l str>) -> usize {
    let first = labels.next().unwrap_or_default();
    let same = labels.fold(first, |same, label| {
        let mut pairs = same.char_indices().zip(label.chars());
        let differ = pairs.find(|((_, a), b)| a != b);
        let end = differ.map_or(same.len().min(label.len()), |((at, _), _)| at);
        &same[..end]
    });
    same.rfind('.').map_or(0, |stop| stop + 1)
}

/// Returns the hints for the current problem, segment or search.
fn found_here(app: &App) -> &'static [CommandHint] {
    let searching = app.search.query.is_some() && app.panes.transcript.caret.is_none();
    let reading = app.scopes() == [Scope::Transcript, Scope::Everywhere];
    let segment = app.panes.transcript.segment.is_some() && reading;
    let wrong =
        app.panes.focus == Focus::Transcript && problem::problems_here(app).next().is_some();
    let fixable = wrong && problem::problems_here(app).any(|d| !d.fixes.is_empty());
    match (segment, searching) {
        (true, _) if fixable => MENDABLE,
        (true, _) if wrong => UNFIXABLE,
        (false, false) if fixable => &MENDABLE[..2],
        (false, false) if wrong => &UNFIXABLE[..2],
        (true, _) => SEGMENT,
        (false, true) => SEARCH,
        (false, false) => &[],
    }
}

fn table(app: &App) -> &'static [CommandHint] {
    match &app.overlay.open {
        Some(Overlay::Question(_)) => return &[],
        Some(Overlay::Review(_)) => return REVIEW,
        Some(Overlay::Suggestions) => return SUGGESTIONS,
        Some(Overlay::Help(help)) if help.has_chosen() => return LINK,
        Some(Overlay::Help(help)) if help.chapter.is_some() => return CHAPTER,
        Some(Overlay::Help(_)) => return HELP,
        Some(Overlay::Prompt(_)) | None => {}
    }
    match app.scopes_under()[0] {
        Scope::Dialogs => DIALOGS,
        Scope::Span if app.panes.transcript.selection().is_some() => SELECTION,
        Scope::Span => SPAN,
        Scope::Judging if app.judging.adjudicates => ADJUDICATING,
        Scope::Judging => JUDGING,
        Scope::Transcript => TRANSCRIPT,
        Scope::Details => match app.panes.details.item() {
            Some(Item::Vote { .. }) => BALLOT,
            Some(item) if item.call().is_some() => CALLS,
            _ if app.panes.details.shown == PROBLEMS => LEADING,
            _ if app.panes.details.has_items() => ITEMS,
            _ => DETAILS,
        },
        _ => ELSEWHERE,
    }
}
