//! The commands that the last row offers in each place.

use crate::app::commands;
use crate::app::core::Command;

/// A command and a word or two for it.
pub type CommandHint = (&'static Command, &'static str);

/// The word for the command that goes to the next problem while there is no search.
pub const NEXT_PROBLEM: &str = "problem";

// The hints of each place, the most useful first.
pub const DIALOGS: &[CommandHint] = &[
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
pub const TRANSCRIPT: &[CommandHint] = &[
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
pub const JUDGING: &[CommandHint] = &[
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
pub const ADJUDICATING: &[CommandHint] = &[
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
pub const SPAN: &[CommandHint] = &[
    (&commands::CARET_RIGHT, "caret"),
    (&commands::SELECT_WORD_RIGHT, "select word"),
    (&commands::END_RIGHT, "end →"),
    (&commands::END_LEFT, "← end"),
    (&commands::START_LEFT, "← start"),
    (&commands::START_RIGHT, "start →"),
    (&commands::RELABEL, "label"),
    (&commands::DELETE_SEGMENT, "delete"),
    (&commands::UNDO, "undo"),
    (&commands::HELP, "help"),
    (&commands::SPAN_LEAVE, "done"),
];
/// While text is selected; the labels of the digits come after them.
pub const SELECTION: &[CommandHint] = &[
    (&commands::SELECT_WORD_RIGHT, "select word"),
    (&commands::ADD_SEGMENT, "add"),
    (&commands::SEGMENT_TO_SELECTION, "resize"),
    (&commands::HELP, "help"),
    (&commands::SPAN_LEAVE, "drop"),
];
pub const SEGMENT: &[CommandHint] = &[
    (&commands::END_RIGHT, "end →"),
    (&commands::END_LEFT, "← end"),
    (&commands::RELABEL, "label"),
    (&commands::DELETE_SEGMENT, "delete"),
];
pub const CALLS: &[CommandHint] = &[
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
pub const ITEMS: &[CommandHint] = &[
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
pub const LEADING: &[CommandHint] = &[
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
pub const BALLOT: &[CommandHint] = &[
    (&commands::DETAILS_DOWN, "choose"),
    (&commands::VOTE_O, "gold O"),
    (&commands::VOTE_T, "gold T"),
    (&commands::VOTE_X, "gold X"),
    (&commands::CHANGE_VOTE_O, "make this vote O"),
    (&commands::CHANGE_VOTE_T, "make it T"),
    (&commands::CHANGE_VOTE_X, "make it X"),
    (&commands::ITEM_DELETE, "remove vote"),
    (&commands::UNDO, "undo"),
    (&commands::TAB_NEXT, "next tab"),
    (&commands::BACK, "transcript"),
    (&commands::HELP, "help"),
    (&commands::QUIT, "quit"),
];
pub const MENDABLE: &[CommandHint] = &[
    (&commands::FIX, "fix"),
    (&commands::IGNORE, "ignore"),
    (&commands::END_RIGHT, "end →"),
    (&commands::END_LEFT, "← end"),
    (&commands::RELABEL, "label"),
    (&commands::DELETE_SEGMENT, "delete"),
];
pub const UNFIXABLE: &[CommandHint] = &[
    (&commands::FIND_NEXT, "next"),
    (&commands::IGNORE, "ignore"),
    (&commands::END_RIGHT, "end →"),
    (&commands::END_LEFT, "← end"),
    (&commands::RELABEL, "label"),
    (&commands::DELETE_SEGMENT, "delete"),
];
pub const DETAILS: &[CommandHint] = &[
    (&commands::DETAILS_DOWN, "scroll"),
    (&commands::TAB_NEXT, "next tab"),
    (&commands::BACK, "transcript"),
    (&commands::SEARCH, "find"),
    (&commands::FOCUS_NEXT, "pane"),
    (&commands::HELP, "help"),
    (&commands::QUIT, "quit"),
];
/// For a pane without keys of its own.
pub const ELSEWHERE: &[CommandHint] = &[
    (&commands::BACK, "transcript"),
    (&commands::SEARCH, "find"),
    (&commands::FOCUS_NEXT, "pane"),
    (&commands::HELP, "help"),
    (&commands::QUIT, "quit"),
];
pub const REVIEW: &[CommandHint] = &[
    (&commands::REVIEW_ACCEPT, "apply"),
    (&commands::REVIEW_TICK, "select"),
    (&commands::REVIEW_CANCEL, "cancel"),
    (&commands::REVIEW_REACH, "dialog, file, all"),
    (&commands::REVIEW_TICK_ALL, "all, none"),
    (&commands::REVIEW_DOWN, "next"),
];
pub const SUGGESTIONS: &[CommandHint] = &[
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
pub const HELP: &[CommandHint] = &[
    (&commands::HELP_DOWN, "scroll"),
    (&commands::HELP_LINK_NEXT, "manual"),
    (&commands::HELP_BACK, "close"),
];
pub const CHAPTER: &[CommandHint] = &[
    (&commands::HELP_DOWN, "scroll"),
    (&commands::HELP_LINK_NEXT, "link"),
    (&commands::HELP_BACK, "back"),
    (&commands::HELP_CLOSE, "close"),
];
pub const LINK: &[CommandHint] = &[
    (&commands::HELP_OPEN, "open"),
    (&commands::HELP_LINK_NEXT, "next"),
    (&commands::HELP_LINK_PREVIOUS, "previous"),
    (&commands::HELP_BACK, "back"),
];
pub const SEARCH: &[CommandHint] = &[
    (&commands::FIND_NEXT, "next"),
    (&commands::FIND_PREVIOUS, "previous"),
    (&commands::BACK, "end search"),
];

/// Commands that edit the file of the open dialog.
pub const EDITS: &[&Command] = &[
    &commands::SPAN_ENTER,
    &commands::EDIT_TEXT,
    &commands::FIX,
    &commands::END_RIGHT,
    &commands::END_LEFT,
    &commands::START_RIGHT,
    &commands::START_LEFT,
    &commands::ADD_SEGMENT,
    &commands::SEGMENT_TO_SELECTION,
    &commands::RELABEL,
    &commands::DELETE_SEGMENT,
    &commands::ITEM_ADD,
    &commands::ITEM_RENAME,
    &commands::ITEM_DELETE,
    &commands::VOTE_O,
    &commands::VOTE_T,
    &commands::VOTE_X,
    &commands::VOTE_COMMENT,
    &commands::VOTE_WITHDRAW,
];

/// While files other than those of the open dialog have unsaved edits.
pub const UNSAVED_ELSEWHERE: &[CommandHint] =
    &[(&commands::SAVE_ALL, "save all"), (&commands::UNDO, "undo")];
/// While those and others have.
pub const UNSAVED_ANYWHERE: &[CommandHint] = &[
    (&commands::SAVE, "save"),
    (&commands::SAVE_ALL, "save all"),
    (&commands::UNDO, "undo"),
];
/// While the files of the open dialog have unsaved edits.
pub const UNSAVED: &[CommandHint] = &[(&commands::SAVE, "save"), (&commands::UNDO, "undo")];
