//! The first lines of the help: the commands needed most in the current pane or mode.

use super::keys::keys_here;
use crate::app::command::{self, Command, Unavailable};
use crate::app::line::{Ink, Line, truncated};
use crate::app::{App, Focus};

/// A pane or mode, and the commands used there.
pub(super) struct HelpPlace {
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
                (&[&command::TURN_NEXT, &command::TURN_PREVIOUS], "turn"),
                (
                    &[&command::SEGMENT_NEXT, &command::SEGMENT_PREVIOUS],
                    "segment",
                ),
                (
                    &[&command::DIALOG_NEXT, &command::DIALOG_PREVIOUS],
                    "dialog",
                ),
                (&[&command::FOCUS_NEXT], "pane"),
                (&[&command::TAB_NEXT], "tab"),
            ],
        ),
        FIND,
        (
            "Fix",
            &[
                (&[&command::FIX], "the problem here"),
                (&[&command::IGNORE], "ignore it"),
                (&[&command::SHOW_PROBLEMS], "all problems"),
                (&[&command::FIX_ALL_SAFE], "safe fixes"),
            ],
        ),
        (
            "Edit",
            &[
                (
                    &[&command::END_LEFT, &command::END_RIGHT],
                    "move the segment's end",
                ),
                (&[&command::RELABEL], "label"),
                (&[&command::DELETE_SEGMENT], "delete"),
                (&[&command::SPAN_ENTER], "spans"),
                (&[&command::EDIT_TEXT], "text"),
            ],
        ),
        (
            "Judge",
            &[(
                &[&command::JUDGE],
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
                (&[&command::VOTE_O], "not a breakdown"),
                (&[&command::VOTE_T], "possibly one"),
                (&[&command::VOTE_X], "a breakdown"),
            ],
        ),
        (
            "Then",
            &[
                (&[&command::VOTE_COMMENT], "comment"),
                (&[&command::VOTE_UNGRAMMATICAL], "ungrammatical"),
                (&[&command::VOTE_WITHDRAW], "withdraw"),
                (&[&command::BLIND], "hide others' votes"),
            ],
        ),
        (
            "Move",
            &[
                (&[&command::VOTE_SKIP], "next unjudged"),
                (&[&command::TURN_NEXT, &command::TURN_PREVIOUS], "turn"),
                (
                    &[&command::DIALOG_NEXT, &command::DIALOG_PREVIOUS],
                    "dialog",
                ),
                (&[&command::FOCUS_NEXT], "pane"),
            ],
        ),
        (
            "Choose",
            &[
                (&[&command::QUEUE_ALL], ""),
                (&[&command::QUEUE_TIES], ""),
                (&[&command::QUEUE_ENTROPY], ""),
                (&[&command::ADJUDICATE], ""),
            ],
        ),
        FIND,
        (
            "Fix",
            &[
                (&[&command::FIX], "the problem here"),
                (&[&command::IGNORE], "ignore it"),
                (&[&command::SHOW_PROBLEMS], "all problems"),
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
                (&[&command::LIST_DOWN, &command::LIST_UP], "dialog"),
                (&[&command::LIST_FIRST, &command::LIST_LAST], "first, last"),
                (&[&command::FOCUS_TRANSCRIPT], "read"),
                (&[&command::FOCUS_NEXT], "pane"),
            ],
        ),
        (
            "Narrow",
            &[
                (&[&command::FILTER], "by id"),
                (&[&command::SORT], "sort"),
                (&[&command::GOTO_DIALOG], "go to an id"),
                (&[&command::GOTO_FILE], "to a file"),
            ],
        ),
        FIND,
        (
            "Fix",
            &[
                (&[&command::SHOW_PROBLEMS], "all problems"),
                (&[&command::FIX_ALL_SAFE], "safe fixes"),
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
                (&[&command::CARET_LEFT, &command::CARET_RIGHT], "character"),
                (
                    &[&command::CARET_WORD_LEFT, &command::CARET_WORD_RIGHT],
                    "word",
                ),
                (&[&command::CARET_START, &command::CARET_END], "start, end"),
            ],
        ),
        (
            "Select",
            &[
                (&[&command::SELECT_LEFT, &command::SELECT_RIGHT], ""),
                (
                    &[&command::SELECT_WORD_LEFT, &command::SELECT_WORD_RIGHT],
                    "word",
                ),
                (&[&command::SELECT_ALL], "all"),
                (&[&command::SELECT], "on/off"),
            ],
        ),
        (
            "Add",
            &[
                (&[&command::ADD_SEGMENT], "a segment on the selection"),
                (&[&command::SEGMENT_TO_SELECTION], "resize to the selection"),
            ],
        ),
        (
            "Segment",
            &[
                (&[&command::SEGMENT_NEXT], "next"),
                (&[&command::END_LEFT, &command::END_RIGHT], "end"),
                (&[&command::START_LEFT, &command::START_RIGHT], "start"),
                (&[&command::RELABEL], "label"),
                (&[&command::ADD_LABEL], "one more"),
                (&[&command::DELETE_SEGMENT], "delete"),
            ],
        ),
        (
            "",
            &[
                (&[&command::SPLIT_SEGMENT], "split at the caret"),
                (&[&command::MERGE_SEGMENTS], "merge with the next"),
                (&[&command::FIX], "fix the problem"),
            ],
        ),
        UNDO,
        SAVE,
        (
            "Leave",
            &[
                (&[&command::SPAN_LEAVE], "back to the transcript"),
                (&[&command::QUIT], "quit"),
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
                    &[&command::DETAILS_DOWN, &command::DETAILS_UP],
                    "select or scroll",
                ),
                (&[&command::TAB_NEXT, &command::TAB_PREVIOUS], "tab"),
                (&[&command::BACK], "to the transcript"),
            ],
        ),
        (
            "Change",
            &[
                (&[&command::ITEM_CHANGE], "open or change"),
                (&[&command::ITEM_ADD], "add"),
                (&[&command::ITEM_RENAME], "rename"),
                (&[&command::ITEM_DELETE], "delete or revert"),
            ],
        ),
        (
            "Votes",
            &[(
                &[&command::VOTE_O, &command::VOTE_T, &command::VOTE_X],
                "change the selected vote",
            )],
        ),
        FIND,
        (
            "Fix",
            &[
                (&[&command::FIX], "the problem here"),
                (&[&command::IGNORE], "ignore it"),
                (&[&command::FIX_ALL_OF_RULE], "all of its rule"),
                (&[&command::FIX_ALL_SAFE], "safe fixes"),
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
        (&[&command::SEARCH], "text"),
        (&[&command::FIND_LABEL], "label"),
        (&[&command::FIND_API], "API"),
        (
            &[&command::FIND_NEXT, &command::FIND_PREVIOUS],
            "next, previous",
        ),
        (&[&command::GOTO_DIALOG], "id"),
    ],
);
const UNDO: HelpRow = (
    "Undo",
    &[
        (&[&command::UNDO], "undo"),
        (&[&command::REDO], "redo"),
        (&[&command::SHOW_EDITS], "review all edits"),
    ],
);
const SAVE: HelpRow = (
    "Save",
    &[
        (&[&command::SAVE], "this file"),
        (&[&command::SAVE_ALL], "all files"),
    ],
);
const QUIT: HelpRow = (
    "Quit",
    &[
        (&[&command::QUIT], "asks first if edits are unsaved"),
        (&[&command::BACK], "one step back"),
    ],
);
const MORE: HelpRow = (
    "More",
    &[
        (&[&command::PALETTE], "any command by name"),
        (&[&command::HELP_LINK_NEXT], "the manual, below"),
    ],
);

/// Returns the current pane or mode.
pub(super) fn place(app: &App) -> &'static HelpPlace {
    match app.panes.focus {
        Focus::Dialogs => &LIST,
        Focus::Transcript if app.panes.transcript.caret.is_some() => &SPAN,
        Focus::Transcript if app.judges() => &JUDGING,
        Focus::Transcript => &READING,
        Focus::Details => &DETAILS,
    }
}

/// Columns before the keys.
const MARGIN: usize = 10;
/// Space between two commands.
const GAP: &str = "   ";

/// Lists the commands of the current pane or mode, one task a line, as many as fit into `columns`.
pub(super) fn lines(app: &App, columns: usize) -> Vec<Line> {
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
            .keys_named(command.name, Some(crate::app::keymap::Scope::Help))
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
