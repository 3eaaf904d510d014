//! The rows of the commands: the name in keymaps and in the palette, what it does in a line, when it can run, and what it
//! runs.

use crate::app::commands::conditions::{
    a_ballot, a_comment, a_deletable_item, a_dialog, a_dialog_to_note, a_dialog_without_votes,
    a_field, a_guideline, a_log, a_movable_turn, a_pinned_dialog, a_problem, a_rule, a_scheme,
    a_search, a_search_to_queue, a_segment, a_span_or_branch, a_speaker, a_text, a_vote, an_answer,
    an_edge, any_problems, calls, calls_anywhere, can_add_call, can_find_same_label, can_item_add,
    can_item_rename, can_redo, can_show_hits, can_undo, can_undo_in_review, has_segments,
    has_suggestions, labels_anywhere, movable_turns,
};
use crate::app::commands::{details, find, moving, palette, panes, program, repeat, spans};
use crate::app::core::{Answer, App, Effect, RowMotion, Unavailable};
use crate::app::feature::editing::label_picker::{LabelUse, ask_for_label};
use crate::app::feature::editing::{
    copying, dialog_fields, items, segments, speaker_picker, split_merge, turn_text, undo,
    whole_turns,
};
use crate::app::feature::figures;
use crate::app::feature::finding::search_prompt::ask_for_search;
use crate::app::feature::finding::{
    bookmarks, dialog_filter, dialog_order, file_picker, hit_counts, search, to_file,
};
use crate::app::feature::judging::{
    adjudicate, annotator_prompt, answer_keys, answering, guideline, judge, note_prompt,
    question_menu, queue, sample_prompt,
};
use crate::app::feature::problems::{fix_picker, ignoring, problem};
use crate::app::feature::recovery::restore_edits;
use crate::app::feature::review::{decide, fixes};
use crate::app::feature::saving::{external_changes, quit, save};
use crate::app::help;
use crate::app::input::{Availability, Command, Move};
use crate::app::pane::Focus;
use crate::app::pane::details::{ANSWERS, TURN};
use crate::app::state::{FixSource, Reach};
use crate::text::Direction::{Back, Forward};
use crate::text::{Motion, SpanEdge};
use crate::workspace::QueueKind;

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
    pub moves: Move,
    /// It is about the turns of the open dialog alone, and so about one side of a pair.
    pub tells_side: bool,
    /// Succeeds if it can run now.
    pub when: fn(&App) -> Result<(), Unavailable>,
    /// Runs it, with the number typed before its key.
    pub run: fn(&mut App, Option<usize>),
}

/// Makes the row of a command that is listed in the palette.
const fn row(
    name: &'static str,
    doc: &'static str,
    run: fn(&mut App, Option<usize>),
) -> CommandRow {
    CommandRow {
        name,
        doc,
        words: &[],
        in_palette: true,
        with_count: None,
        availability: Availability::Normal,
        moves: Move::Jump,
        tells_side: false,
        when: |_| Ok(()),
        run,
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

    /// Lets the command run only when this succeeds.
    const fn when(self, when: fn(&App) -> Result<(), Unavailable>) -> Self {
        Self { when, ..self }
    }

    /// Says how the command moves.
    const fn moving(self, moves: Move) -> Self {
        Self { moves, ..self }
    }

    /// Refuses the command where it would reveal which side of a pair is which.
    const fn telling_side(self) -> Self {
        Self { tells_side: true, ..self }
    }

    /// Makes the command available in more states.
    const fn available(self, availability: Availability) -> Self {
        Self { availability, ..self }
    }
}

/// Gives each command its row.
macro_rules! rows {
    ($($command:ident = $row:expr,)*) => {
        impl Command {
            /// Returns its row of the table.
            pub fn row(self) -> &'static CommandRow {
                match self {
                    $(Self::$command => {
                        static ROW: CommandRow = $row;
                        &ROW
                    })*
                }
            }
        }
    };
}

rows! {
    TurnNext = row("turn_next", "next turn; a turn longer than the screen scrolls first",
        |app, n| moving::turn(app, n, Forward)).when(a_dialog).moving(Move::Step),
    TurnPrevious = row("turn_previous", "previous turn", |app, n| moving::turn(app, n, Back))
        .when(a_dialog).moving(Move::Step),
    TurnFirst = row("turn_first", "first turn; with a count N, turn N",
        |app, n| moving::to_turn(app, n.unwrap_or(0))).when(a_dialog),
    TurnLast = row("turn_last", "last turn; with a count N, turn N", moving::turn_last).when(a_dialog),
    SegmentNext = row("segment_next", "next segment, across turns", |app, _| moving::segment(app, Forward))
        .when(has_segments).moving(Move::Step),
    SegmentPrevious = row("segment_previous", "previous segment", |app, _| moving::segment(app, Back))
        .when(has_segments).moving(Move::Step),
    Down = row("down", "next row, item or choice, or scroll down if there is none",
        |app, n| moving::rows(app, n, RowMotion::Steps(1))).moving(Move::Pass).by_key_only(),
    Up = row("up", "previous row, item or choice, or scroll up if there is none",
        |app, n| moving::rows(app, n, RowMotion::Steps(-1))).moving(Move::Pass).by_key_only(),
    First = row("first", "to the beginning; in the list, a count N goes to dialog N",
        |app, n| moving::rows(app, n, RowMotion::First)).moving(Move::Pass).by_key_only(),
    Last = row("last", "to the end; in the list, a count N goes to dialog N",
        |app, n| moving::rows(app, n, RowMotion::Last)).moving(Move::Pass).by_key_only(),
    PageDown = row("page_down", "a page down", |app, n| moving::rows(app, n, RowMotion::Pages(1)))
        .moving(Move::Step),
    PageUp = row("page_up", "a page up", |app, n| moving::rows(app, n, RowMotion::Pages(-1)))
        .moving(Move::Step),
    HalfPageDown = row("half_page_down", "half a page down", |app, n| moving::half_page(app, n, 1))
        .moving(Move::Step),
    HalfPageUp = row("half_page_up", "half a page up", |app, n| moving::half_page(app, n, -1))
        .moving(Move::Step),
    JumpBack = row("jump_back", "back to where you were before the last search or jump",
        |app, n| moving::jump(app, n, Back)).moving(Move::Step)
        .also_called(&["return", "previous", "history"]),
    JumpForward = row("jump_forward", "forward again, after going back",
        |app, n| moving::jump(app, n, Forward)).moving(Move::Step).also_called(&["return", "history"]),
    DialogNext = row("dialog_next", "next dialog of the list", |app, n| moving::dialog(app, n, 1))
        .moving(Move::Pass),
    DialogPrevious = row("dialog_previous", "previous dialog of the list",
        |app, n| moving::dialog(app, n, -1)).moving(Move::Pass),
    ListFold = row("list_fold", "fold this file or folder in the list, then the folder around it",
        |app, _| moving::list_fold(app)).also_called(&["collapse", "tree"]),
    SpanEnter = row("span_enter", "edit spans in this turn; show, fold or open its side branch",
        |app, _| spans::enter(app)).when(a_span_or_branch),
    SpanLeave = row("span_leave", "clear the selection; if none, leave span editing",
        |app, _| spans::span_leave(app)).by_key_only(),
    SpanDone = row("span_done", "clear the selection and leave span editing",
        |app, _| app.panes.transcript.set_caret(None)).by_key_only(),
    CaretRight = row("caret_right", "to the next character",
        |app, n| segments::move_caret(app, n, Motion::Grapheme, Forward)).by_key_only(),
    CaretLeft = row("caret_left", "to the previous character",
        |app, n| segments::move_caret(app, n, Motion::Grapheme, Back)).by_key_only(),
    CaretWordRight = row("caret_word_right", "to the start of the next word",
        |app, n| segments::move_caret(app, n, Motion::WordStart, Forward)).by_key_only(),
    CaretWordLeft = row("caret_word_left", "to the start of the previous word",
        |app, n| segments::move_caret(app, n, Motion::WordStart, Back)).by_key_only(),
    CaretEnd = row("caret_end", "to the end of the turn",
        |app, _| segments::move_caret(app, None, Motion::All, Forward)).by_key_only(),
    CaretStart = row("caret_start", "to the start of the turn",
        |app, _| segments::move_caret(app, None, Motion::All, Back)).by_key_only(),
    SelectRight = row("select_right", "select to the right",
        |app, n| segments::select(app, n, Motion::Grapheme, Forward)).by_key_only(),
    SelectLeft = row("select_left", "select to the left",
        |app, n| segments::select(app, n, Motion::Grapheme, Back)).by_key_only(),
    SelectWordRight = row("select_word_right", "select a word to the right",
        |app, n| segments::select(app, n, Motion::WordEnd, Forward)).by_key_only(),
    SelectWordLeft = row("select_word_left", "select a word to the left",
        |app, n| segments::select(app, n, Motion::WordStart, Back)).by_key_only(),
    SelectEnd = row("select_end", "select to the end of the turn",
        |app, _| segments::select(app, None, Motion::All, Forward)).by_key_only(),
    SelectStart = row("select_start", "select to the start of the turn",
        |app, _| segments::select(app, None, Motion::All, Back)).by_key_only(),
    SelectAll = row("select_all", "select the whole turn", |app, _| spans::select_all(app))
        .when(has_segments),
    Select = row("select", "start or stop selecting from the caret", |app, _| spans::toggle_selecting(app))
        .by_key_only(),
    EndRight = row("end_right", "move the end of the segment right",
        |app, n| spans::move_edge(app, n, SpanEdge::End, Motion::Grapheme, Forward)).when(an_edge),
    EndLeft = row("end_left", "move the end of the segment left",
        |app, n| spans::move_edge(app, n, SpanEdge::End, Motion::Grapheme, Back)).when(an_edge),
    StartRight = row("start_right", "move the start of the segment right",
        |app, n| spans::move_edge(app, n, SpanEdge::Start, Motion::Grapheme, Forward)).when(an_edge),
    StartLeft = row("start_left", "move the start of the segment left",
        |app, n| spans::move_edge(app, n, SpanEdge::Start, Motion::Grapheme, Back)).when(an_edge),
    EndWordRight = row("end_word_right", "move the end of the segment to the end of the next word",
        |app, n| spans::move_edge(app, n, SpanEdge::End, Motion::WordEnd, Forward)).when(an_edge),
    EndWordLeft = row("end_word_left", "move the end of the segment to the end of the previous word",
        |app, n| spans::move_edge(app, n, SpanEdge::End, Motion::WordEnd, Back)).when(an_edge),
    StartWordRight = row("start_word_right", "move the start of the segment to the next word",
        |app, n| spans::move_edge(app, n, SpanEdge::Start, Motion::WordStart, Forward)).when(an_edge),
    StartWordLeft = row("start_word_left", "move the start of the segment to the previous word",
        |app, n| spans::move_edge(app, n, SpanEdge::Start, Motion::WordStart, Back)).when(an_edge),
    SegmentToSelection = row("segment_to_selection", "resize the segment to the selection",
        |app, _| segments::move_segment(app)).when(a_segment).also_called(&["extend", "shrink"]),
    AddSegment = row("add_segment", "add a segment on the selection; a digit also sets its label",
        spans::add_segment).when(has_segments).also_called(&["annotate", "mark", "tag", "new", "span"]),
    Relabel = row("relabel", "change the label", |app, _| ask_for_label(app, LabelUse::Replace))
        .when(a_segment).also_called(&["rename", "tag", "category"]),
    AddLabel = row("add_label", "add one more label", |app, _| ask_for_label(app, LabelUse::Append))
        .when(a_segment),
    RemoveLabel = row("remove_label", "remove the last label", |app, _| spans::remove_label(app))
        .when(a_segment).also_called(&["delete", "unlabel"]),
    DeleteSegment = row("delete_segment", "delete the segment", |app, _| segments::delete_segment(app))
        .when(a_segment).also_called(&["remove", "unlabel"]),
    SplitSegment = row("split_segment", "split the segment at the caret",
        |app, _| split_merge::split_segment(app)).when(a_segment).also_called(&["cut", "divide"]),
    LabelAlike = row("label_alike", "list other mentions of the text, to add the label to them",
        |app, _| fixes::label_alike(app)).when(a_segment)
        .also_called(&["same", "others", "all", "bulk"]),
    MergeSegments = row("merge_segments", "merge with the next segment",
        |app, _| split_merge::merge_segments(app)).when(a_segment).also_called(&["join", "combine"]),
    EditText = row("edit_text", "change the text of the turn", |app, _| turn_text::edit_text(app))
        .when(a_text).telling_side().also_called(&["correct", "typo", "utterance", "rewrite"]),
    SetSpeaker = row("set_speaker", "change the speaker of the turn",
        |app, _| speaker_picker::ask_for_speaker(app)).when(a_speaker).telling_side()
        .also_called(&["role", "user", "system", "assistant"]),
    AddCall = row("add_call", "add a call to this turn: its API, then its arguments",
        |app, _| items::ask_for_call(app)).when(can_add_call).telling_side()
        .also_called(&["insert", "new", "api", "function"]),
    AddTurn = row("add_turn", "add a turn after this one", |app, _| whole_turns::ask_for_turn(app))
        .when(movable_turns).telling_side().also_called(&["insert", "new", "utterance", "message"]),
    RemoveTurn = row("remove_turn", "remove the turn and everything in it",
        |app, _| whole_turns::remove_turn(app)).when(a_movable_turn).telling_side()
        .also_called(&["delete", "utterance", "message"]),
    SetField = row("set_field", "change a text of the whole dialog, such as its scenario",
        |app, _| dialog_fields::ask_for_field(app)).when(a_field).telling_side()
        .also_called(&["instructions", "scenario", "info", "edit"]),
    ItemChange = row("item_change", "open or change the selected item", |app, _| details::change_item(app))
        .also_called(&["edit"]).by_key_only(),
    ItemAdd = row("item_add", "add a call, a value, an act, an intent or a slot; define a code",
        |app, _| details::add_item(app)).when(can_item_add).also_called(&["new", "insert"]),
    ItemRename = row("item_rename", "rename the selected item", |app, _| details::rename_item(app))
        .when(can_item_rename),
    ItemDelete = row("item_delete", "delete the selected item, or revert the selected edit",
        |app, _| details::delete_item(app)).when(a_deletable_item).also_called(&["remove", "revert"]),
    Undo = row("undo", "undo the last edit", |app, n| repeat(n, || undo::undo(app))).when(can_undo)
        .also_called(&["take", "back"]),
    Redo = row("redo", "redo the last undone edit", |app, n| repeat(n, || undo::redo(app)))
        .when(can_redo).also_called(&["repeat", "again"]),
    Recover = row("recover", "decide again about unsaved edits from the last run",
        |app, _| restore_edits::ask_about_unsaved(app)).also_called(&["restore", "journal", "crash"]),
    Reload = row("reload", "reload the file from disk and reapply unsaved edits",
        |app, _| external_changes::reload(app)).also_called(&["refresh", "reread"]),
    Save = row("save", "save this file", |app, _| save::save(app)).also_called(&["write"]),
    SaveAll = row("save_all", "save all files with unsaved edits (write all)", |app, _| save::save_all(app))
        .also_called(&["write"]),
    AnswerYes = row("answer_yes", "yes", |app, _| app.answer(Answer::Yes)).by_key_only(),
    AnswerNo = row("answer_no", "no", |app, _| app.answer(Answer::No)).by_key_only(),
    AnswerLater = row("answer_later", "cancel", |app, _| app.answer(Answer::Later)).by_key_only()
        .available(Availability::ClosesWindow),
    AnswerShow = row("answer_show", "show what the question is about", |app, _| app.answer(Answer::Show))
        .by_key_only(),
    AnswerExport = row("answer_keep", "export unsaved edits to a file", |app, _| app.answer(Answer::Export))
        .by_key_only(),
    Judge = row("judge", "turn judging on or off for dialogs without votes (votes go to logs beside the corpus)",
        |app, _| judge::toggle_judging(app)).when(a_dialog_without_votes)
        .also_called(&["vote", "rate", "annotate"]),
    VoteO = row("vote_o", "vote O (not a breakdown)", |app, n| answer_keys::give(app, Command::VoteO, n))
        .when(a_ballot).moving(Move::Step),
    VoteT = row("vote_t", "vote T (possibly a breakdown)",
        |app, n| answer_keys::give(app, Command::VoteT, n)).when(a_ballot).moving(Move::Step),
    VoteX = row("vote_x", "vote X (a breakdown)", |app, n| answer_keys::give(app, Command::VoteX, n))
        .when(a_ballot).moving(Move::Step),
    VoteComment = row("vote_comment", "comment on your vote", |app, _| program::comment(app))
        .when(a_comment).also_called(&["note", "remark", "reason"]),
    Note = row("note", "write a note, with #words as tags, on the turn or the selected segment or call",
        |app, _| note_prompt::note(app)).when(a_dialog_to_note)
        .also_called(&["comment", "remark", "tag", "memo"]),
    TypeAnswer = row("type_answer", "type an answer to the next question that has no answer keys",
        program::type_answer).when(a_scheme).also_called(&["question", "tags"]),
    VoteUngrammatical = row("vote_ungrammatical", "toggle \"ungrammatical\"",
        |app, _| answering::toggle_ungrammatical(app)).when(a_vote).with_a_number(Command::TurnFirst),
    VoteWithdraw = row("vote_withdraw", "withdraw your vote", |app, _| answering::withdraw(app))
        .when(an_answer).also_called(&["remove", "delete", "unvote"]),
    VoteSkip = row("vote_skip", "skip to the next turn you have not judged",
        |app, _| queue::next_to_judge(app, false)).when(a_log).moving(Move::Step),
    Blind = row("blind", "hide others' votes until you have judged a turn, or show them",
        |app, _| program::toggle_blind(app)).when(a_log).also_called(&["hide", "votes"]),
    HideLater = row("hide_later", "hide or show the turns after this one (detectors do not see them)",
        |app, _| program::toggle_later(app)).when(a_log).also_called(&["future", "rest", "calm"]),
    Guideline = row("guideline", "read the guideline set in the project or your settings",
        |app, _| guideline::open_guideline(app)).when(a_guideline)
        .also_called(&["instructions", "rules", "manual"]),
    Adjudicate = row("adjudicate", "turn adjudicator mode on or off, to decide gold answers beside others' answers",
        |app, _| adjudicate::toggle_adjudicating(app)).when(a_log).also_called(&["gold"]),
    AskQuestion = row("ask_question", "choose bundled questions, such as how good turns are or why calls failed",
        |app, _| question_menu::ask(app)).when(a_dialog).also_called(&["judge", "scheme", "annotate"]),
    Annotator = row("annotator", "set your annotator id", |app, _| annotator_prompt::ask_annotator(app)),
    QueueAll = row("queue_all", "judge all system turns", |app, _| queue::queue(app, QueueKind::All))
        .when(a_log),
    QueueTies = row("queue_ties", "judge turns whose votes tie",
        |app, _| queue::queue(app, QueueKind::Ties)).when(a_log),
    QueueUndecided = row("queue_undecided", "judge turns where no label has more than half of the votes",
        |app, _| queue::queue(app, QueueKind::Undecided)).when(a_log),
    QueueEntropy = row("queue_entropy", "judge all system turns, lowest agreement first",
        |app, _| queue::queue(app, QueueKind::Entropy)).when(a_log),
    QueueGold = row("queue_gold", "decide turns that have votes but no gold label",
        |app, _| queue::queue(app, QueueKind::Gold)).when(a_log)
        .also_called(&["adjudicate", "undecided"]),
    QueueDetector = row("queue_detector", "judge turns where a detector disagrees with the votes",
        |app, _| queue::queue(app, QueueKind::Detector)).when(a_log),
    QueueSample = row("queue_sample", "judge a random sample of turns", sample_prompt::queue_sample)
        .when(a_log),
    QueueFound = row("queue_found", "judge the system turns that the search finds",
        |app, _| queue::queue_found(app)).when(a_search_to_queue)
        .also_called(&["search", "query", "hits"]),
    Search = row("search", "search text, labels, calls or problems in all dialogs",
        |app, _| ask_for_search(app, "")).also_called(&["find", "grep"]),
    FindNext = row("find_next", "next hit (next problem when there is no search)",
        |app, n| find::again(app, n, Forward)).moving(Move::Pass),
    FindPrevious = row("find_previous", "previous hit (previous problem when there is no search)",
        |app, n| find::again(app, n, Back)).moving(Move::Pass),
    FindLabel = row("find_label", "search for a label", |app, _| ask_for_search(app, "label:"))
        .when(labels_anywhere),
    FindApi = row("find_api", "search for calls of an API",
        |app, _| ask_for_search(app, "api:")).when(calls_anywhere),
    FindProblem = row("find_problem", "search for problems in all dialogs",
        |app, _| search::start_search(app, "problem:")).telling_side(),
    ProblemNext = row("problem_next", "next problem, across all files",
        |app, _| problem::step_problem(app, Forward)).telling_side(),
    ProblemPrevious = row("problem_previous", "previous problem", |app, _| problem::step_problem(app, Back))
        .telling_side(),
    Fix = row("fix", "choose a fix for the problem here", |app, _| fix_picker::offer_fixes(app))
        .when(a_problem).telling_side().also_called(&["repair", "correct", "suggestion"]),
    Ignore = row("ignore", "ignore this problem (the reason is kept in a side file), or stop ignoring it",
        |app, _| ignoring::ignore(app)).when(a_problem).telling_side()
        .also_called(&["suppress", "dismiss"]),
    Exclude = row("exclude", "exclude this dialog (the reason is kept in a side file), or include it again",
        |app, _| ignoring::exclude(app)).also_called(&["omit", "leave out", "skip"]),
    ToggleIgnored = row("toggle_ignored", "list ignored problems too, or hide them",
        |app, _| find::toggle_ignored(app)).telling_side(),
    FixAllSafe = row("fix_all_safe", "review all safe fixes and apply them",
        |app, _| fixes::open(app, FixSource::Safe, Reach::Dialog)).when(any_problems)
        .telling_side().also_called(&["repair", "bulk", "autofix"]),
    FixAllOfRule = row("fix_all_of_rule", "review fixes for this rule and apply them",
        |app, _| find::fix_rule(app)).when(a_rule).telling_side()
        .also_called(&["repair", "bulk"]),
    ShowProblems = row("show_problems", "show the dialog's problems, and problem counts for the file and for all files",
        |app, _| panes::list_tab(app, "problems")).when(any_problems).telling_side()
        .also_called(&["lint", "errors", "warnings"]),
    FindSameLabel = row("find_same_label", "next segment with the same label",
        |app, _| find::same_label(app)).when(can_find_same_label),
    GotoDialog = row("goto_dialog", "go to a dialog by its id or number", find::goto_dialog)
        .also_called(&["jump", "open"]),
    GotoFile = row("goto_file", "go to the first dialog of a file, or see why the file is unreadable",
        |app, _| file_picker::ask_for_file(app)).also_called(&["jump", "open"]),
    ToggleBookmark = row("toggle_bookmark", "set a bookmark at this turn, or remove it",
        |app, _| bookmarks::toggle_bookmark(app)).when(a_dialog).telling_side()
        .also_called(&["mark", "remember"]),
    Bookmarks = row("bookmarks", "list bookmarks, and go to one", |app, _| bookmarks::list_bookmarks(app))
        .also_called(&["marks"]),
    Filter = row("filter", "show only dialogs whose id contains a text, or that a query finds",
        |app, _| dialog_filter::ask_for_filter(app)).also_called(&["narrow", "limit"]),
    ListFound = row("list_found", "list only dialogs with search hits, or all dialogs again",
        |app, _| search::toggle_listed(app)).when(a_search).also_called(&["filter", "narrow", "hits"]),
    ShowHits = row("show_hits", "list the search hits with the text around them; select a hit to show its turn",
        |app, _| find::show_hits(app)).when(can_show_hits)
        .also_called(&["results", "matches", "concordance"]),
    CountHits = row("count_hits", "count the hits by their values, such as labels, and narrow the search to a value",
        |app, _| hit_counts::ask_for_field(app)).when(can_show_hits)
        .also_called(&["statistics", "values", "table", "frequencies"]),
    HitsToFile = row("hits_to_file", "write the hits of the search to a file, as JSON Lines",
        |app, _| to_file::ask_for_hits(app)).when(can_show_hits)
        .also_called(&["export", "results"]),
    Report = row("report", "write a report of all dialogs to a file: figures, plots, examples",
        |app, _| to_file::ask_for_report(app)).also_called(&["statistics", "html", "page", "summary"]),
    Sort = row("sort", "sort the list: file order, id, longest, most problems, your columns",
        |app, _| dialog_order::sort(app)),
    SortBackwards = row("sort_backwards", "reverse the order of the list",
        |app, _| dialog_order::reverse(app)).also_called(&["reverse", "descending"]),
    FocusNext = row("focus_next", "focus the next pane", |app, _| panes::step_focus(app, Forward)),
    FocusPrevious = row("focus_previous", "focus the previous pane", |app, _| panes::step_focus(app, Back)),
    FocusDialogs = row("focus_dialogs", "focus the dialog list", |app, _| panes::focus(app, Focus::Dialogs)),
    FocusTranscript = row("focus_transcript", "focus the transcript",
        |app, _| panes::focus(app, Focus::Transcript)),
    ListOpen = row("list_open", "read the selected dialog, or unfold the selected file or folder",
        |app, _| panes::list_open(app)).also_called(&["expand", "unfold"]),
    FocusDetails = row("focus_details", "focus the details", |app, _| panes::focus(app, Focus::Details)),
    TabNext = row("tab_next", "next tab of the details", |app, _| panes::step_tab(app, 1)),
    TabPrevious = row("tab_previous", "previous tab of the details", |app, _| panes::step_tab(app, -1)),
    ShowTurn = row("show_turn", "show the turn's segments, acts and state in the details",
        |app, _| panes::tab(app, TURN)).also_called(&["segments", "acts", "state"]),
    ShowApi = row("show_api", "show the dialog's API calls in the details", |app, _| panes::tab(app, "api")),
    ShowAnswers = row("show_answers", "show votes, answers and notes in the details", |app, _| panes::tab(app, ANSWERS))
        .also_called(&["votes", "judgements", "notes"]),
    ShowCharts = row("show_charts", "show the answers in all open files, by system and by position of the turn",
        |app, _| figures::show_groups(app)).also_called(&["statistics", "graph", "bars"]),
    Team = row("team", "show each annotator's progress, pace, shares of answers and agreement",
        |app, _| figures::show_team(app)).also_called(&["progress", "people", "annotators"]),
    ShowCodes = row("show_codes", "list the tags of all judgements, and rename, merge or define them",
        |app, _| panes::list_tab(app, ANSWERS)).also_called(&["tags", "codebook", "notes"]),
    ShowInfo = row("show_info", "show scenario, instructions, context and other fields",
        |app, _| panes::tab(app, "info")),
    ShowSource = row("show_source", "show the JSON text of the current turn or segment",
        |app, _| panes::tab(app, "source")).also_called(&["json", "raw"]),
    ShowBlame = row("show_blame", "show who last changed each part of the dialog, and in which commit",
        |app, _| figures::show_blame(app)).when(a_dialog)
        .also_called(&["git", "history", "annotate", "author", "commit"]),
    ShowEdits = row("show_edits", "review edits, and revert them", |app, _| panes::list_tab(app, "edits"))
        .also_called(&["history", "changes", "diff"]),
    ToggleDetails = row("toggle_details", "show or hide the details", |app, _| panes::toggle_details(app))
        .also_called(&["sidebar", "hide"]),
    FillScreen = row("fill_screen", "show the focused pane on the whole screen, or all panes again",
        |app, _| panes::fill_screen(app)).also_called(&["zoom", "maximize", "full screen"]),
    Pin = row("pin", "pin this dialog to read another beside it, or unpin it",
        |app, _| panes::pin(app)).when(a_dialog).telling_side()
        .also_called(&["compare", "split", "two", "side by side"]),
    PinSwap = row("pin_swap", "switch between the pinned dialog and the other",
        |app, _| panes::pin_swap(app)).when(a_pinned_dialog).telling_side().moving(Move::Step)
        .also_called(&["compare", "other"]),
    PinTogether = row("pin_together", "scroll two dialogs together, turn by turn, or each on its own",
        |app, _| panes::pin_together(app)).when(a_pinned_dialog).telling_side()
        .also_called(&["scroll", "sync", "compare"]),
    PinSameId = row("pin_same_id", "pin the dialog with the same id in another file; repeat for the next file",
        |app, _| panes::pin_same_id(app)).when(a_dialog).telling_side()
        .also_called(&["compare", "twin", "version"]),
    ToggleMarks = row("toggle_marks", "mark segments under every turn, or the current one only",
        |app, _| panes::toggle_marks(app)).when(has_segments),
    ToggleCalls = row("toggle_calls", "fold or unfold prompts, calls and results, in five steps",
        |app, _| panes::toggle_calls(app)).when(calls),
    ToggleCall = row("toggle_call", "fold or unfold the selected object, list or call, or all calls if nothing is selected",
        |app, _| panes::toggle_call(app)).when(calls),
    Suggestions = row("suggestions", "review conflicts of a merge, and suggested edits",
        |app, _| decide::open(app)).when(has_suggestions).also_called(&["review", "import"]),
    ReviewTick = row("review_tick", "tick this fix or suggestion, or untick it", |app, _| decide::tick(app))
        .by_key_only(),
    ReviewTickAll = row("review_tick_all", "tick all, or none", |app, _| decide::tick_all(app))
        .by_key_only(),
    ReviewApply = row("review_apply", "apply all that is ticked, as one undo step", |app, _| decide::apply(app))
        .by_key_only(),
    ReviewTake = row("review_take", "apply this edit now, or take their side of a conflict",
        |app, _| decide::take(app)).by_key_only(),
    ReviewLeave = row("review_leave", "skip this, or keep our side of a conflict",
        |app, _| decide::leave(app)).by_key_only(),
    ReviewBoth = row("review_both", "keep both sides of a conflict",
        |app, _| decide::take_both(app)).by_key_only(),
    ReviewByHand = row("review_by_hand", "decide this by editing the turn yourself",
        |app, _| program::decide_by_hand(app)).by_key_only(),
    ReviewSide = row("review_side", "show a conflict's base, both sides or the other side beside the turn",
        |app, _| decide::show_next_side(app)).by_key_only(),
    ReviewUndo = row("review_undo", "undo the last edit or decision; what was decided is open again",
        |app, _| program::undo_in_review(app)).when(can_undo_in_review).by_key_only(),
    ReviewReach = row("review_reach", "scope of fixes: dialog, file or all files",
        |app, _| fixes::widen(app)).by_key_only(),
    ReviewClose = row("review_close", "end the review; what you applied stays",
        |app, _| decide::close(app)).by_key_only().available(Availability::ClosesWindow),
    Help = row("help", "help: what you can do here, every key, the manual", |app, _| help::open_help(app))
        .also_called(&["manual", "keys", "shortcuts"]),
    Palette = row("palette", "run any command by its name", |app, _| palette::ask(app, false))
        .by_key_only(),
    Actions = row("actions", "menu of actions for the selected item, with their keys",
        |app, _| palette::ask(app, true)).also_called(&["menu", "here"]),
    Back = row("back", "back: close, end the search, return to the transcript", |app, _| program::back(app)),
    CopyText = row("copy_text", "copy the text of the selected item, or of the turn",
        |app, _| copying::copy_text(app)).telling_side().also_called(&["clipboard", "yank"]),
    CopyId = row("copy_id", "copy the dialog's id", |app, _| copying::copy_id(app))
        .also_called(&["clipboard", "yank"]),
    CopyJson = row("copy_json", "copy the JSON of the selected item, or of the turn",
        |app, _| copying::copy_json(app)).telling_side().also_called(&["export", "clipboard", "yank"]),
    Redraw = row("redraw", "redraw the screen", |app, _| app.request(Effect::Redraw))
        .also_called(&["refresh", "repaint"]).available(Availability::Always),
    ThemeNext = row("theme_next", "next theme (this session)", |app, _| app.request(Effect::NextTheme))
        .also_called(&["colour", "color", "dark", "light"]),
    Suspend = row("suspend", "suspend (resume with `fg`)", |app, _| app.request(Effect::Suspend))
        .available(Availability::Always),
    Quit = row("quit", "quit; with unsaved edits, asks first", |app, _| quit::quit(app))
        .also_called(&["exit", "close", "leave"]).available(Availability::TinyScreen),
    HelpSearch = row("help_search", "find a line on this page", |app, _| app.search_pager()).by_key_only(),
    HelpLinkNext = row("help_link_next", "select the next chapter of the manual", |app, _| app.step_link(1))
        .by_key_only(),
    HelpLinkPrevious = row("help_link_previous", "select the previous chapter", |app, _| app.step_link(-1))
        .by_key_only(),
    HelpOpen = row("help_open", "open the selected chapter; if none, close the help",
        |app, _| help::open_chapter(app)).by_key_only(),
    HelpBack = row("help_back", "leave the chapter, or close the help", |app, _| app.windows.close())
        .by_key_only().available(Availability::ClosesWindow),
    HelpClose = row("help_close", "close the help", |app, _| app.windows.close_all()).by_key_only()
        .available(Availability::ClosesWindow),
    Accept = row("accept", "accept what is typed or selected", |app, _| app.prompt_accept()).by_key_only(),
    Cancel = row("cancel", "cancel", |app, _| app.prompt_cancel()).by_key_only()
        .available(Availability::ClosesWindow),
}
