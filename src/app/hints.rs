//! The last row while nothing is said in it: the most useful keys of the place the reader is at, and how
//! far a search is. What the keys do is the commands' own; here is only a word for each.

use super::command::Command;
use super::details::Item;
use super::keymap::Scope;
use super::line::truncated;
use super::{App, Focus, Overlay};
use crate::text::{counted, grouped, width};

/// A key and a word for what it does.
#[derive(Debug)]
pub struct Hint<'k> {
    /// The column that it begins in.
    pub x: u16,
    pub key: &'k str,
    pub word: &'static str,
    pub command: &'static Command,
}

/// Commands that are hinted at, in a word or two, by pane.
const DIALOGS: &[(&str, &str)] = &[
    ("list_down", "next"),
    ("focus_transcript", "read"),
    ("filter", "filter"),
    ("sort", "sort"),
    ("goto_dialog", "go to"),
    ("search", "find"),
    ("focus_next", "pane"),
    ("help", "help"),
    ("quit", "quit"),
];
const TRANSCRIPT: &[(&str, &str)] = &[
    ("turn_next", "turn"),
    ("segment_next", "segment"),
    ("span_enter", "edit"),
    ("dialog_next", "dialog"),
    ("search", "find"),
    ("find_label", "label"),
    ("find_api", "API"),
    ("tab_next", "details"),
    ("focus_next", "pane"),
    ("help", "help"),
    ("quit", "quit"),
];
const JUDGING: &[(&str, &str)] = &[
    ("vote_o", "no breakdown"),
    ("vote_t", "possible"),
    ("vote_x", "breakdown"),
    ("vote_comment", "comment"),
    ("vote_withdraw", "withdraw"),
    ("vote_skip", "skip"),
    ("blind", "blind"),
    ("undo", "undo"),
    ("turn_next", "turn"),
    ("dialog_next", "dialog"),
    ("help", "help"),
    ("quit", "quit"),
];
const SPAN: &[(&str, &str)] = &[
    ("caret_right", "caret"),
    ("select_word_right", "select word"),
    ("end_right", "end →"),
    ("end_left", "← end"),
    ("start_left", "← start"),
    ("start_right", "start →"),
    ("add_segment", "add"),
    ("relabel", "label"),
    ("delete_segment", "delete"),
    ("undo", "undo"),
    ("help", "help"),
    ("span_leave", "done"),
];
const SEGMENT: &[(&str, &str)] = &[
    ("end_right", "end →"),
    ("end_left", "← end"),
    ("relabel", "label"),
    ("delete_segment", "delete"),
];
const ITEMS: &[(&str, &str)] = &[
    ("details_down", "choose"),
    ("item_change", "change"),
    ("item_add", "add"),
    ("item_rename", "rename"),
    ("item_delete", "delete"),
    ("undo", "undo"),
    ("tab_next", "next tab"),
    ("back", "transcript"),
    ("help", "help"),
    ("quit", "quit"),
];
const LEADING: &[(&str, &str)] = &[
    ("details_down", "choose"),
    ("item_change", "go to"),
    ("fix", "fix"),
    ("ignore", "ignore"),
    ("undo", "undo"),
    ("tab_next", "next tab"),
    ("back", "transcript"),
    ("help", "help"),
    ("quit", "quit"),
];
const BALLOT: &[(&str, &str)] = &[
    ("details_down", "choose"),
    ("vote_o", "not a breakdown"),
    ("vote_t", "possible"),
    ("vote_x", "breakdown"),
    ("item_delete", "remove"),
    ("undo", "undo"),
    ("tab_next", "next tab"),
    ("back", "transcript"),
    ("help", "help"),
    ("quit", "quit"),
];
const MENDABLE: &[(&str, &str)] = &[
    ("fix", "fix"),
    ("ignore", "ignore"),
    ("end_right", "end →"),
    ("end_left", "← end"),
    ("relabel", "label"),
    ("delete_segment", "delete"),
];
const DETAILS: &[(&str, &str)] = &[
    ("details_down", "scroll"),
    ("tab_next", "next tab"),
    ("back", "transcript"),
    ("search", "find"),
    ("focus_next", "pane"),
    ("help", "help"),
    ("quit", "quit"),
];
const REVIEW: &[(&str, &str)] = &[
    ("review_accept", "repair"),
    ("review_tick", "tick"),
    ("review_cancel", "leave all"),
    ("review_reach", "dialog, file, all"),
    ("review_tick_all", "all, none"),
    ("review_down", "next"),
];
const HELP: &[(&str, &str)] = &[
    ("help_down", "scroll"),
    ("help_link_next", "manual"),
    ("help_back", "close"),
];
const CHAPTER: &[(&str, &str)] = &[
    ("help_down", "scroll"),
    ("help_link_next", "link"),
    ("help_back", "back"),
    ("help_close", "close"),
];
const LINK: &[(&str, &str)] = &[
    ("help_open", "open"),
    ("help_link_next", "next"),
    ("help_link_previous", "previous"),
    ("help_back", "back"),
];
const SEARCH: &[(&str, &str)] = &[
    ("find_next", "next"),
    ("find_previous", "previous"),
    ("back", "end search"),
];

impl Hint<'_> {
    /// The columns of its key and its word.
    fn width(&self) -> u16 {
        (width(self.key) + 1 + width(self.word)) as u16
    }
}

/// Columns between two of them.
const GAP: u16 = 2;

impl App {
    /// What stands at the right of the last row: what is typed of a command, and how far the search is.
    pub fn position_hint(&self) -> String {
        let mut right = String::new();
        if let Some(count) = self.pending.count {
            right = format!(" {count}");
        }
        for key in &self.pending.keys {
            right = format!("{right} {}", key.shown(self.keymap.names));
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
            // It is said at the left already.
            right = if self.status.text.starts_with(&format!("{query}: ")) {
                format!("{right} {found}{state}")
            } else {
                format!("{right} {query}: {found}{state}")
            };
        }
        truncated(&right, usize::from(self.size.columns) / 2)
    }

    /// The most useful keys here, as many as there is room for; the last two always.
    pub fn hints(&self) -> Vec<Hint<'_>> {
        let columns = self.size.columns.saturating_sub(1);
        let room = columns.saturating_sub(width(&self.position_hint()) as u16);
        let (found, table) = (self.found_here(), self.table());
        let always = if self.overlay.is_none() { 2 } else { 0 };
        let (some, last) = table.split_at(table.len().saturating_sub(always));
        let scopes = self.scopes();
        let hint = |(name, word): &(&str, &'static str)| {
            let (command, key) = self.keymap.hint(name, scopes)?;
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
        let mut fitting = |table: &'static [(&'static str, &'static str)]| {
            let fits = |hint: &Hint<'_>| {
                let rest = left.checked_sub(hint.width() + GAP);
                rest.inspect(|rest| left = *rest).is_some()
            };
            table.iter().filter_map(hint).take_while(fits).collect()
        };
        // What there is to do here has room before the others, but stands behind them: those stay where they
        // are from turn to turn, for the eye and for the mouse.
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

    /// The hint that stands in a column of the last row, unless something else does.
    pub(super) fn hint_at(&self, column: u16) -> Option<&'static Command> {
        if !self.status.text.is_empty() {
            return None;
        }
        let hints = self.hints().into_iter();
        let mut there = hints.filter(|hint| (hint.x..hint.x + hint.width()).contains(&column));
        there.next().map(|hint| hint.command)
    }

    /// What can be done with what the reader is at.
    fn found_here(&self) -> &'static [(&'static str, &'static str)] {
        if self.overlay.is_some() {
            return &[];
        }
        let searching = self.search.query.is_some() && self.span.is_none();
        let reading = self.scopes() == [Scope::Transcript, Scope::Everywhere];
        let segment = self.transcript.segment.is_some() && reading;
        let wrong = self.focus == Focus::Transcript && self.problems_here().next().is_some();
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

    fn table(&self) -> &'static [(&'static str, &'static str)] {
        match (&self.overlay, self.focus) {
            (Some(Overlay::Question(_)), _) => &[],
            (Some(Overlay::Review(_)), _) => REVIEW,
            (Some(Overlay::Help(help)), _) if help.has_chosen() => LINK,
            (Some(Overlay::Help(help)), _) if help.chapter.is_some() => CHAPTER,
            (Some(Overlay::Help(_)), _) => HELP,
            (_, Focus::Dialogs) => DIALOGS,
            (_, Focus::Transcript) if self.span.is_some() => SPAN,
            (_, Focus::Transcript) if self.judges() => JUDGING,
            (_, Focus::Transcript) => TRANSCRIPT,
            (_, Focus::Details) if matches!(self.details.item(), Some(Item::Vote { .. })) => BALLOT,
            (_, Focus::Details) if self.details.tab().name == "problems" => LEADING,
            (_, Focus::Details) if self.details.has_items() => ITEMS,
            (_, Focus::Details) => DETAILS,
        }
    }
}
