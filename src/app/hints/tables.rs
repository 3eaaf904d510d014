//! The commands that the last row offers in each place.

use crate::app::core::CommandHint;
use crate::app::input::Command;

/// The word for the command that goes to the next problem while there is no search.
pub const NEXT_PROBLEM: &str = "problem";

// The hints of each place, the most useful first.
pub const DIALOGS: &[CommandHint] = &[
    (Command::ListDown, "next"),
    (Command::ListOpen, "read"),
    (Command::Filter, "filter"),
    (Command::Sort, "sort"),
    (Command::ListFold, "fold"),
    (Command::GotoDialog, "go to"),
    (Command::Search, "find"),
    (Command::FocusNext, "pane"),
    (Command::Help, "help"),
    (Command::Quit, "quit"),
];
pub const TRANSCRIPT: &[CommandHint] = &[
    (Command::TurnNext, "turn"),
    (Command::SegmentNext, "segment"),
    (Command::SpanEnter, "edit"),
    (Command::DialogNext, "dialog"),
    (Command::FindNext, NEXT_PROBLEM),
    (Command::Search, "find"),
    (Command::FindLabel, "label"),
    (Command::FindApi, "API"),
    (Command::TabNext, "details"),
    (Command::EditText, "text"),
    (Command::FocusNext, "pane"),
    (Command::Palette, "commands"),
    (Command::ShowProblems, "problems"),
    (Command::Help, "help"),
    (Command::Quit, "quit"),
];
pub const JUDGING: &[CommandHint] = &[
    (Command::VoteO, "no breakdown"),
    (Command::VoteT, "possible"),
    (Command::VoteX, "breakdown"),
    (Command::VoteComment, "comment"),
    (Command::VoteWithdraw, "withdraw"),
    (Command::VoteSkip, "skip"),
    (Command::Blind, "blind"),
    (Command::Undo, "undo"),
    (Command::TurnNext, "turn"),
    (Command::DialogNext, "dialog"),
    (Command::Help, "help"),
    (Command::Quit, "quit"),
];
pub const ADJUDICATING: &[CommandHint] = &[
    (Command::VoteO, "gold O"),
    (Command::VoteT, "gold T"),
    (Command::VoteX, "gold X"),
    (Command::VoteComment, "reason"),
    (Command::VoteWithdraw, "remove"),
    (Command::VoteSkip, "skip"),
    (Command::Undo, "undo"),
    (Command::TurnNext, "turn"),
    (Command::DialogNext, "dialog"),
    (Command::Help, "help"),
    (Command::Quit, "quit"),
];
pub const SPAN: &[CommandHint] = &[
    (Command::CaretRight, "caret"),
    (Command::SelectWordRight, "select word"),
    (Command::EndRight, "end →"),
    (Command::EndLeft, "← end"),
    (Command::StartLeft, "← start"),
    (Command::StartRight, "start →"),
    (Command::Relabel, "label"),
    (Command::DeleteSegment, "delete"),
    (Command::Undo, "undo"),
    (Command::Help, "help"),
    (Command::SpanLeave, "done"),
];
/// While text is selected; the labels of the digits come after them.
pub const SELECTION: &[CommandHint] = &[
    (Command::SelectWordRight, "select word"),
    (Command::AddSegment, "add"),
    (Command::SegmentToSelection, "resize"),
    (Command::Help, "help"),
    (Command::SpanLeave, "drop"),
];
pub const SEGMENT: &[CommandHint] = &[
    (Command::EndRight, "end →"),
    (Command::EndLeft, "← end"),
    (Command::Relabel, "label"),
    (Command::DeleteSegment, "delete"),
];
pub const CALLS: &[CommandHint] = &[
    (Command::DetailsDown, "choose"),
    (Command::ItemChange, "change"),
    (Command::ItemAdd, "add"),
    (Command::ItemRename, "rename"),
    (Command::ItemDelete, "delete"),
    (Command::Undo, "undo"),
    (Command::ToggleCall, "fold"),
    (Command::TabNext, "next tab"),
    (Command::Back, "transcript"),
    (Command::Help, "help"),
    (Command::Quit, "quit"),
];
pub const ITEMS: &[CommandHint] = &[
    (Command::DetailsDown, "choose"),
    (Command::ItemChange, "change"),
    (Command::ItemAdd, "add"),
    (Command::ItemRename, "rename"),
    (Command::ItemDelete, "delete"),
    (Command::Undo, "undo"),
    (Command::TabNext, "next tab"),
    (Command::Back, "transcript"),
    (Command::Help, "help"),
    (Command::Quit, "quit"),
];
pub const LEADING: &[CommandHint] = &[
    (Command::DetailsDown, "choose"),
    (Command::ItemChange, "go to"),
    (Command::Fix, "fix"),
    (Command::Ignore, "ignore"),
    (Command::Undo, "undo"),
    (Command::TabNext, "next tab"),
    (Command::Back, "transcript"),
    (Command::Help, "help"),
    (Command::Quit, "quit"),
];
pub const BALLOT: &[CommandHint] = &[
    (Command::DetailsDown, "choose"),
    (Command::VoteO, "gold O"),
    (Command::VoteT, "gold T"),
    (Command::VoteX, "gold X"),
    (Command::ChangeVoteO, "make this vote O"),
    (Command::ChangeVoteT, "make it T"),
    (Command::ChangeVoteX, "make it X"),
    (Command::ItemDelete, "remove vote"),
    (Command::Undo, "undo"),
    (Command::TabNext, "next tab"),
    (Command::Back, "transcript"),
    (Command::Help, "help"),
    (Command::Quit, "quit"),
];
pub const MENDABLE: &[CommandHint] = &[
    (Command::Fix, "fix"),
    (Command::Ignore, "ignore"),
    (Command::EndRight, "end →"),
    (Command::EndLeft, "← end"),
    (Command::Relabel, "label"),
    (Command::DeleteSegment, "delete"),
];
pub const UNFIXABLE: &[CommandHint] = &[
    (Command::FindNext, "next"),
    (Command::Ignore, "ignore"),
    (Command::EndRight, "end →"),
    (Command::EndLeft, "← end"),
    (Command::Relabel, "label"),
    (Command::DeleteSegment, "delete"),
];
pub const DETAILS: &[CommandHint] = &[
    (Command::DetailsDown, "scroll"),
    (Command::TabNext, "next tab"),
    (Command::Back, "transcript"),
    (Command::Search, "find"),
    (Command::FocusNext, "pane"),
    (Command::Help, "help"),
    (Command::Quit, "quit"),
];
/// For a pane without keys of its own.
pub const ELSEWHERE: &[CommandHint] = &[
    (Command::Back, "transcript"),
    (Command::Search, "find"),
    (Command::FocusNext, "pane"),
    (Command::Help, "help"),
    (Command::Quit, "quit"),
];
pub const SEARCH: &[CommandHint] = &[
    (Command::FindNext, "next"),
    (Command::FindPrevious, "previous"),
    (Command::Back, "end search"),
];

/// Commands that edit the file of the open dialog.
pub const EDITS: &[Command] = &[
    Command::SpanEnter,
    Command::EditText,
    Command::Fix,
    Command::EndRight,
    Command::EndLeft,
    Command::StartRight,
    Command::StartLeft,
    Command::AddSegment,
    Command::SegmentToSelection,
    Command::Relabel,
    Command::DeleteSegment,
    Command::ItemAdd,
    Command::ItemRename,
    Command::ItemDelete,
    Command::VoteO,
    Command::VoteT,
    Command::VoteX,
    Command::VoteComment,
    Command::VoteWithdraw,
];

/// While files other than those of the open dialog have unsaved edits.
pub const UNSAVED_ELSEWHERE: &[CommandHint] =
    &[(Command::SaveAll, "save all"), (Command::Undo, "undo")];
/// While those and others have.
pub const UNSAVED_ANYWHERE: &[CommandHint] = &[
    (Command::Save, "save"),
    (Command::SaveAll, "save all"),
    (Command::Undo, "undo"),
];
/// While the files of the open dialog have unsaved edits.
pub const UNSAVED: &[CommandHint] = &[(Command::Save, "save"), (Command::Undo, "undo")];
