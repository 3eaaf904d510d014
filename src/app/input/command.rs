//! Every command: its name in keymaps and in the palette, what it does in a line, and where it works. What it
//! runs is in [`commands`](crate::app::commands).

use crate::dialog::Breakdown;

/// A row of the table of commands.
#[derive(Debug)]
pub struct CommandRow {
    /// The name in keymaps and in the palette.
    pub name: &'static str,
    /// The description in the help, the palette and the manual, one line.
    pub doc: &'static str,
    /// Other words by which the palette finds it.
    pub words: &'static [&'static str],
    /// Listed in the palette. Commands that need an open prompt, help or list are not.
    pub in_palette: bool,
    /// The command that runs instead when a number precedes the key: while reading or judging, a number
    /// means a turn.
    pub with_count: Option<Command>,
    pub availability: Availability,
}

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

/// Makes the row of a command that is listed in the palette.
const fn row(name: &'static str, doc: &'static str) -> CommandRow {
    CommandRow {
        name,
        doc,
        words: &[],
        in_palette: true,
        with_count: None,
        availability: Availability::Normal,
    }
}

impl CommandRow {
    /// Lets the palette find the command by other words that people use.
    const fn also_called(self, words: &'static [&'static str]) -> Self {
        Self { words, ..self }
    }

    /// Leaves the command out of the palette.
    const fn by_key_only(self) -> Self {
        Self { in_palette: false, ..self }
    }

    /// Runs `other` instead when a number precedes the key.
    const fn with_a_number(self, other: Command) -> Self {
        Self { with_count: Some(other), ..self }
    }

    /// Makes the command available in more states.
    const fn available(self, availability: Availability) -> Self {
        Self { availability, ..self }
    }
}

/// Declares [`Command`], with a row for each, by topic.
macro_rules! commands {
    ($($topic:ident { $($command:ident = $row:expr,)* })*) => {
        /// Something the user can do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Command {
            $($($command,)*)*
        }

        impl Command {
            /// Every command, by topic.
            pub const ALL: &[Self] = &[$($(Self::$command,)*)*];

            /// Returns its row of the table.
            pub fn row(self) -> &'static CommandRow {
                static ROWS: &[CommandRow] = &[$($($row,)*)*];
                &ROWS[self as usize]
            }
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
        TurnNext = row("turn_next", "next turn; scrolls a turn longer than the screen first"),
        TurnPrevious = row("turn_previous", "previous turn"),
        TurnFirst = row("turn_first", "first turn; with a count N, turn N"),
        TurnLast = row("turn_last", "last turn; with a count N, turn N"),
        SegmentNext = row("segment_next", "next segment, across turns"),
        SegmentPrevious = row("segment_previous", "previous segment"),
        PageDown = row("page_down", "a page down"),
        PageUp = row("page_up", "a page up"),
        HalfPageDown = row("half_page_down", "half a page down"),
        HalfPageUp = row("half_page_up", "half a page up"),
        JumpBack = row("jump_back", "back to where you were before the last search, jump or other dialog")
            .also_called(&["return", "previous", "history"]),
        JumpForward = row("jump_forward", "forward again, after going back")
            .also_called(&["return", "history"]),
        DialogNext = row("dialog_next", "next dialog of the list"),
        DialogPrevious = row("dialog_previous", "previous dialog of the list"),
        ListDown = row("list_down", "one row down").by_key_only(),
        ListUp = row("list_up", "one row up").by_key_only(),
        ListFirst = row("list_first", "first dialog of the list; with a count N, its Nth dialog"),
        ListLast = row("list_last", "last dialog of the list; with a count N, its Nth dialog"),
        ListFold = row("list_fold", "hide the dialogs of this file or folder; again, those of the folder around it")
            .also_called(&["collapse", "tree"]),
        DetailsDown = row("details_down", "next item, or scroll down").by_key_only(),
        DetailsUp = row("details_up", "previous item, or scroll up").by_key_only(),
        DetailsFirst = row("details_first", "first item, or the top").by_key_only(),
        DetailsLast = row("details_last", "last item, or the end").by_key_only(),
    }
    Spans {
        SpanEnter = row("span_enter", "edit spans in this turn; show, fold or open its side branch"),
        SpanLeave = row("span_leave", "drop the selection; without one, leave span editing")
            .by_key_only(),
        SpanDone = row("span_done", "leave span editing, with the selection dropped").by_key_only(),
        CaretRight = row("caret_right", "to the next character").by_key_only(),
        CaretLeft = row("caret_left", "to the previous character").by_key_only(),
        CaretWordRight = row("caret_word_right", "to the start of the next word").by_key_only(),
        CaretWordLeft = row("caret_word_left", "to the start of the previous word").by_key_only(),
        CaretEnd = row("caret_end", "to the end of the turn").by_key_only(),
        CaretStart = row("caret_start", "to the start of the turn").by_key_only(),
        GotoWord = row("goto_word", "label the words of the turn with letters, and go to the one you type")
            .also_called(&["jump", "hint"]),
        SelectRight = row("select_right", "select to the right").by_key_only(),
        SelectLeft = row("select_left", "select to the left").by_key_only(),
        SelectWordRight = row("select_word_right", "select a word to the right").by_key_only(),
        SelectWordLeft = row("select_word_left", "select a word to the left").by_key_only(),
        SelectEnd = row("select_end", "select to the end of the turn").by_key_only(),
        SelectStart = row("select_start", "select to the start of the turn").by_key_only(),
        SelectAll = row("select_all", "select the whole turn"),
        Select = row("select", "start or stop selecting from the caret").by_key_only(),
        EndRight = row("end_right", "move the end of the segment right"),
        EndLeft = row("end_left", "move the end of the segment left"),
        StartRight = row("start_right", "move the start of the segment right"),
        StartLeft = row("start_left", "move the start of the segment left"),
        EndWordRight = row("end_word_right", "move the end of the segment to the end of the next word"),
        EndWordLeft = row("end_word_left", "move the end of the segment to the end of the previous word"),
        StartWordRight = row("start_word_right", "move the start of the segment to the next word"),
        StartWordLeft = row("start_word_left", "move the start of the segment to the previous word"),
        SegmentToSelection = row("segment_to_selection", "resize the segment to the selection")
            .also_called(&["extend", "shrink"]),
        AddSegment = row("add_segment", "add a segment on the selection; a digit adds it with a label")
            .also_called(&["annotate", "mark", "tag", "new", "span"]),
        Relabel = row("relabel", "change the label").also_called(&["rename", "tag", "category"]),
        AddLabel = row("add_label", "add one more label"),
        RemoveLabel = row("remove_label", "remove the last label")
            .also_called(&["delete", "unlabel"]),
        DeleteSegment = row("delete_segment", "delete the segment")
            .also_called(&["remove", "unlabel"]),
        SplitSegment = row("split_segment", "split the segment at the caret")
            .also_called(&["cut", "divide"]),
        LabelAlike = row("label_alike", "give other mentions of the segment's text its labels: review them first")
            .also_called(&["same", "others", "all", "bulk"]),
        MergeSegments = row("merge_segments", "merge with the next segment")
            .also_called(&["join", "combine"]),
    }
    Editing {
        EditText = row("edit_text", "change the text of the turn")
            .also_called(&["correct", "typo", "utterance", "rewrite"]),
        SetSpeaker = row("set_speaker", "change the speaker of the turn")
            .also_called(&["role", "user", "system", "assistant"]),
        AddCall = row("add_call", "add a call to this turn: its API, then its arguments")
            .also_called(&["insert", "new", "api", "function"]),
        AddTurn = row("add_turn", "add a turn after this one")
            .also_called(&["insert", "new", "utterance", "message"]),
        RemoveTurn = row("remove_turn", "remove the turn with all that it holds")
            .also_called(&["delete", "utterance", "message"]),
        SetField = row("set_field", "change a text of the whole dialog, such as its scenario")
            .also_called(&["instructions", "scenario", "info", "edit"]),
        ItemChange = row("item_change", "open or change the selected item")
            .also_called(&["edit"]).by_key_only(),
        ItemAdd = row("item_add", "add a call, a value, an act, an intent or a slot; define a code")
            .also_called(&["new", "insert"]),
        ItemRename = row("item_rename", "rename the selected item"),
        SplitCode = row("split_code", "split the selected code: some of its places get another")
            .also_called(&["tag", "divide"]),
        ItemDelete = row("item_delete", "delete the selected item; revert the selected edit")
            .also_called(&["remove", "revert"]),
        Undo = row("undo", "undo the last edit").also_called(&["take", "back"]),
        Redo = row("redo", "redo the last undone edit").also_called(&["repeat", "again"]),
        Recover = row("recover", "decide again about unsaved edits from the last session")
            .also_called(&["restore", "journal", "crash"]),
        Reload = row("reload", "reload the file from disk and reapply unsaved edits")
            .also_called(&["refresh", "reread"]),
        Save = row("save", "save this file").also_called(&["write"]),
        SaveAll = row("save_all", "save all files with unsaved edits (write all)")
            .also_called(&["write"]),
        AnswerYes = row("answer_yes", "yes").by_key_only(),
        AnswerNo = row("answer_no", "no").by_key_only(),
        AnswerLater = row("answer_later", "cancel")
            .by_key_only().available(Availability::ClosesWindow),
        AnswerSafe = row("answer_safe", "cancel; keep things as they are").by_key_only(),
        AnswerShow = row("answer_show", "show what the question is about").by_key_only(),
        AnswerExport = row("answer_keep", "export unsaved edits to a file").by_key_only(),
    }
    Judging {
        Judge = row("judge", "turn judging on or off for dialogs without votes (votes go to logs beside the corpus)")
            .also_called(&["vote", "rate", "annotate"]),
        VoteO = row("vote_o", "vote O (not a breakdown)"),
        VoteT = row("vote_t", "vote T (possibly a breakdown)"),
        VoteX = row("vote_x", "vote X (a breakdown)"),
        VoteComment = row("vote_comment", "comment on your vote")
            .also_called(&["note", "remark", "reason"]),
        Note = row("note", "write a note on the turn, or on the selected segment or call; #words in it are its tags")
            .also_called(&["comment", "remark", "tag", "memo"]),
        TypeAnswer = row("type_answer", "answer the next question here whose answer is typed")
            .also_called(&["question", "tags"]),
        VoteUngrammatical = row("vote_ungrammatical", "toggle \"ungrammatical\"")
            .with_a_number(Command::TurnFirst),
        VoteWithdraw = row("vote_withdraw", "withdraw your vote")
            .also_called(&["remove", "delete", "unvote"]),
        VoteSkip = row("vote_skip", "skip to the next turn you have not judged"),
        Blind = row("blind", "hide others' votes until you have judged a turn, or show them")
            .also_called(&["hide", "votes"]),
        HideLater = row("hide_later", "hide what follows the turn, as it is hidden from a detector, or show it")
            .also_called(&["future", "rest", "calm"]),
        Guideline = row("guideline", "read the guideline that the project or your settings name")
            .also_called(&["instructions", "rules", "manual"]),
        Adjudicate = row("adjudicate", "turn adjudicator mode on or off: decide the gold label of each turn; votes stay")
            .also_called(&["gold"]),
        ChangeVoteO = row("change_vote_o", "as adjudicator: change the selected vote of another annotator to O (asks)"),
        ChangeVoteT = row("change_vote_t", "as adjudicator: change the selected vote of another annotator to T (asks)"),
        ChangeVoteX = row("change_vote_x", "as adjudicator: change the selected vote of another annotator to X (asks)"),
        Annotator = row("annotator", "set your annotator id"),
        QueueAll = row("queue_all", "judge all system turns"),
        QueueTies = row("queue_ties", "judge turns on which votes tie"),
        QueueUndecided = row("queue_undecided", "judge turns on which no label has more than half of the votes"),
        QueueEntropy = row("queue_entropy", "judge all system turns, lowest agreement first"),
        QueueGold = row("queue_gold", "decide turns that have votes and no gold label")
            .also_called(&["adjudicate", "undecided"]),
        QueueDetector = row("queue_detector", "judge turns where a detector disagrees with the votes"),
        QueueSample = row("queue_sample", "judge a random sample of turns"),
        QueueFound = row("queue_found", "judge the system turns that the search finds")
            .also_called(&["search", "query", "hits"]),
    }
    Finding {
        Search = row("search", "search text, labels, calls or problems in all dialogs")
            .also_called(&["find", "grep"]),
        FindNext = row("find_next", "next match (next problem when there is no search)"),
        FindPrevious = row("find_previous", "previous match (previous problem when there is no search)"),
        FindLabel = row("find_label", "search for a label"),
        FindApi = row("find_api", "search for calls of an API"),
        FindProblem = row("find_problem", "search for problems in all dialogs"),
        ProblemNext = row("problem_next", "next problem, across all files"),
        ProblemPrevious = row("problem_previous", "previous problem"),
        Fix = row("fix", "choose a fix for the problem here")
            .also_called(&["repair", "correct", "suggestion"]),
        Ignore = row("ignore", "ignore this problem (the reason is kept in a side file), or stop ignoring it")
            .also_called(&["suppress", "dismiss"]),
        Exclude = row("exclude", "exclude this dialog (the reason is kept in a side file), or include it again")
            .also_called(&["omit", "leave out", "skip"]),
        ToggleIgnored = row("toggle_ignored", "list ignored problems too, or hide them"),
        FixAllSafe = row("fix_all_safe", "review all safe fixes and apply them")
            .also_called(&["repair", "bulk", "autofix"]),
        FixAllOfRule = row("fix_all_of_rule", "review fixes for this rule and apply them")
            .also_called(&["repair", "bulk"]),
        ShowProblems = row("show_problems", "show the dialog's problems, and problem counts for the file and for all files")
            .also_called(&["lint", "errors", "warnings"]),
        FindSameLabel = row("find_same_label", "next segment with the same label"),
        GotoDialog = row("goto_dialog", "go to a dialog by its id or number")
            .also_called(&["jump", "open"]),
        GotoFile = row("goto_file", "go to the first dialog of a file, or see why it cannot be read")
            .also_called(&["jump", "open"]),
        ToggleBookmark = row("toggle_bookmark", "set a bookmark at this turn, or remove it")
            .also_called(&["mark", "remember"]),
        Bookmarks = row("bookmarks", "list bookmarks, and go to one")
            .also_called(&["marks"]),
        Filter = row("filter", "show only dialogs whose id contains …, or that a query finds")
            .also_called(&["narrow", "limit"]),
        ListFound = row("list_found", "list only the dialogs with hits of the search, or all again")
            .also_called(&["filter", "narrow", "hits"]),
        ShowHits = row("show_hits", "list the hits of the search with the text around them; going through the list shows each")
            .also_called(&["results", "matches", "concordance"]),
        CountHits = row("count_hits", "count how many hits of the search have which value, and narrow the search to one")
            .also_called(&["statistics", "values", "table", "frequencies"]),
        HitsToFile = row("hits_to_file", "put the hits of the search into a file, as JSON Lines")
            .also_called(&["export", "results"]),
        Report = row("report", "write a report of all dialogs into a file: figures, plots, examples")
            .also_called(&["statistics", "html", "page", "summary"]),
        Sort = row("sort", "sort the list: file order, id, longest, most problems, your columns"),
        SortBackwards = row("sort_backwards", "reverse the order of the list")
            .also_called(&["reverse", "descending"]),
    }
    Panes {
        FocusNext = row("focus_next", "focus the next pane"),
        FocusPrevious = row("focus_previous", "focus the previous pane"),
        FocusDialogs = row("focus_dialogs", "focus the dialog list"),
        FocusTranscript = row("focus_transcript", "focus the transcript"),
        ListOpen = row("list_open", "read the selected dialog; on a folded file or folder, show its dialogs")
            .also_called(&["expand", "unfold"]),
        FocusDetails = row("focus_details", "focus the details"),
        TabNext = row("tab_next", "next tab of the details"),
        TabPrevious = row("tab_previous", "previous tab of the details"),
        ShowSegments = row("show_segments", "show the turn's segments in the details"),
        ShowApi = row("show_api", "show the dialog's API calls in the details"),
        ShowVotes = row("show_votes", "show the turn's votes in the details"),
        ShowCharts = row("show_charts", "show charts of all votes, by system and by position of the turn")
            .also_called(&["statistics", "graph", "bars"]),
        Team = row("team", "show each annotator's work: done of assigned, pace, shares, agreement, checks")
            .also_called(&["progress", "people", "annotators"]),
        TeamGold = row("team_gold", "take the answers of the selected annotator as right, or no longer")
            .also_called(&["checks"]).by_key_only(),
        ShowCodes = row("show_codes", "list the tags of all judgements, and rename, merge or define them")
            .also_called(&["tags", "codebook", "notes"]),
        ShowActs = row("show_acts", "show the turn's acts and the state in the details"),
        ShowInfo = row("show_info", "show scenario, instructions, context and other fields"),
        ShowSource = row("show_source", "show the JSON text of the current turn or segment")
            .also_called(&["json", "raw"]),
        ShowBlame = row("show_blame", "show who made the parts of the turn, in which commit of git; again: no longer")
            .also_called(&["git", "history", "annotate", "author", "commit"]),
        ShowEdits = row("show_edits", "review edits, and revert them")
            .also_called(&["history", "changes", "diff"]),
        ToggleDetails = row("toggle_details", "show or hide the details")
            .also_called(&["sidebar", "hide"]),
        FillScreen = row("fill_screen", "show the focused pane on the whole screen, or all panes again")
            .also_called(&["zoom", "maximize", "full screen"]),
        Pin = row("pin", "pin this dialog, to read another beside it; again: unpin it")
            .also_called(&["compare", "split", "two", "side by side"]),
        PinSwap = row("pin_swap", "switch between the pinned dialog and the other")
            .also_called(&["compare", "other"]),
        PinTogether = row("pin_together", "let two dialogs move apart, or together, turn by turn")
            .also_called(&["scroll", "sync", "compare"]),
        PinSameId = row("pin_same_id", "pin the dialog of another file that has the same id; again: that of the next file")
            .also_called(&["compare", "twin", "version"]),
        ToggleMarks = row("toggle_marks", "mark segments under every turn, or the current one only"),
        ToggleCalls = row("toggle_calls", "unfold long prompts and responses, or fold calls to a line"),
        ToggleCall = row("toggle_call", "fold the selected object, list or call to a line, or unfold it; without one, as in the transcript"),
    }
    Fixes {
        ReviewDown = row("review_down", "next fix or suggestion").by_key_only(),
        ReviewUp = row("review_up", "previous fix or suggestion").by_key_only(),
        ReviewPageDown = row("review_page_down", "a page of fixes or suggestions down")
            .by_key_only(),
        ReviewPageUp = row("review_page_up", "a page of fixes or suggestions up").by_key_only(),
        ReviewFirst = row("review_first", "first fix or suggestion").by_key_only(),
        ReviewLast = row("review_last", "last fix or suggestion").by_key_only(),
        ReviewTick = row("review_tick", "select or skip this fix").by_key_only(),
        ReviewTickAll = row("review_tick_all", "select all, or none").by_key_only(),
        ReviewReach = row("review_reach", "scope: this dialog, this file, all files").by_key_only(),
        ReviewAccept = row("review_accept", "apply the selected fixes").by_key_only(),
        ReviewCancel = row("review_cancel", "cancel")
            .by_key_only().available(Availability::ClosesWindow),
    }
    Suggestions {
        Suggestions = row("suggestions", "review conflicts of a merge, and suggested edits")
            .also_called(&["review", "import"]),
        SuggestionTake = row("suggestion_take", "make this suggested edit; take their side of a conflict")
            .by_key_only(),
        SuggestionLeave = row("suggestion_leave", "leave this suggestion; keep our side of a conflict")
            .by_key_only(),
        SuggestionBoth = row("suggestion_both", "keep both sides of a conflict").by_key_only(),
        SuggestionByHand = row("suggestion_by_hand", "decide it by editing the turn yourself")
            .by_key_only(),
        SuggestionSide = row("suggestion_side", "show the base of a conflict beside the turn, both sides, the other side")
            .by_key_only(),
        SuggestionUndo = row("suggestion_undo", "undo the last edit or decision; a suggestion that it was is open again")
            .by_key_only(),
        SuggestionsClose = row("suggestions_close", "end the review; what was taken stays")
            .by_key_only().available(Availability::ClosesWindow),
    }
    Program {
        Help = row("help", "help: what you can do here, every key, the manual")
            .also_called(&["manual", "keys", "shortcuts"]),
        Palette = row("palette", "run any command by its name").by_key_only(),
        Actions = row("actions", "what you can do with what is selected: a menu with the keys")
            .also_called(&["menu", "here"]),
        Back = row("back", "back: close, end the search, return to the transcript"),
        CopyText = row("copy_text", "copy the text of what is selected, or of the turn")
            .also_called(&["clipboard", "yank"]),
        CopyId = row("copy_id", "copy the dialog's id").also_called(&["clipboard", "yank"]),
        CopyJson = row("copy_json", "copy the JSON of what is selected, or of the turn")
            .also_called(&["export", "clipboard", "yank"]),
        Redraw = row("redraw", "redraw the screen")
            .also_called(&["refresh", "repaint"]).available(Availability::Always),
        ThemeNext = row("theme_next", "next theme (this session)")
            .also_called(&["colour", "color", "dark", "light"]),
        Suspend = row("suspend", "suspend (resume with `fg`)").available(Availability::Always),
        Quit = row("quit", "quit; asks if there are unsaved edits")
            .also_called(&["exit", "close", "leave"]).available(Availability::TinyScreen),
        HelpDown = row("help_down", "one line down").by_key_only(),
        HelpUp = row("help_up", "one line up").by_key_only(),
        HelpPageDown = row("help_page_down", "a page down").by_key_only(),
        HelpPageUp = row("help_page_up", "a page up").by_key_only(),
        HelpFirst = row("help_first", "the beginning").by_key_only(),
        HelpLast = row("help_last", "the end").by_key_only(),
        HelpSearch = row("help_search", "find a line of this page").by_key_only(),
        HelpLinkNext = row("help_link_next", "select the next chapter of the manual").by_key_only(),
        HelpLinkPrevious = row("help_link_previous", "select the previous chapter").by_key_only(),
        HelpOpen = row("help_open", "open the selected chapter; without one, close the help")
            .by_key_only(),
        HelpBack = row("help_back", "back from a chapter; close the help")
            .by_key_only().available(Availability::ClosesWindow),
        HelpClose = row("help_close", "close the help")
            .by_key_only().available(Availability::ClosesWindow),
        Accept = row("accept", "accept what is typed or selected").by_key_only(),
        Cancel = row("cancel", "cancel").by_key_only().available(Availability::ClosesWindow),
        ChoiceNext = row("choice_next", "next choice").by_key_only(),
        ChoicePrevious = row("choice_previous", "previous choice").by_key_only(),
        ChoicePageDown = row("choice_page_down", "a page of choices down").by_key_only(),
        ChoicePageUp = row("choice_page_up", "a page of choices up").by_key_only(),
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
    Fixes,
    Suggestions,
    Program,
}

impl Topic {
    /// Every topic, as the help lists them.
    pub const ALL: [Self; 9] = [
        Self::Move,
        Self::Spans,
        Self::Editing,
        Self::Judging,
        Self::Finding,
        Self::Panes,
        Self::Fixes,
        Self::Suggestions,
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
            Self::Fixes => "Review fixes",
            Self::Suggestions => "Review suggestions",
            Self::Program => "Help, copy, quit",
        }
    }
}

/// Former names of commands; keymaps that use them still work.
const FORMER_NAMES: &[(&str, Command)] = &[("answer_harmless", Command::AnswerSafe)];

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

    /// True if it is about the turns of the open dialog alone, and so about one side of a pair.
    pub fn tells_side(self) -> bool {
        matches!(
            self,
            Self::EditText
                | Self::SetSpeaker
                | Self::AddTurn
                | Self::RemoveTurn
                | Self::SetField
                | Self::AddCall
                | Self::CopyText
                | Self::CopyJson
                | Self::Fix
                | Self::Ignore
                | Self::FixAllSafe
                | Self::FixAllOfRule
                | Self::FindProblem
                | Self::ProblemNext
                | Self::ProblemPrevious
                | Self::ShowProblems
                | Self::ToggleBookmark
                | Self::ToggleIgnored
                | Self::Pin
                | Self::PinSwap
                | Self::PinTogether
                | Self::PinSameId
        )
    }

    /// Returns how it moves, if it does.
    pub fn moves(self) -> Move {
        match self {
            Self::TurnNext
            | Self::TurnPrevious
            | Self::SegmentNext
            | Self::SegmentPrevious
            | Self::PageDown
            | Self::PageUp
            | Self::HalfPageDown
            | Self::HalfPageUp
            | Self::VoteO
            | Self::VoteT
            | Self::VoteX
            | Self::VoteSkip
            | Self::PinSwap
            | Self::JumpBack
            | Self::JumpForward => Move::Step,
            Self::DialogNext
            | Self::DialogPrevious
            | Self::ListDown
            | Self::ListUp
            | Self::DetailsDown
            | Self::DetailsUp
            | Self::DetailsFirst
            | Self::DetailsLast => Move::Pass,
            _ => Move::Jump,
        }
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

    /// Returns the command formerly called `name`.
    pub fn formerly(name: &str) -> Option<Self> {
        let found = FORMER_NAMES.iter().find(|(old, _)| *old == name);
        found.map(|(_, command)| *command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_everything_is_explained() {
        let mut names: Vec<_> = Command::ALL.iter().map(|c| c.name()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        for (old, _) in FORMER_NAMES {
            assert!(Command::named(old).is_none(), "{old}");
        }
        for command in Command::ALL {
            let (name, doc) = (command.name(), command.doc());
            assert!(doc.len() > 1 && !doc.ends_with('.'), "{command:?}");
            let is_plain = name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
            assert!(is_plain, "{command:?}");
        }
    }
}
