//! The first lines of the help: the commands needed most in the current pane or mode.

use crate::app::commands;
use crate::app::core::{App, Command, Unavailable};
use crate::app::help::keys::keys_here;
use crate::app::input::Scope;
use crate::app::pane::{Ink, Line, truncated};

/// A pane or mode, and the commands used there.
pub struct HelpPlace {
    pub title: &'static str,
    rows: &'static [HelpRow],
}

/// A row: a task, and its commands with a word or two for each.
type HelpRow = (
    &'static str,
    &'static [(&'static [&'static Command], &'static str)],
);

const READING: HelpPlace = HelpPlace {
    title: "reading a dialog",
    rows: &[
        (
            "Move",
            &[
                (&[&commands::TURN_NEXT, &commands::TURN_PREVIOUS], "turn"),
                (
                    &[&commands::SEGMENT_NEXT, &commands::SEGMENT_PREVIOUS],
                    "segment",
                ),
                (
                    &[&commands::DIALOG_NEXT, &commands::DIALOG_PREVIOUS],
                    "dialog",
                ),
                (&[&commands::FOCUS_NEXT], "pane"),
                (&[&commands::TAB_NEXT], "tab"),
            ],
        ),
        FIND,
        (
            "Fix",
            &[
                (&[&commands::FIX], "the problem here"),
                (&[&commands::IGNORE], "ignore it"),
                (&[&commands::SHOW_PROBLEMS], "all problems"),
                (&[&commands::FIX_ALL_SAFE], "safe fixes"),
            ],
        ),
        (
            "Edit",
            &[
                (
                    &[&commands::END_LEFT, &commands::END_RIGHT],
                    "move the segment's end",
                ),
                (&[&commands::RELABEL], "label"),
                (&[&commands::DELETE_SEGMENT], "delete"),
                (&[&commands::SPAN_ENTER], "spans"),
                (&[&commands::EDIT_TEXT], "text"),
            ],
        ),
        (
            "Judge",
            &[(
                &[&commands::JUDGE],
                "turn judging on: vote O, T or X on system turns",
            )],
        ),
        UNDO,
        SAVE,
        QUIT,
        MORE,
    ],
};

const JUDGING: HelpPlace = HelpPlace {
    title: "judging a dialog",
    rows: &[
        (
            "Judge",
            &[
                (&[&commands::VOTE_O], "not a breakdown"),
                (&[&commands::VOTE_T], "possibly one"),
                (&[&commands::VOTE_X], "a breakdown"),
            ],
        ),
        (
            "Then",
            &[
                (&[&commands::VOTE_COMMENT], "comment"),
                (&[&commands::VOTE_UNGRAMMATICAL], "ungrammatical"),
                (&[&commands::VOTE_WITHDRAW], "withdraw"),
                (&[&commands::BLIND], "hide others' votes"),
            ],
        ),
        (
            "Move",
            &[
                (&[&commands::VOTE_SKIP], "next unjudged"),
                (&[&commands::TURN_NEXT, &commands::TURN_PREVIOUS], "turn"),
                (
                    &[&commands::DIALOG_NEXT, &commands::DIALOG_PREVIOUS],
                    "dialog",
                ),
                (&[&commands::FOCUS_NEXT], "pane"),
            ],
        ),
        (
            "Choose",
            &[
                (&[&commands::QUEUE_ALL], ""),
                (&[&commands::QUEUE_TIES], ""),
                (&[&commands::QUEUE_ENTROPY], ""),
                (&[&commands::ADJUDICATE], "gold labels"),
            ],
        ),
        FIND,
        (
            "Fix",
            &[
                (&[&commands::FIX], "the problem here"),
                (&[&commands::IGNORE], "ignore it"),
                (&[&commands::SHOW_PROBLEMS], "all problems"),
            ],
        ),
        UNDO,
        SAVE,
        QUIT,
        MORE,
    ],
};

const LIST: HelpPlace = HelpPlace {
    title: "choosing a dialog",
    rows: &[
        (
            "Move",
            &[
                (&[&commands::LIST_DOWN, &commands::LIST_UP], "dialog"),
                (
                    &[&commands::LIST_FIRST, &commands::LIST_LAST],
                    "first, last",
                ),
                (&[&commands::FOCUS_TRANSCRIPT], "read"),
                (&[&commands::FOCUS_NEXT], "pane"),
            ],
        ),
        (
            "Narrow",
            &[
                (&[&commands::FILTER], "by id"),
                (&[&commands::SORT], "sort"),
                (&[&commands::GOTO_DIALOG], "go to an id"),
                (&[&commands::GOTO_FILE], "to a file"),
            ],
        ),
        FIND,
        (
            "Fix",
            &[
                (&[&commands::SHOW_PROBLEMS], "all problems"),
                (&[&commands::FIX_ALL_SAFE], "safe fixes"),
            ],
        ),
        UNDO,
        SAVE,
        QUIT,
        MORE,
    ],
};

const SPAN: HelpPlace = HelpPlace {
    title: "editing spans in a turn",
    rows: &[
        (
            "Caret",
            &[
                (
                    &[&commands::CARET_LEFT, &commands::CARET_RIGHT],
                    "character",
                ),
                (
                    &[&commands::CARET_WORD_LEFT, &commands::CARET_WORD_RIGHT],
                    "word",
                ),
                (
                    &[&commands::CARET_START, &commands::CARET_END],
                    "start, end",
                ),
            ],
        ),
        (
            "Select",
            &[
                (&[&commands::SELECT_LEFT, &commands::SELECT_RIGHT], ""),
                (
                    &[&commands::SELECT_WORD_LEFT, &commands::SELECT_WORD_RIGHT],
                    "word",
                ),
                (&[&commands::SELECT_ALL], "all"),
                (&[&commands::SELECT], "on/off"),
            ],
        ),
        (
            "Add",
            &[
                (&[&commands::ADD_SEGMENT], "a segment on the selection"),
                (
                    &[&commands::SEGMENT_TO_SELECTION],
                    "resize to the selection",
                ),
            ],
        ),
        (
            "Segment",
            &[
                (&[&commands::SEGMENT_NEXT], "next"),
                (&[&commands::END_LEFT, &commands::END_RIGHT], "end"),
                (&[&commands::START_LEFT, &commands::START_RIGHT], "start"),
                (&[&commands::RELABEL], "label"),
                (&[&commands::ADD_LABEL], "one more"),
                (&[&commands::DELETE_SEGMENT], "delete"),
            ],
        ),
        (
            "",
            &[
                (&[&commands::SPLIT_SEGMENT], "split at the caret"),
                (&[&commands::MERGE_SEGMENTS], "merge with the next"),
                (&[&commands::FIX], "fix the problem"),
            ],
        ),
        UNDO,
        SAVE,
        (
            "Leave",
            &[
                (&[&commands::SPAN_LEAVE], "back to the transcript"),
                (&[&commands::QUIT], "quit"),
            ],
        ),
        MORE,
    ],
};

const DETAILS: HelpPlace = HelpPlace {
    title: "in the details",
    rows: &[
        (
            "Move",
            &[
                (
                    &[&commands::DETAILS_DOWN, &commands::DETAILS_UP],
                    "select or scroll",
                ),
                (&[&commands::TAB_NEXT, &commands::TAB_PREVIOUS], "tab"),
                (&[&commands::BACK], "to the transcript"),
            ],
        ),
        (
            "Change",
            &[
                (&[&commands::ITEM_CHANGE], "open or change"),
                (&[&commands::ITEM_ADD], "add"),
                (&[&commands::ITEM_RENAME], "rename"),
                (&[&commands::ITEM_DELETE], "delete or revert"),
            ],
        ),
        (
            "Votes",
            &[(
                &[&commands::VOTE_O, &commands::VOTE_T, &commands::VOTE_X],
                "change the selected vote",
            )],
        ),
        FIND,
        (
            "Fix",
            &[
                (&[&commands::FIX], "the problem here"),
                (&[&commands::IGNORE], "ignore it"),
                (&[&commands::FIX_ALL_OF_RULE], "all of its rule"),
                (&[&commands::FIX_ALL_SAFE], "safe fixes"),
            ],
        ),
        UNDO,
        SAVE,
        QUIT,
        MORE,
    ],
};

const FIND: HelpRow = (
    "Find",
    &[
        (&[&commands::SEARCH], "text"),
        (&[&commands::FIND_LABEL], "label"),
        (&[&commands::FIND_API], "API"),
        (
            &[&commands::FIND_NEXT, &commands::FIND_PREVIOUS],
            "next, previous",
        ),
        (&[&commands::GOTO_DIALOG], "id"),
    ],
);
const UNDO: HelpRow = (
    "Undo",
    &[
        (&[&commands::UNDO], "undo"),
        (&[&commands::REDO], "redo"),
        (&[&commands::SHOW_EDITS], "review all edits"),
    ],
);
const SAVE: HelpRow = (
    "Save",
    &[
        (&[&commands::SAVE], "this file"),
        (&[&commands::SAVE_ALL], "all files"),
    ],
);
const QUIT: HelpRow = (
    "Quit",
    &[
        (&[&commands::QUIT], "asks first if edits are unsaved"),
        (&[&commands::BACK], "one step back"),
    ],
);
const MORE: HelpRow = (
    "More",
    &[
        (&[&commands::PALETTE], "any command by name"),
        (&[&commands::HELP_LINK_NEXT], "the manual, below"),
    ],
);

/// Returns the current pane or mode.
pub fn place(app: &App) -> &'static HelpPlace {
    match app.scopes_under()[0] {
        Scope::Dialogs => &LIST,
        Scope::Span => &SPAN,
        Scope::Judging => &JUDGING,
        Scope::Details => &DETAILS,
        _ => &READING,
    }
}

/// Columns before the keys.
const MARGIN: usize = 10;
/// Space between two commands.
const GAP: &str = "   ";

/// Lists the commands of the current pane or mode, one task a line, as many as fit into `columns`.
pub fn lines(app: &App, columns: usize) -> Vec<Line> {
    let rows = place(app).rows.iter();
    rows.filter_map(|(what, commands)| row(app, what, commands, columns))
        .collect()
}

fn row(
    app: &App,
    what: &str,
    commands: &[(&[&'static Command], &str)],
    columns: usize,
) -> Option<Line> {
    let mut line = Line::of(Ink::Plain, "  ").with(Ink::Title, what);
    line.fill(MARGIN);
    let mut is_empty = true;
    for (commands, word) in commands {
        let keys = commands.iter().filter_map(|command| key(app, command));
        let keys: Vec<_> = keys.collect();
        if keys.is_empty() {
            continue;
        }
        let mut next = Line::of(Ink::Key, &keys.join(" "));
        if !word.is_empty() {
            next = next.with(Ink::Plain, &format!(" {word}"));
        }
        let gap = if is_empty { "" } else { GAP };
        if line.width() + gap.len() + next.width() > columns {
            if is_empty {
                let room = columns.saturating_sub(line.width());
                line.push(Ink::Plain, &truncated(&next.text(), room));
                is_empty = false;
            }
            break;
        }
        line.push(Ink::Plain, gap);
        line.runs.extend(next.runs);
        is_empty = false;
    }
    (!is_empty).then_some(line)
}

/// Returns the key of a command here, or its name in the palette; None if it cannot work here.
fn key(app: &App, command: &Command) -> Option<String> {
    if let Err(Unavailable::Here(_)) = (command.can)(app) {
        return None;
    }
    let here = keys_here(app, command).into_iter().next();
    let named = || command.in_palette.then(|| format!(":{}", command.name));
    // Commands of the help have keys only in its own scope.
    let in_help = || {
        app.input
            .keymap
            .keys_named(command.name, Some(crate::app::input::keymap::Scope::Help))
            .into_iter()
            .next()
    };
    here.or_else(in_help).or_else(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overviews_are_short() {
        for place in [&READING, &JUDGING, &LIST, &SPAN, &DETAILS] {
            assert!(place.rows.len() <= 15, "{}", place.title);
        }
    }
}
