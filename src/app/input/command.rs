//! Every command, by topic, and the names that commands had. The rows in
//! [`table`](crate::app::commands::table) say what each does.

use crate::dialog::Breakdown;

/// The states in which a command works besides the normal one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Availability {
    /// No other state.
    Normal,
    /// Also on a screen that is too small, because it only closes a window.
    ClosesWindow,
    /// Also on a screen that is too small.
    TinyScreen,
    /// Also on a screen that is too small, and under any window, because it concerns the terminal.
    Always,
}

/// Declares [`Command`], by topic.
macro_rules! commands {
    ($($topic:ident { $($command:ident,)* })*) => {
        /// Something the user can do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Command {
            $($($command,)*)*
        }

        impl Command {
            /// Every command, by topic.
            pub const ALL: &[Self] = &[$($(Self::$command,)*)*];
        }

        impl Topic {
            /// Returns its commands.
            pub fn commands(self) -> &'static [Command] {
                match self {
                    $(Self::$topic => &[$(Command::$command,)*],)*
                }
            }
        }
    };
}

commands! {
    Move {
        TurnNext, TurnPrevious, TurnFirst, TurnLast, SegmentNext, SegmentPrevious, Down, Up,
        First, Last, PageDown, PageUp, HalfPageDown, HalfPageUp, JumpBack, JumpForward,
        DialogNext, DialogPrevious, ListFold,
    }
    Spans {
        SpanEnter, SpanLeave, SpanDone, CaretRight, CaretLeft, CaretWordRight, CaretWordLeft,
        CaretEnd, CaretStart, SelectRight, SelectLeft, SelectWordRight, SelectWordLeft,
        SelectEnd, SelectStart, SelectAll, Select, EndRight, EndLeft, StartRight, StartLeft,
        EndWordRight, EndWordLeft, StartWordRight, StartWordLeft, SegmentToSelection,
        AddSegment, Relabel, AddLabel, RemoveLabel, DeleteSegment, SplitSegment, LabelAlike,
        MergeSegments,
    }
    Editing {
        EditText, SetSpeaker, AddCall, AddTurn, RemoveTurn, SetField, ItemChange, ItemAdd,
        ItemRename, ItemDelete, Undo, Redo, Recover, Reload, Save, SaveAll, AnswerYes, AnswerNo,
        AnswerLater, AnswerShow, AnswerExport,
    }
    Judging {
        Judge, VoteO, VoteT, VoteX, VoteComment, Note, TypeAnswer, VoteUngrammatical,
        VoteWithdraw, VoteSkip, Blind, HideLater, Guideline, Adjudicate, AskQuestion, Annotator, QueueAll,
        QueueTies, QueueUndecided, QueueEntropy, QueueGold, QueueDetector, QueueSample,
        QueueFound,
    }
    Finding {
        Search, FindNext, FindPrevious, FindLabel, FindApi, FindProblem, ProblemNext,
        ProblemPrevious, Fix, Ignore, Exclude, ToggleIgnored, FixAllSafe, FixAllOfRule,
        ShowProblems, FindSameLabel, GotoDialog, GotoFile, ToggleBookmark, Bookmarks, Filter,
        ListFound, ShowHits, CountHits, HitsToFile, Report, Sort, SortBackwards,
    }
    Panes {
        FocusNext, FocusPrevious, FocusDialogs, FocusTranscript, ListOpen, FocusDetails,
        TabNext, TabPrevious, ShowTurn, ShowApi, ShowAnswers, ShowCharts, Team, ShowCodes,
        ShowInfo, ShowSource, ShowBlame, ShowEdits, ToggleDetails, FillScreen, Pin, PinSwap,
        PinTogether, PinSameId, ToggleMarks, ToggleCalls, ToggleCall,
    }
    Review {
        Suggestions, ReviewTick, ReviewTickAll, ReviewApply, ReviewTake, ReviewLeave, ReviewBoth,
        ReviewByHand, ReviewSide, ReviewUndo, ReviewReach, ReviewClose,
    }
    Program {
        Help, Palette, Actions, Back, CopyText, CopyId, CopyJson, Redraw, ThemeNext, Suspend,
        Quit, HelpSearch, HelpLinkNext, HelpLinkPrevious, HelpOpen, HelpBack, HelpClose, Accept,
        Cancel,
    }
}

/// A group of commands under one title of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    Move,
    Spans,
    Editing,
    Judging,
    Finding,
    Panes,
    Review,
    Program,
}

impl Topic {
    /// Every topic, as the help lists them.
    pub const ALL: [Self; 8] = [
        Self::Move,
        Self::Spans,
        Self::Editing,
        Self::Judging,
        Self::Finding,
        Self::Panes,
        Self::Review,
        Self::Program,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Self::Move => "Move",
            Self::Spans => "Edit spans",
            Self::Editing => "Edit, undo, save",
            Self::Judging => "Judge",
            Self::Finding => "Find and fix problems",
            Self::Panes => "Panes and tabs",
            Self::Review => "Review fixes, suggestions, conflicts",
            Self::Program => "Help, copy, quit",
        }
    }
}

/// Former names of commands; keymaps that use them still work.
pub const FORMER_NAMES: &[(&str, Command)] = &[
    ("answer_harmless", Command::AnswerLater),
    ("answer_safe", Command::AnswerLater),
    ("choice_next", Command::Down),
    ("choice_page_down", Command::PageDown),
    ("choice_page_up", Command::PageUp),
    ("choice_previous", Command::Up),
    ("details_down", Command::Down),
    ("details_first", Command::First),
    ("details_last", Command::Last),
    ("details_up", Command::Up),
    ("help_down", Command::Down),
    ("help_first", Command::First),
    ("help_last", Command::Last),
    ("help_page_down", Command::PageDown),
    ("help_page_up", Command::PageUp),
    ("help_up", Command::Up),
    ("list_down", Command::Down),
    ("list_first", Command::First),
    ("list_last", Command::Last),
    ("list_up", Command::Up),
    ("review_accept", Command::ReviewApply),
    ("review_cancel", Command::ReviewClose),
    ("review_down", Command::Down),
    ("review_first", Command::First),
    ("review_last", Command::Last),
    ("review_page_down", Command::PageDown),
    ("review_page_up", Command::PageUp),
    ("review_up", Command::Up),
    ("show_acts", Command::ShowTurn),
    ("show_segments", Command::ShowTurn),
    ("show_votes", Command::ShowAnswers),
    ("suggestion_both", Command::ReviewBoth),
    ("suggestion_by_hand", Command::ReviewByHand),
    ("suggestion_leave", Command::ReviewLeave),
    ("suggestion_side", Command::ReviewSide),
    ("suggestion_take", Command::ReviewTake),
    ("suggestion_undo", Command::ReviewUndo),
    ("suggestions_close", Command::ReviewClose),
];

/// Names of commands that there were; keymaps that bind keys to them still work.
const GONE: &[&str] =
    &["change_vote_o", "change_vote_t", "change_vote_x", "goto_word", "split_code", "team_gold"];

/// How a command moves through the transcripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// To a place nearby, or to one that the way back knows already.
    Step,
    /// Through a list, in which every row shows another place.
    Pass,
    /// Elsewhere, from where one may want to go back.
    Jump,
}

impl Command {
    /// Returns the label that it votes for, if it votes.
    pub fn vote(self) -> Option<Breakdown> {
        match self {
            Self::VoteO => Some(Breakdown::O),
            Self::VoteT => Some(Breakdown::T),
            Self::VoteX => Some(Breakdown::X),
            _ => None,
        }
    }

    /// True if those who judge need it all the time, although it does not judge: it moves to the next turn or dialog,
    /// takes something back, writes a note, or leads out.
    pub fn is_needed_to_judge(self) -> bool {
        matches!(
            self,
            Self::TurnNext
                | Self::TurnPrevious
                | Self::SegmentNext
                | Self::SegmentPrevious
                | Self::DialogNext
                | Self::DialogPrevious
                | Self::Undo
                | Self::Redo
                | Self::Note
                | Self::Help
                | Self::Actions
                | Self::Palette
                | Self::Quit
        )
    }

    /// Returns its name in keymaps and in the palette.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns its description in the help, the palette and the manual, one line.
    pub fn doc(self) -> &'static str {
        self.row().doc
    }

    /// Returns the command called `name`.
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|command| command.name() == name)
    }

    /// True for the name of a command that there was.
    pub fn is_gone(name: &str) -> bool {
        GONE.contains(&name)
    }

    /// Returns the command formerly called `name`.
    pub fn formerly(name: &str) -> Option<Self> {
        let found = FORMER_NAMES.iter().find(|(old, _)| *old == name);
        found.map(|(_, command)| *command)
    }
}
