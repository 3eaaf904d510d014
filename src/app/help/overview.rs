//! The first lines of the help: what one is most likely to look for here.

use super::keys::keys_here;
use crate::app::command::{self, Unavailable};
use crate::app::line::{Ink, Line, truncated};
use crate::app::{App, Focus};

/// A place of the reader, and what is done there.
pub(super) struct HelpPlace {
    pub title: &'static str,
    rows: &'static [HelpRow],
}

/// What is to be done, and the commands that do it, with a word or two for each.
type HelpRow = (
    &'static str,
    &'static [(&'static [&'static str], &'static str)],
);

const READING: HelpPlace = HelpPlace {
    title: "reading a dialog",
    rows: &[
        (
            "Move",
            &[
                (&["turn_next", "turn_previous"], "turn"),
                (&["segment_next", "segment_previous"], "segment"),
                (&["dialog_next", "dialog_previous"], "dialog"),
                (&["focus_next"], "pane"),
                (&["tab_next"], "tab"),
            ],
        ),
        FIND,
        (
            "Fix",
            &[
                (&["fix"], "the problem here"),
                (&["ignore"], "ignore it"),
                (&["show_problems"], "all problems"),
                (&["fix_all_safe"], "safe fixes"),
            ],
        ),
        (
            "Edit",
            &[
                (&["end_left", "end_right"], "end of the segment"),
                (&["relabel"], "label"),
                (&["delete_segment"], "delete"),
                (&["span_enter"], "spans"),
                (&["edit_text"], "text"),
            ],
        ),
        (
            "Judge",
            &[(
                &["judge"],
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
                (&["vote_o"], "not a breakdown"),
                (&["vote_t"], "possibly one"),
                (&["vote_x"], "a breakdown"),
            ],
        ),
        (
            "Then",
            &[
                (&["vote_comment"], "comment"),
                (&["vote_ungrammatical"], "ungrammatical"),
                (&["vote_withdraw"], "withdraw"),
                (&["blind"], "hide others' votes"),
            ],
        ),
        (
            "Move",
            &[
                (&["vote_skip"], "next unjudged"),
                (&["turn_next", "turn_previous"], "turn"),
                (&["dialog_next", "dialog_previous"], "dialog"),
                (&["focus_next"], "pane"),
            ],
        ),
        (
            "Choose",
            &[
                (&["queue_all"], ""),
                (&["queue_ties"], ""),
                (&["queue_entropy"], ""),
                (&["adjudicate"], ""),
            ],
        ),
        FIND,
        (
            "Fix",
            &[
                (&["fix"], "the problem here"),
                (&["ignore"], "ignore it"),
                (&["show_problems"], "all problems"),
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
                (&["list_down", "list_up"], "dialog"),
                (&["list_first", "list_last"], "first, last"),
                (&["focus_transcript"], "read"),
                (&["focus_next"], "pane"),
            ],
        ),
        (
            "Narrow",
            &[
                (&["filter"], "by id"),
                (&["sort"], "sort"),
                (&["goto_dialog"], "go to an id"),
                (&["goto_file"], "to a file"),
            ],
        ),
        FIND,
        (
            "Fix",
            &[
                (&["show_problems"], "all problems"),
                (&["fix_all_safe"], "safe fixes"),
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
                (&["caret_left", "caret_right"], "character"),
                (&["caret_word_left", "caret_word_right"], "word"),
                (&["caret_start", "caret_end"], "start, end"),
            ],
        ),
        (
            "Select",
            &[
                (&["select_left", "select_right"], ""),
                (&["select_word_left", "select_word_right"], "word"),
                (&["select_all"], "all"),
                (&["select"], "on/off"),
            ],
        ),
        (
            "Add",
            &[
                (&["add_segment"], "a segment on the selection"),
                (&["segment_to_selection"], "resize to the selection"),
            ],
        ),
        (
            "Segment",
            &[
                (&["segment_next"], "next"),
                (&["end_left", "end_right"], "end"),
                (&["start_left", "start_right"], "start"),
                (&["relabel"], "label"),
                (&["add_label"], "one more"),
                (&["delete_segment"], "delete"),
            ],
        ),
        (
            "",
            &[
                (&["split_segment"], "split at the caret"),
                (&["merge_segments"], "merge with the next"),
                (&["fix"], "fix the problem"),
            ],
        ),
        UNDO,
        SAVE,
        (
            "Leave",
            &[
                (&["span_leave"], "back to the transcript"),
                (&["quit"], "quit"),
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
                (&["details_down", "details_up"], "select or scroll"),
                (&["tab_next", "tab_previous"], "tab"),
                (&["back"], "to the transcript"),
            ],
        ),
        (
            "Change",
            &[
                (&["item_change"], "open or change"),
                (&["item_add"], "add"),
                (&["item_rename"], "rename"),
                (&["item_delete"], "delete or revert"),
            ],
        ),
        (
            "Votes",
            &[(&["vote_o", "vote_t", "vote_x"], "change the selected vote")],
        ),
        FIND,
        (
            "Fix",
            &[
                (&["fix"], "the problem here"),
                (&["ignore"], "ignore it"),
                (&["fix_all_of_rule"], "all of its rule"),
                (&["fix_all_safe"], "safe fixes"),
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
        (&["search"], "text"),
        (&["find_label"], "label"),
        (&["find_api"], "API"),
        (&["find_next", "find_previous"], "next, previous"),
        (&["goto_dialog"], "id"),
    ],
);
const UNDO: HelpRow = (
    "Undo",
    &[
        (&["undo"], "undo"),
        (&["redo"], "redo"),
        (&["show_edits"], "review all edits"),
    ],
);
const SAVE: HelpRow = (
    "Save",
    &[(&["save"], "this file"), (&["save_all"], "all files")],
);
const QUIT: HelpRow = (
    "Quit",
    &[
        (&["quit"], "asks first if edits are unsaved"),
        (&["back"], "one step back"),
    ],
);
const MORE: HelpRow = (
    "More",
    &[
        (&["palette"], "any command by name"),
        (&["help_link_next"], "the manual, below"),
    ],
);

/// Where the reader is.
pub(super) fn place(app: &App) -> &'static HelpPlace {
    match app.focus {
        Focus::Dialogs => &LIST,
        Focus::Transcript if app.span.is_some() => &SPAN,
        Focus::Transcript if app.judges() => &JUDGING,
        Focus::Transcript => &READING,
        Focus::Details => &DETAILS,
    }
}

/// Columns before the keys.
const MARGIN: usize = 10;
/// Columns between what two commands do.
const GAP: &str = "   ";

/// What is done where the reader is, a line each: as much of it as there is room for.
pub(super) fn lines(app: &App, columns: usize) -> Vec<Line> {
    let rows = place(app).rows.iter();
    rows.filter_map(|(what, commands)| row(app, what, commands, columns))
        .collect()
}

fn row(app: &App, what: &str, commands: &[(&[&str], &str)], columns: usize) -> Option<Line> {
    let mut line = Line::of(Ink::Plain, "  ").with(Ink::Title, what);
    line.fill(MARGIN);
    let mut is_empty = true;
    for (names, word) in commands {
        let keys: Vec<_> = names.iter().filter_map(|name| key(app, name)).collect();
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

/// The key of a command here, or its name in the palette; None if it cannot work here.
fn key(app: &App, name: &str) -> Option<String> {
    let command = command::named(name)?;
    if let Err(Unavailable::Here(_)) = (command.can)(app) {
        return None;
    }
    let here = keys_here(app, command).into_iter().next();
    let named = || command.in_palette.then(|| format!(":{name}"));
    // Those of the help itself work nowhere but in it.
    let in_help = || {
        app.keymap
            .keys_named(name, Some(crate::app::keymap::Scope::Help))
            .into_iter()
            .next()
    };
    here.or_else(in_help).or_else(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_of_an_overview_exists() {
        for place in [&READING, &JUDGING, &LIST, &SPAN, &DETAILS] {
            assert!(place.rows.len() <= 15, "{}", place.title);
            let commands = place.rows.iter().flat_map(|(_, commands)| *commands);
            for name in commands.flat_map(|(names, _)| *names) {
                assert!(command::named(name).is_some(), "{name}");
            }
        }
    }
}
