//! The first lines of the help: the commands needed most in the current pane or mode.

use crate::app::core::{App, Unavailable};
use crate::app::help::keys::keys_here;
use crate::app::input::{Command, Scope};
use crate::app::pane::{Ink, Line, truncated};

/// A pane or mode, and the commands used there.
pub struct HelpPlace {
    pub title: &'static str,
    rows: &'static [HelpRow],
}

/// A row: a task, and its commands with a word or two for each.
type HelpRow = (&'static str, &'static [(&'static [Command], &'static str)]);

const READING: HelpPlace = HelpPlace {
    title: "reading a dialog",
    rows: &[
        (
            "Move",
            &[
                (&[Command::TurnNext, Command::TurnPrevious], "turn"),
                (&[Command::SegmentNext, Command::SegmentPrevious], "segment"),
                (&[Command::DialogNext, Command::DialogPrevious], "dialog"),
                (&[Command::FocusNext], "pane"),
                (&[Command::TabNext], "tab"),
            ],
        ),
        FIND,
        (
            "Fix",
            &[
                (&[Command::Fix], "the problem here"),
                (&[Command::Ignore], "ignore it"),
                (&[Command::ShowProblems], "all problems"),
                (&[Command::FixAllSafe], "safe fixes"),
            ],
        ),
        (
            "Edit",
            &[
                (
                    &[Command::EndLeft, Command::EndRight],
                    "move the segment's end",
                ),
                (&[Command::Relabel], "label"),
                (&[Command::DeleteSegment], "delete"),
                (&[Command::SpanEnter], "spans"),
                (&[Command::EditText], "text"),
            ],
        ),
        (
            "Judge",
            &[(
                &[Command::Judge],
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
                (&[Command::VoteO], "not a breakdown"),
                (&[Command::VoteT], "possibly one"),
                (&[Command::VoteX], "a breakdown"),
            ],
        ),
        (
            "Then",
            &[
                (&[Command::VoteComment], "comment"),
                (&[Command::VoteUngrammatical], "ungrammatical"),
                (&[Command::VoteWithdraw], "withdraw"),
                (&[Command::Blind], "hide others' votes"),
            ],
        ),
        (
            "Move",
            &[
                (&[Command::VoteSkip], "next unjudged"),
                (&[Command::TurnNext, Command::TurnPrevious], "turn"),
                (&[Command::DialogNext, Command::DialogPrevious], "dialog"),
                (&[Command::FocusNext], "pane"),
            ],
        ),
        (
            "Choose",
            &[
                (&[Command::QueueAll], ""),
                (&[Command::QueueTies], ""),
                (&[Command::QueueEntropy], ""),
                (&[Command::Adjudicate], "gold labels"),
            ],
        ),
        FIND,
        (
            "Fix",
            &[
                (&[Command::Fix], "the problem here"),
                (&[Command::Ignore], "ignore it"),
                (&[Command::ShowProblems], "all problems"),
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
                (&[Command::ListDown, Command::ListUp], "dialog"),
                (&[Command::ListFirst, Command::ListLast], "first, last"),
                (&[Command::FocusTranscript], "read"),
                (&[Command::FocusNext], "pane"),
            ],
        ),
        (
            "Narrow",
            &[
                (&[Command::Filter], "by id"),
                (&[Command::Sort], "sort"),
                (&[Command::GotoDialog], "go to an id"),
                (&[Command::GotoFile], "to a file"),
            ],
        ),
        FIND,
        (
            "Fix",
            &[
                (&[Command::ShowProblems], "all problems"),
                (&[Command::FixAllSafe], "safe fixes"),
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
                (&[Command::CaretLeft, Command::CaretRight], "character"),
                (&[Command::CaretWordLeft, Command::CaretWordRight], "word"),
                (&[Command::CaretStart, Command::CaretEnd], "start, end"),
            ],
        ),
        (
            "Select",
            &[
                (&[Command::SelectLeft, Command::SelectRight], ""),
                (&[Command::SelectWordLeft, Command::SelectWordRight], "word"),
                (&[Command::SelectAll], "all"),
                (&[Command::Select], "on/off"),
            ],
        ),
        (
            "Add",
            &[
                (&[Command::AddSegment], "a segment on the selection"),
                (&[Command::SegmentToSelection], "resize to the selection"),
            ],
        ),
        (
            "Segment",
            &[
                (&[Command::SegmentNext], "next"),
                (&[Command::EndLeft, Command::EndRight], "end"),
                (&[Command::StartLeft, Command::StartRight], "start"),
                (&[Command::Relabel], "label"),
                (&[Command::AddLabel], "one more"),
                (&[Command::DeleteSegment], "delete"),
            ],
        ),
        (
            "",
            &[
                (&[Command::SplitSegment], "split at the caret"),
                (&[Command::MergeSegments], "merge with the next"),
                (&[Command::Fix], "fix the problem"),
            ],
        ),
        UNDO,
        SAVE,
        (
            "Leave",
            &[
                (&[Command::SpanLeave], "back to the transcript"),
                (&[Command::Quit], "quit"),
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
                    &[Command::DetailsDown, Command::DetailsUp],
                    "select or scroll",
                ),
                (&[Command::TabNext, Command::TabPrevious], "tab"),
                (&[Command::Back], "to the transcript"),
            ],
        ),
        (
            "Change",
            &[
                (&[Command::ItemChange], "open or change"),
                (&[Command::ItemAdd], "add"),
                (&[Command::ItemRename], "rename"),
                (&[Command::ItemDelete], "delete or revert"),
            ],
        ),
        (
            "Votes",
            &[(
                &[Command::VoteO, Command::VoteT, Command::VoteX],
                "change the selected vote",
            )],
        ),
        FIND,
        (
            "Fix",
            &[
                (&[Command::Fix], "the problem here"),
                (&[Command::Ignore], "ignore it"),
                (&[Command::FixAllOfRule], "all of its rule"),
                (&[Command::FixAllSafe], "safe fixes"),
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
        (&[Command::Search], "text"),
        (&[Command::FindLabel], "label"),
        (&[Command::FindApi], "API"),
        (
            &[Command::FindNext, Command::FindPrevious],
            "next, previous",
        ),
        (&[Command::GotoDialog], "id"),
    ],
);
const UNDO: HelpRow = (
    "Undo",
    &[
        (&[Command::Undo], "undo"),
        (&[Command::Redo], "redo"),
        (&[Command::ShowEdits], "review all edits"),
    ],
);
const SAVE: HelpRow = (
    "Save",
    &[
        (&[Command::Save], "this file"),
        (&[Command::SaveAll], "all files"),
    ],
);
const QUIT: HelpRow = (
    "Quit",
    &[
        (&[Command::Quit], "asks first if edits are unsaved"),
        (&[Command::Back], "one step back"),
    ],
);
const MORE: HelpRow = (
    "More",
    &[
        (&[Command::Palette], "any command by name"),
        (&[Command::HelpLinkNext], "the manual, below"),
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

fn row(app: &App, what: &str, commands: &[(&[Command], &str)], columns: usize) -> Option<Line> {
    let mut line = Line::of(Ink::Plain, "  ").with(Ink::Title, what);
    line.fill(MARGIN);
    let mut is_empty = true;
    for (commands, word) in commands {
        let keys = commands.iter().filter_map(|command| key(app, *command));
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
fn key(app: &App, command: Command) -> Option<String> {
    if let Err(Unavailable::Here(_)) = app.can(command) {
        return None;
    }
    let here = keys_here(app, command).into_iter().next();
    let named = || {
        command
            .row()
            .in_palette
            .then(|| format!(":{}", command.name()))
    };
    // Commands of the help have keys only in its own scope.
    let in_help = || {
        app.input
            .keymap
            .hint(command, &[Scope::Help])
            .map(str::to_owned)
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
