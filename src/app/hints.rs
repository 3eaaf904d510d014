//! The last row while it shows no message: the most useful keys of the current place, each with a word
//! or two, and the progress of a search.

use super::command::{self, Command};
use super::details::Item;
use super::keymap::Scope;
use super::line::truncated;
use super::status::Subject;
use super::{App, Focus, Overlay};
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
    (&command::LIST_DOWN, "next"),
    (&command::FOCUS_TRANSCRIPT, "read"),
    (&command::FILTER, "filter"),
    (&command::SORT, "sort"),
    (&command::GOTO_DIALOG, "go to"),
    (&command::SEARCH, "find"),
    (&command::FOCUS_NEXT, "pane"),
    (&command::HELP, "help"),
    (&command::QUIT, "quit"),
];
const TRANSCRIPT: &[CommandHint] = &[
    (&command::TURN_NEXT, "turn"),
    (&command::SEGMENT_NEXT, "segment"),
    (&command::SPAN_ENTER, "edit"),
    (&command::DIALOG_NEXT, "dialog"),
    (&command::SEARCH, "find"),
    (&command::FIND_LABEL, "label"),
    (&command::FIND_API, "API"),
    (&command::TAB_NEXT, "details"),
    (&command::FOCUS_NEXT, "pane"),
    (&command::HELP, "help"),
    (&command::QUIT, "quit"),
];
const JUDGING: &[CommandHint] = &[
    (&command::VOTE_O, "no breakdown"),
    (&command::VOTE_T, "possible"),
    (&command::VOTE_X, "breakdown"),
    (&command::VOTE_COMMENT, "comment"),
    (&command::VOTE_WITHDRAW, "withdraw"),
    (&command::VOTE_SKIP, "skip"),
    (&command::BLIND, "blind"),
    (&command::UNDO, "undo"),
    (&command::TURN_NEXT, "turn"),
    (&command::DIALOG_NEXT, "dialog"),
    (&command::HELP, "help"),
    (&command::QUIT, "quit"),
];
const SPAN: &[CommandHint] = &[
    (&command::CARET_RIGHT, "caret"),
    (&command::SELECT_WORD_RIGHT, "select word"),
    (&command::END_RIGHT, "end →"),
    (&command::END_LEFT, "← end"),
    (&command::START_LEFT, "← start"),
    (&command::START_RIGHT, "start →"),
    (&command::ADD_SEGMENT, "add"),
    (&command::RELABEL, "label"),
    (&command::DELETE_SEGMENT, "delete"),
    (&command::UNDO, "undo"),
    (&command::HELP, "help"),
    (&command::SPAN_LEAVE, "done"),
];
const SEGMENT: &[CommandHint] = &[
    (&command::END_RIGHT, "end →"),
    (&command::END_LEFT, "← end"),
    (&command::RELABEL, "label"),
    (&command::DELETE_SEGMENT, "delete"),
];
const ITEMS: &[CommandHint] = &[
    (&command::DETAILS_DOWN, "choose"),
    (&command::ITEM_CHANGE, "change"),
    (&command::ITEM_ADD, "add"),
    (&command::ITEM_RENAME, "rename"),
    (&command::ITEM_DELETE, "delete"),
    (&command::UNDO, "undo"),
    (&command::TAB_NEXT, "next tab"),
    (&command::BACK, "transcript"),
    (&command::HELP, "help"),
    (&command::QUIT, "quit"),
];
const LEADING: &[CommandHint] = &[
    (&command::DETAILS_DOWN, "choose"),
    (&command::ITEM_CHANGE, "go to"),
    (&command::FIX, "fix"),
    (&command::IGNORE, "ignore"),
    (&command::UNDO, "undo"),
    (&command::TAB_NEXT, "next tab"),
    (&command::BACK, "transcript"),
    (&command::HELP, "help"),
    (&command::QUIT, "quit"),
];
const BALLOT: &[CommandHint] = &[
    (&command::DETAILS_DOWN, "choose"),
    (&command::VOTE_O, "not a breakdown"),
    (&command::VOTE_T, "possible"),
    (&command::VOTE_X, "breakdown"),
    (&command::ITEM_DELETE, "remove"),
    (&command::UNDO, "undo"),
    (&command::TAB_NEXT, "next tab"),
    (&command::BACK, "transcript"),
    (&command::HELP, "help"),
    (&command::QUIT, "quit"),
];
const MENDABLE: &[CommandHint] = &[
    (&command::FIX, "fix"),
    (&command::IGNORE, "ignore"),
    (&command::END_RIGHT, "end →"),
    (&command::END_LEFT, "← end"),
    (&command::RELABEL, "label"),
    (&command::DELETE_SEGMENT, "delete"),
];
const DETAILS: &[CommandHint] = &[
    (&command::DETAILS_DOWN, "scroll"),
    (&command::TAB_NEXT, "next tab"),
    (&command::BACK, "transcript"),
    (&command::SEARCH, "find"),
    (&command::FOCUS_NEXT, "pane"),
    (&command::HELP, "help"),
    (&command::QUIT, "quit"),
];
const REVIEW: &[CommandHint] = &[
    (&command::REVIEW_ACCEPT, "apply"),
    (&command::REVIEW_TICK, "select"),
    (&command::REVIEW_CANCEL, "cancel"),
    (&command::REVIEW_REACH, "dialog, file, all"),
    (&command::REVIEW_TICK_ALL, "all, none"),
    (&command::REVIEW_DOWN, "next"),
];
const HELP: &[CommandHint] = &[
    (&command::HELP_DOWN, "scroll"),
    (&command::HELP_LINK_NEXT, "manual"),
    (&command::HELP_BACK, "close"),
];
const CHAPTER: &[CommandHint] = &[
    (&command::HELP_DOWN, "scroll"),
    (&command::HELP_LINK_NEXT, "link"),
    (&command::HELP_BACK, "back"),
    (&command::HELP_CLOSE, "close"),
];
const LINK: &[CommandHint] = &[
    (&command::HELP_OPEN, "open"),
    (&command::HELP_LINK_NEXT, "next"),
    (&command::HELP_LINK_PREVIOUS, "previous"),
    (&command::HELP_BACK, "back"),
];
const SEARCH: &[CommandHint] = &[
    (&command::FIND_NEXT, "next"),
    (&command::FIND_PREVIOUS, "previous"),
    (&command::BACK, "end search"),
];

impl Hint<'_> {
    /// Columns of its key and its word.
    fn width(&self) -> u16 {
        (width(self.key) + 1 + width(self.word)) as u16
    }
}

/// Columns between two hints.
const GAP: u16 = 2;

impl App {
    /// Returns the text at the right of the last row: the keys typed so far, and the progress of the search.
    pub fn position_hint(&self) -> String {
        let mut right = String::new();
        if let Some(count) = self.input.pending.count {
            right = format!(" {count}");
        }
        for key in &self.input.pending.keys {
            right = format!("{right} {}", key.shown(self.input.keymap.names));
        }
        if let Some(query) = &self.search.query {
            let state = if self.search.done {
                String::new()
            } else {
                format!(" · {} searched", grouped(self.search.searched))
            };
            let found = format!(
                "{} in {}",
                grouped(self.search.count()),
                counted(self.search.dialogs(), "dialog")
            );
            let query = query.to_string();
            let query = query.trim_end_matches(':');
            // The message at the left names the query already.
            right = if self.status.is_about(Subject::Hit) {
                format!("{right} {found}{state}")
            } else {
                format!("{right} {query}: {found}{state}")
            };
        }
        truncated(&right, usize::from(self.panes.size.width) / 2)
    }

    /// Returns the most useful keys here, as many as there is room for, always with the last two.
    pub fn hints(&self) -> Vec<Hint<'_>> {
        let columns = self.panes.size.width.saturating_sub(1);
        let room = columns.saturating_sub(width(&self.position_hint()) as u16);
        let (found, table) = (self.found_here(), self.table());
        let always = if self.overlay.open.is_none() { 2 } else { 0 };
        let (some, last) = table.split_at(table.len().saturating_sub(always));
        let scopes = self.scopes();
        let hint = |(command, word): &CommandHint| {
            let key = self.input.keymap.hint(command, scopes)?;
            (command.can)(self).ok()?;
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
    pub(super) fn hint_at(&self, column: u16) -> Option<&'static Command> {
        if !self.status.is_empty() {
            return None;
        }
        let hints = self.hints().into_iter();
        let mut there = hints.filter(|hint| (hint.x..hint.x + hint.width()).contains(&column));
        there.next().map(|hint| hint.command)
    }

    /// Returns the hints for the current problem, segment or search.
    fn found_here(&self) -> &'static [CommandHint] {
        if self.overlay.open.is_some() {
            return &[];
        }
        let searching = self.search.query.is_some() && self.panes.transcript.caret.is_none();
        let reading = self.scopes() == [Scope::Transcript, Scope::Everywhere];
        let segment = self.panes.transcript.segment.is_some() && reading;
        let wrong = self.panes.focus == Focus::Transcript && self.problems_here().next().is_some();
        let fixable = wrong && self.problems_here().any(|d| !d.fixes.is_empty());
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

    fn table(&self) -> &'static [CommandHint] {
        match (&self.overlay.open, self.panes.focus) {
            (Some(Overlay::Question(_)), _) => &[],
            (Some(Overlay::Review(_)), _) => REVIEW,
            (Some(Overlay::Help(help)), _) if help.has_chosen() => LINK,
            (Some(Overlay::Help(help)), _) if help.chapter.is_some() => CHAPTER,
            (Some(Overlay::Help(_)), _) => HELP,
            (_, Focus::Dialogs) => DIALOGS,
            (_, Focus::Transcript) if self.panes.transcript.caret.is_some() => SPAN,
            (_, Focus::Transcript) if self.judges() => JUDGING,
            (_, Focus::Transcript) => TRANSCRIPT,
            (_, Focus::Details) if matches!(self.panes.details.item(), Some(Item::Vote { .. })) => {
                BALLOT
            }
            (_, Focus::Details) if self.panes.details.tab().name == "problems" => LEADING,
            (_, Focus::Details) if self.panes.details.has_items() => ITEMS,
            (_, Focus::Details) => DETAILS,
        }
    }
}
