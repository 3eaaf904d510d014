//! Running commands: for each, when it can run, and what it calls. [`Command`] has their
//! names and descriptions; commands that need more than a call have a function in a module here, by topic.

mod conditions;
mod details;
mod find;
mod moving;
pub mod palette;
mod panes;
pub mod program;
mod review_list;
mod spans;

use crate::app::commands::palette::CommandPalette;
use crate::app::core::{Answer, App, Effect, FixSource, Unavailable};
use crate::app::feature::blame;
use crate::app::feature::editing::label_picker::{LabelUse, ask_for_label};
use crate::app::feature::editing::{
    copying, dialog_fields, items, segments, speaker_picker, split_merge, turn_text, undo,
    whole_turns, word_jump,
};
use crate::app::feature::finding::search_prompt::SearchPrompt;
use crate::app::feature::finding::{
    bookmarks, dialog_filter, dialog_order, file_picker, hit_counts, search, side_branch, to_file,
};
use crate::app::feature::judging::{
    adjudicate, annotator_prompt, answer_keys, answering, charts, codes, guideline, judge,
    note_prompt, queue, sample_prompt, team,
};
use crate::app::feature::problems::bulk_fix::BulkFixScope;
use crate::app::feature::problems::{bulk_fix, fix_picker, ignoring, problem};
use crate::app::feature::recovery::restore_edits;
use crate::app::feature::saving::{external_changes, quit, save};
use crate::app::feature::suggestions::review;
use crate::app::help;
use crate::app::input::Command;
use crate::app::pane::Focus;

use crate::dialog::Breakdown;
use crate::text::Direction::{Back, Forward};
use crate::text::{Motion, SpanEdge};
use crate::workspace::QueueKind;

impl App {
    /// Runs a command, if it is available now.
    pub fn run(&mut self, command: Command, count: Option<usize>) {
        match self.can(command) {
            Ok(()) => self.run_now(command, count),
            Err(why) => self.say(why.text(self)),
        }
    }

    /// Checks that a command can run now.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn can(&self, command: Command) -> Result<(), Unavailable> {
        let app = self;
        let steps = matches!(command, Command::FindNext | Command::FindPrevious);
        let to_problems = steps && app.search.query.is_none();
        if (command.tells_side() || to_problems) && app.hides_sides() {
            return Err(Unavailable::Here("this would tell which side of the pair is which"));
        }
        match command {
            Command::TurnNext
            | Command::TurnPrevious
            | Command::TurnFirst
            | Command::TurnLast
            | Command::Pin
            | Command::PinSameId
            | Command::ShowBlame
            | Command::ToggleBookmark => conditions::a_dialog(app),
            Command::Guideline => conditions::a_guideline(app),
            Command::PinSwap | Command::PinTogether => conditions::a_pinned_dialog(app),
            Command::SpanEnter if side_branch::is_here(app) => Ok(()),
            Command::SegmentNext
            | Command::SegmentPrevious
            | Command::SpanEnter
            | Command::SelectAll
            | Command::GotoWord
            | Command::AddSegment
            | Command::ToggleMarks => conditions::has_segments(app),
            Command::EndRight
            | Command::EndLeft
            | Command::StartRight
            | Command::StartLeft
            | Command::EndWordRight
            | Command::EndWordLeft
            | Command::StartWordRight
            | Command::StartWordLeft => conditions::an_edge(app),
            Command::SegmentToSelection
            | Command::Relabel
            | Command::AddLabel
            | Command::RemoveLabel
            | Command::DeleteSegment
            | Command::SplitSegment
            | Command::MergeSegments
            | Command::LabelAlike => conditions::a_segment(app),
            Command::EditText => conditions::a_text(app),
            Command::SetSpeaker => conditions::a_speaker(app),
            Command::AddTurn => conditions::movable_turns(app),
            Command::RemoveTurn => conditions::a_movable_turn(app),
            Command::SetField => conditions::a_field(app),
            Command::AddCall => conditions::can_add_call(app),
            Command::ItemAdd => conditions::can_item_add(app),
            Command::ItemRename => conditions::can_item_rename(app),
            Command::SplitCode => conditions::a_code(app),
            Command::TeamGold => conditions::an_annotator(app),
            Command::ItemDelete => conditions::a_deletable_item(app),
            Command::SuggestionUndo if review::can_reopen_left(app) => Ok(()),
            Command::Undo | Command::SuggestionUndo => conditions::can_undo(app),
            Command::Redo => conditions::can_redo(app),
            Command::Judge => conditions::a_dialog_without_votes(app),
            Command::VoteO | Command::VoteT | Command::VoteX => conditions::a_ballot(app),
            Command::VoteComment if app.asks_for_judgements() => conditions::a_dialog_to_note(app),
            Command::VoteComment | Command::VoteWithdraw => conditions::an_answer(app),
            Command::VoteUngrammatical => conditions::a_vote(app),
            Command::Note => conditions::a_dialog_to_note(app),
            Command::TypeAnswer => conditions::a_scheme(app),
            Command::VoteSkip
            | Command::Blind
            | Command::HideLater
            | Command::Adjudicate
            | Command::QueueAll
            | Command::QueueTies
            | Command::QueueUndecided
            | Command::QueueEntropy
            | Command::QueueGold
            | Command::QueueDetector
            | Command::QueueSample => conditions::a_log(app),
            Command::ChangeVoteO | Command::ChangeVoteT | Command::ChangeVoteX => {
                conditions::a_chosen_vote(app)
            }
            Command::QueueFound => conditions::a_search_to_queue(app),
            Command::ListFound => conditions::a_search(app),
            Command::FindLabel => conditions::labels_anywhere(app),
            Command::FindApi => conditions::calls_anywhere(app),
            Command::ToggleCalls | Command::ToggleCall => conditions::calls(app),
            Command::Fix | Command::Ignore => conditions::a_problem(app),
            Command::FixAllSafe | Command::ShowProblems => conditions::any_problems(app),
            Command::FixAllOfRule => conditions::a_rule(app),
            Command::FindSameLabel => conditions::can_find_same_label(app),
            Command::ShowHits | Command::CountHits | Command::HitsToFile => {
                conditions::can_show_hits(app)
            }
            Command::Suggestions => conditions::has_suggestions(app),
            _ => Ok(()),
        }
    }

    /// Runs a command that is available; `count` is the number typed before its key.
    #[expect(clippy::too_many_lines, reason = "one arm for each command")]
    pub fn run_now(&mut self, command: Command, count: Option<usize>) {
        let app = self;
        app.session.ran = Some(command);
        match command {
            Command::TurnNext => moving::turn(app, count, Forward),
            Command::TurnPrevious => moving::turn(app, count, Back),
            Command::TurnFirst => moving::to_turn(app, count.unwrap_or(0)),
            Command::TurnLast => moving::turn_last(app, count),
            Command::SegmentNext => moving::segment(app, Forward),
            Command::SegmentPrevious => moving::segment(app, Back),
            Command::PageDown => moving::page(app, count, 1),
            Command::PageUp => moving::page(app, count, -1),
            Command::HalfPageDown => moving::half_page(app, count, 1),
            Command::HalfPageUp => moving::half_page(app, count, -1),
            Command::JumpBack => moving::jump(app, count, Back),
            Command::JumpForward => moving::jump(app, count, Forward),
            Command::DialogNext | Command::ListDown => moving::dialog(app, count, 1),
            Command::DialogPrevious | Command::ListUp => moving::dialog(app, count, -1),
            Command::ListFirst => moving::list_place(app, count.unwrap_or(1)),
            Command::ListLast => moving::list_place(app, count.unwrap_or(usize::MAX)),
            Command::ListFold => moving::list_fold(app),
            Command::DetailsDown => moving::details(app, count, 1),
            Command::DetailsUp => moving::details(app, count, -1),
            Command::DetailsFirst => details::go_to_end(app, false),
            Command::DetailsLast => details::go_to_end(app, true),
            Command::SpanEnter if side_branch::is_here(app) => side_branch::open(app),
            Command::SpanEnter => segments::enter_span(app),
            Command::SpanLeave => spans::span_leave(app),
            Command::SpanDone => app.panes.transcript.set_caret(None),
            Command::CaretRight => segments::move_caret(app, count, Motion::Grapheme, Forward),
            Command::CaretLeft => segments::move_caret(app, count, Motion::Grapheme, Back),
            Command::CaretWordRight => segments::move_caret(app, count, Motion::WordStart, Forward),
            Command::CaretWordLeft => segments::move_caret(app, count, Motion::WordStart, Back),
            Command::CaretEnd => segments::move_caret(app, None, Motion::All, Forward),
            Command::CaretStart => segments::move_caret(app, None, Motion::All, Back),
            Command::GotoWord => word_jump::label_words(app),
            Command::SelectRight => segments::select(app, count, Motion::Grapheme, Forward),
            Command::SelectLeft => segments::select(app, count, Motion::Grapheme, Back),
            Command::SelectWordRight => segments::select(app, count, Motion::WordEnd, Forward),
            Command::SelectWordLeft => segments::select(app, count, Motion::WordStart, Back),
            Command::SelectEnd => segments::select(app, None, Motion::All, Forward),
            Command::SelectStart => segments::select(app, None, Motion::All, Back),
            Command::SelectAll => spans::select_all(app),
            Command::Select => spans::toggle_selecting(app),
            Command::EndRight => {
                spans::move_edge(app, count, SpanEdge::End, Motion::Grapheme, Forward);
            }
            Command::EndLeft => {
                spans::move_edge(app, count, SpanEdge::End, Motion::Grapheme, Back);
            }
            Command::StartRight => {
                spans::move_edge(app, count, SpanEdge::Start, Motion::Grapheme, Forward);
            }
            Command::StartLeft => {
                spans::move_edge(app, count, SpanEdge::Start, Motion::Grapheme, Back);
            }
            Command::EndWordRight => {
                spans::move_edge(app, count, SpanEdge::End, Motion::WordEnd, Forward);
            }
            Command::EndWordLeft => {
                spans::move_edge(app, count, SpanEdge::End, Motion::WordEnd, Back);
            }
            Command::StartWordRight => {
                spans::move_edge(app, count, SpanEdge::Start, Motion::WordStart, Forward);
            }
            Command::StartWordLeft => {
                spans::move_edge(app, count, SpanEdge::Start, Motion::WordStart, Back);
            }
            Command::SegmentToSelection => segments::move_segment(app),
            Command::AddSegment => spans::add_segment(app, count),
            Command::Relabel => ask_for_label(app, LabelUse::Replace),
            Command::AddLabel => ask_for_label(app, LabelUse::Append),
            Command::RemoveLabel => spans::remove_label(app),
            Command::DeleteSegment => segments::delete_segment(app),
            Command::SplitSegment => split_merge::split_segment(app),
            Command::MergeSegments => split_merge::merge_segments(app),
            Command::LabelAlike => bulk_fix::label_alike(app),
            Command::EditText => turn_text::edit_text(app),
            Command::SetSpeaker => speaker_picker::ask_for_speaker(app),
            Command::AddCall => items::ask_for_call(app),
            Command::AddTurn => whole_turns::ask_for_turn(app),
            Command::RemoveTurn => whole_turns::remove_turn(app),
            Command::SetField => dialog_fields::ask_for_field(app),
            Command::ItemChange => details::change_item(app),
            Command::ItemAdd => details::add_item(app),
            Command::ItemRename => details::rename_item(app),
            Command::SplitCode => codes::ask_for_part(app),
            Command::ItemDelete => details::delete_item(app),
            Command::Undo => repeat(count, || undo::undo(app)),
            Command::Redo => repeat(count, || undo::redo(app)),
            Command::Recover => restore_edits::ask_about_unsaved(app),
            Command::Reload => external_changes::reload(app),
            Command::Save => save::save(app),
            Command::SaveAll => save::save_all(app),
            Command::AnswerYes => app.answer(Answer::Yes),
            Command::AnswerNo => app.answer(Answer::No),
            Command::AnswerLater => app.answer(Answer::Later),
            Command::AnswerSafe => app.answer_safely(),
            Command::AnswerShow => app.answer(Answer::Show),
            Command::AnswerExport => app.answer(Answer::Export),
            Command::Judge => judge::toggle_judging(app),
            Command::VoteO | Command::VoteT | Command::VoteX => {
                answer_keys::give(app, command, count);
            }
            Command::VoteComment if app.asks_for_judgements() => note_prompt::note(app),
            Command::VoteComment => note_prompt::comment(app),
            Command::Note => note_prompt::note(app),
            Command::TypeAnswer if count.is_some() => answer_keys::give(app, command, count),
            Command::TypeAnswer => answer_keys::ask_here(app),
            Command::VoteUngrammatical => answering::toggle_ungrammatical(app),
            Command::VoteWithdraw => answering::withdraw(app),
            Command::VoteSkip => queue::next_to_judge(app, false),
            Command::Blind => {
                judge::toggle_blind(app);
                search::end_hidden_search(app);
                dialog_order::end_hidden_order(app);
                queue::end_hidden_queue(app);
            }
            Command::HideLater => judge::toggle_later(app),
            Command::Guideline => guideline::open_guideline(app),
            Command::Adjudicate => adjudicate::toggle_adjudicating(app),
            Command::Annotator => annotator_prompt::ask_annotator(app),
            Command::QueueAll => queue::queue(app, QueueKind::All),
            Command::QueueTies => queue::queue(app, QueueKind::Ties),
            Command::QueueUndecided => queue::queue(app, QueueKind::Undecided),
            Command::QueueEntropy => queue::queue(app, QueueKind::Entropy),
            Command::QueueGold => queue::queue(app, QueueKind::Gold),
            Command::ChangeVoteO => adjudicate::adjudicate_chosen(app, Breakdown::O),
            Command::ChangeVoteT => adjudicate::adjudicate_chosen(app, Breakdown::T),
            Command::ChangeVoteX => adjudicate::adjudicate_chosen(app, Breakdown::X),
            Command::QueueDetector => queue::queue(app, QueueKind::Detector),
            Command::QueueSample => sample_prompt::queue_sample(app, count),
            Command::QueueFound => queue::queue_found(app),
            Command::Search => app.ask(SearchPrompt::default(), ""),
            Command::FindNext => find::again(app, count, Forward),
            Command::FindPrevious => find::again(app, count, Back),
            Command::FindLabel => app.ask(SearchPrompt::default(), "label:"),
            Command::FindApi => app.ask(SearchPrompt::default(), "api:"),
            Command::FindProblem => search::start_search(app, "problem:"),
            Command::ProblemNext => problem::step_problem(app, Forward),
            Command::ProblemPrevious => problem::step_problem(app, Back),
            Command::Fix => fix_picker::offer_fixes(app),
            Command::Ignore => ignoring::ignore(app),
            Command::Exclude => ignoring::exclude(app),
            Command::ToggleIgnored => find::toggle_ignored(app),
            Command::FixAllSafe => bulk_fix::bulk_fix(app, FixSource::Safe, BulkFixScope::Dialog),
            Command::FixAllOfRule => bulk_fix::bulk_fix_rule(app),
            Command::ShowProblems => panes::list_tab(app, "problems"),
            Command::FindSameLabel => find::same_label(app),
            Command::GotoDialog => find::goto_dialog(app, count),
            Command::GotoFile => file_picker::ask_for_file(app),
            Command::ToggleBookmark => bookmarks::toggle_bookmark(app),
            Command::Bookmarks => bookmarks::list_bookmarks(app),
            Command::Filter => dialog_filter::ask_for_filter(app),
            Command::ListFound => search::toggle_listed(app),
            Command::ShowHits => find::show_hits(app),
            Command::CountHits => hit_counts::ask_for_field(app),
            Command::HitsToFile => to_file::ask_for_hits(app),
            Command::Report => to_file::ask_for_report(app),
            Command::Sort => dialog_order::sort(app),
            Command::SortBackwards => dialog_order::reverse(app),
            Command::FocusNext => panes::step_focus(app, Forward),
            Command::FocusPrevious => panes::step_focus(app, Back),
            Command::FocusDialogs => panes::focus(app, Focus::Dialogs),
            Command::FocusTranscript => panes::focus(app, Focus::Transcript),
            Command::ListOpen => panes::list_open(app),
            Command::FocusDetails => panes::focus(app, Focus::Details),
            Command::TabNext => panes::step_tab(app, 1),
            Command::TabPrevious => panes::step_tab(app, -1),
            Command::ShowSegments => panes::tab(app, "segments"),
            Command::ShowApi => panes::tab(app, "api"),
            Command::ShowVotes => panes::tab(app, "votes"),
            Command::ShowCharts => charts::show_charts(app),
            Command::Team => team::show_team(app),
            Command::TeamGold => team::toggle_gold(app),
            Command::ShowCodes => panes::list_tab(app, "codes"),
            Command::ShowActs => panes::tab(app, "acts"),
            Command::ShowInfo => panes::tab(app, "info"),
            Command::ShowSource => panes::tab(app, "source"),
            Command::ShowBlame => blame::toggle(app),
            Command::ShowEdits => panes::list_tab(app, "edits"),
            Command::ToggleDetails => panes::toggle_details(app),
            Command::FillScreen => panes::fill_screen(app),
            Command::Pin => panes::pin(app),
            Command::PinSwap => panes::pin_swap(app),
            Command::PinTogether => panes::pin_together(app),
            Command::PinSameId => panes::pin_same_id(app),
            Command::ToggleMarks => panes::toggle_marks(app),
            Command::ToggleCalls => panes::toggle_calls(app),
            Command::ToggleCall => panes::toggle_call(app),
            Command::ReviewDown => review_list::step(app, 1),
            Command::ReviewUp => review_list::step(app, -1),
            Command::ReviewPageDown => review_list::step(app, review_list::page(app)),
            Command::ReviewPageUp => review_list::step(app, -review_list::page(app)),
            Command::ReviewFirst => review_list::step(app, isize::MIN),
            Command::ReviewLast => review_list::step(app, isize::MAX),
            Command::ReviewTick => bulk_fix::tick_fix(app),
            Command::ReviewTickAll => bulk_fix::tick_all_fixes(app),
            Command::ReviewReach => bulk_fix::widen_bulk_fix(app),
            Command::ReviewAccept => bulk_fix::accept_bulk_fix(app),
            Command::ReviewCancel => bulk_fix::cancel_bulk_fix(app),
            Command::Suggestions => review::open(app),
            Command::SuggestionTake => review::take(app),
            Command::SuggestionLeave => review::leave(app),
            Command::SuggestionBoth => review::take_both(app),
            Command::SuggestionByHand => {
                if review::decide_by_hand(app) {
                    turn_text::edit_text(app);
                }
            }
            Command::SuggestionSide => review::show_next_side(app),
            Command::SuggestionUndo if review::reopen_left(app) => {}
            Command::SuggestionUndo => {
                undo::undo(app);
                review::reopen_undone(app);
            }
            Command::SuggestionsClose => review::close(app),
            Command::Help => help::open_help(app),
            Command::Palette => app.ask(CommandPalette::all(app), ""),
            Command::Actions => app.ask(CommandPalette::here(app), ""),
            Command::Back => program::back(app),
            Command::CopyText => copying::copy_text(app),
            Command::CopyId => copying::copy_id(app),
            Command::CopyJson => copying::copy_json(app),
            Command::Redraw => app.request(Effect::Redraw),
            Command::ThemeNext => app.request(Effect::NextTheme),
            Command::Suspend => app.request(Effect::Suspend),
            Command::Quit => quit::quit(app),
            Command::HelpDown => program::line(app, true),
            Command::HelpUp => program::line(app, false),
            Command::HelpPageDown => program::scroll_window(app, program::page(app)),
            Command::HelpPageUp => program::scroll_window(app, -program::page(app)),
            Command::HelpFirst => program::scroll_window(app, isize::MIN / 2),
            Command::HelpLast => program::scroll_window(app, isize::MAX / 2),
            Command::HelpSearch => help::search_help(app),
            Command::HelpLinkNext => help::step_help_link(app, 1),
            Command::HelpLinkPrevious => help::step_help_link(app, -1),
            Command::HelpOpen => help::open_chapter(app),
            Command::HelpBack => help::close_chapter(app),
            Command::HelpClose => app.windows.close(),
            Command::Accept => app.prompt_accept(),
            Command::Cancel => app.prompt_cancel(),
            Command::ChoiceNext => app.prompt_step(1),
            Command::ChoicePrevious => app.prompt_step(-1),
            Command::ChoicePageDown => app.prompt_page(1),
            Command::ChoicePageUp => app.prompt_page(-1),
        }
    }
}

/// Repeats an action as often as the count says.
fn repeat(count: Option<usize>, mut run: impl FnMut()) {
    for _ in 0..count.unwrap_or(1).min(10_000) {
        run();
    }
}
