//! Offers of commands in each pane or mode: in the last row of the screen, and in the first lines of the help.

use crate::app::input::Command;

/// A command and a word or two for it.
pub type CommandHint = (Command, &'static str);

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
    (Command::TypeAnswer, "type"),
    (Command::VoteComment, "comment"),
    (Command::VoteWithdraw, "withdraw"),
    (Command::VoteSkip, "skip"),
    (Command::Blind, "blind"),
    (Command::Guideline, "guideline"),
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
    (Command::GotoWord, "go to word"),
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
    (Command::AddSegment, "add"),
    (Command::SelectWordRight, "select word"),
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
pub const CALLS_TAB: &[CommandHint] = &[
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
pub const INNER: &[CommandHint] = &[
    (Command::DetailsDown, "choose"),
    (Command::ItemChange, "fold"),
    (Command::TabNext, "next tab"),
    (Command::Back, "transcript"),
    (Command::Help, "help"),
    (Command::Quit, "quit"),
];
pub const ITEMS_TAB: &[CommandHint] = &[
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
pub const PROBLEMS_TAB: &[CommandHint] = &[
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
pub const EDITS_TAB: &[CommandHint] = &[
    (Command::DetailsDown, "choose"),
    (Command::ItemChange, "go to"),
    (Command::ItemDelete, "revert"),
    (Command::Undo, "undo"),
    (Command::TabNext, "next tab"),
    (Command::Back, "transcript"),
    (Command::Help, "help"),
    (Command::Quit, "quit"),
];
pub const HITS_TAB: &[CommandHint] = &[
    (Command::DetailsDown, "choose"),
    (Command::ItemChange, "read"),
    (Command::CountHits, "count values"),
    (Command::HitsToFile, "into a file"),
    (Command::TabNext, "next tab"),
    (Command::Back, "end search"),
    (Command::Help, "help"),
    (Command::Quit, "quit"),
];
pub const TEAM_TAB: &[CommandHint] = &[
    (Command::DetailsDown, "choose"),
    (Command::ItemChange, "disagreements"),
    (Command::TeamGold, "gold"),
    (Command::TabNext, "next tab"),
    (Command::Back, "transcript"),
    (Command::Help, "help"),
    (Command::Quit, "quit"),
];
pub const CODES_TAB: &[CommandHint] = &[
    (Command::DetailsDown, "choose"),
    (Command::ItemChange, "places"),
    (Command::ItemRename, "rename or merge"),
    (Command::SplitCode, "split"),
    (Command::ItemAdd, "define"),
    (Command::Undo, "undo"),
    (Command::TabNext, "next tab"),
    (Command::Back, "transcript"),
    (Command::Help, "help"),
    (Command::Quit, "quit"),
];
pub const VOTES_TAB: &[CommandHint] = &[
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
pub const FIXABLE: &[CommandHint] = &[
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

/// Commands for what is selected, besides those that the place offers.
pub const ACTIONS: &[Command] = &[
    Command::Fix,
    Command::Ignore,
    Command::FixAllOfRule,
    Command::FindSameLabel,
    Command::LabelAlike,
    Command::CopyText,
    Command::MergeSegments,
    Command::AddLabel,
    Command::EditText,
    Command::SetSpeaker,
    Command::AddCall,
    Command::AddTurn,
    Command::RemoveTurn,
    Command::SelectAll,
    Command::VoteComment,
    Command::CopyId,
    Command::CopyJson,
    Command::ShowSource,
    Command::JumpBack,
];

/// Commands that edit the file of the open dialog.
pub const EDITING_HINTS: &[Command] = &[
    Command::SpanEnter,
    Command::EditText,
    Command::SetSpeaker,
    Command::AddTurn,
    Command::RemoveTurn,
    Command::SetField,
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
pub const UNSAVED_ANYWHERE: &[CommandHint] =
    &[(Command::Save, "save"), (Command::SaveAll, "save all"), (Command::Undo, "undo")];
/// While the files of the open dialog have unsaved edits.
pub const UNSAVED: &[CommandHint] = &[(Command::Save, "save"), (Command::Undo, "undo")];

/// A pane or mode, and the commands used there.
pub struct HelpPlace {
    pub title: &'static str,
    pub rows: &'static [HelpRow],
}

/// A row: a task, and its commands with a word or two for each.
pub type HelpRow = (&'static str, &'static [(&'static [Command], &'static str)]);

pub const READING_HELP: HelpPlace = HelpPlace {
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
        (
            "Compare",
            &[
                (&[Command::Pin], "this dialog with the next"),
                (&[Command::PinSwap], "switch"),
                (&[Command::PinSameId], "same id"),
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
                (&[Command::EndLeft, Command::EndRight], "move the segment's end"),
                (&[Command::Relabel], "label"),
                (&[Command::DeleteSegment], "delete"),
                (&[Command::SpanEnter], "spans"),
                (&[Command::EditText], "text"),
            ],
        ),
        ("Judge", &[(&[Command::Judge], "turn judging on: vote O, T or X on system turns")]),
        UNDO,
        SAVE,
        QUIT,
        MORE,
    ],
};

pub const JUDGING_HELP: HelpPlace = HelpPlace {
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
                (&[Command::HideLater], "what follows"),
                (&[Command::Guideline], "guideline"),
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

pub const LIST_HELP: HelpPlace = HelpPlace {
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
                (&[Command::Sort, Command::SortBackwards], "sort, reverse"),
                (&[Command::GotoDialog], "go to an id"),
                (&[Command::GotoFile], "to a file"),
            ],
        ),
        FIND,
        (
            "Fix",
            &[(&[Command::ShowProblems], "all problems"), (&[Command::FixAllSafe], "safe fixes")],
        ),
        UNDO,
        SAVE,
        QUIT,
        MORE,
    ],
};

pub const SPAN_HELP: HelpPlace = HelpPlace {
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
                (&[Command::LabelAlike], "label others alike"),
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
        ("Leave", &[(&[Command::SpanLeave], "back to the transcript"), (&[Command::Quit], "quit")]),
        MORE,
    ],
};

pub const DETAILS_HELP: HelpPlace = HelpPlace {
    title: "in the details",
    rows: &[
        (
            "Move",
            &[
                (&[Command::DetailsDown, Command::DetailsUp], "select or scroll"),
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
            &[(&[Command::VoteO, Command::VoteT, Command::VoteX], "change the selected vote")],
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
        (&[Command::FindNext, Command::FindPrevious], "next, previous"),
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
const SAVE: HelpRow =
    ("Save", &[(&[Command::Save], "this file"), (&[Command::SaveAll], "all files")]);
const QUIT: HelpRow = (
    "Quit",
    &[(&[Command::Quit], "asks first if edits are unsaved"), (&[Command::Back], "one step back")],
);
const MORE: HelpRow = (
    "More",
    &[
        (&[Command::Palette], "any command by name"),
        (&[Command::Actions], "what fits here"),
        (&[Command::HelpLinkNext], "the manual, below"),
    ],
);
