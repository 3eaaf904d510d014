//! Conditions that commands require; where one fails, it says why, and what to do first.

use crate::app::core::{App, Unavailable};
use crate::app::feature::editing::{dialog_fields, items, undo};
use crate::app::feature::finding::side_branch;
use crate::app::feature::judging::{answering, leading, queue};
use crate::app::feature::problems::problem;
use crate::app::feature::review::decide;
use crate::app::input::Command;
use crate::app::pane::{Focus, Item};
use crate::app::state::SchemeFrom;
use crate::app::tabs;
use crate::dialog::EditKind;
use crate::format::Family;

/// Whether a command can run now.
type Met = Result<(), Unavailable>;

/// Succeeds if this is met; otherwise the command cannot run in this place, or with these dialogs.
fn here(is_met: bool, why: &'static str) -> Met {
    is_met.then_some(()).ok_or(Unavailable::Here(why))
}

/// Succeeds if this is met; otherwise the command cannot run yet, but after `first`, if that is Some.
fn yet(is_met: bool, why: &'static str, first: impl Into<Option<Command>>) -> Met {
    is_met.then_some(()).ok_or(Unavailable::Yet { why, first: first.into() })
}

/// Succeeds where the format of the open dialog has segments.
pub fn has_segments(app: &App) -> Met {
    here(!app.panes.transcript.is_empty(), "no dialog is open")?;
    here(app.holds(EditKind::Segments), "these dialogs have no segments")
}

/// Succeeds while a dialog with turns is open.
pub fn a_dialog(app: &App) -> Met {
    here(app.panes.transcript.at.is_some(), "no dialog is open")?;
    here(!app.panes.transcript.is_empty(), "this dialog has no turns")
}

/// Succeeds if there is a guideline.
pub fn a_guideline(app: &App) -> Met {
    let nothing = "no guideline is set in turnwise.toml or the settings";
    here(app.judging.guideline.is_some(), nothing)
}

/// Succeeds while a dialog is pinned.
pub fn a_pinned_dialog(app: &App) -> Met {
    yet(app.panes.pinned.is_some(), "pin a dialog first", Command::Pin)
}

/// Succeeds for a segment, or for a suggested span under review.
pub fn an_edge(app: &App) -> Met {
    if app.review().reviewing { Ok(()) } else { a_segment(app) }
}

/// Succeeds while a segment is selected.
pub fn a_segment(app: &App) -> Met {
    has_segments(app)?;
    let segment = app.panes.transcript.current_segment();
    yet(segment.is_some(), "select a segment first", Command::SegmentNext)
}

/// Succeeds where a turn can take a call.
pub fn can_add_call(app: &App) -> Met {
    a_dialog(app)?;
    here(items::takes_calls(app), "turns of these dialogs cannot have calls")
}

/// Succeeds where something can be added to the selected item or next to it.
pub fn can_item_add(app: &App) -> Met {
    here(items::to_add(app).is_some() || has_code(app), items::why_nothing_to_add(app))
}

/// True while a code is selected.
fn has_code(app: &App) -> bool {
    matches!(app.panes.details.item(), Some(Item::Code(_)))
}

/// Succeeds while an item with a name is selected.
pub fn can_item_rename(app: &App) -> Met {
    let is_named = app.panes.details.item().is_some_and(items::has_name) || has_code(app);
    here(is_named, "select an item with a name")
}

/// Succeeds where spans can be edited, or a side branch opened.
pub fn a_span_or_branch(app: &App) -> Met {
    if side_branch::is_here(app) { Ok(()) } else { has_segments(app) }
}

/// Succeeds while there is an edit to undo, or a suggestion that was left.
pub fn can_undo_in_review(app: &App) -> Met {
    if decide::can_reopen_left(app) { Ok(()) } else { can_undo(app) }
}

/// Succeeds for a vote to comment on, or for a dialog to note something about.
pub fn a_comment(app: &App) -> Met {
    if app.asks_for_judgements() { a_dialog_to_note(app) } else { an_answer(app) }
}

/// Succeeds while there is an edit to undo.
pub fn can_undo(app: &App) -> Met {
    yet(undo::can_undo(app), "nothing to undo", None)
}

/// Succeeds while there is an undone edit.
pub fn can_redo(app: &App) -> Met {
    yet(undo::can_redo(app), "nothing to redo", None)
}

/// Succeeds for a turn whose text can be edited.
pub fn a_text(app: &App) -> Met {
    a_dialog(app)?;
    here(app.holds(EditKind::Text), "these dialogs cannot be edited")
}

/// Succeeds for a turn whose speaker can be changed.
pub fn a_speaker(app: &App) -> Met {
    a_dialog(app)?;
    let why = "in these dialogs, the order of the turns decides who speaks";
    here(app.holds(EditKind::Speaker), why)
}

/// Succeeds where turns can be added and removed.
pub fn a_movable_turn(app: &App) -> Met {
    a_dialog(app)?;
    movable_turns(app)
}

/// Succeeds where turns can be added, also to a dialog without any.
pub fn movable_turns(app: &App) -> Met {
    if app.panes.transcript.error.is_some() {
        a_dialog(app)?;
    }
    let why = "turns cannot be added to or removed from these dialogs";
    here(app.holds(EditKind::Turns), why)
}

/// Succeeds for a dialog with a text of its own that can be changed.
pub fn a_field(app: &App) -> Met {
    here(app.holds(EditKind::Fields), "these dialogs cannot be edited")?;
    here(!dialog_fields::texts(app).is_empty(), "the dialog has no text besides its turns")
}

/// Succeeds while an item that can be deleted is selected.
pub fn a_deletable_item(app: &App) -> Met {
    let item = app.panes.details.item();
    here(item.is_some(), "nothing is selected in the details")?;
    here(item.is_some_and(items::can_be_deleted), "this cannot be deleted")
}

/// Succeeds during a search, whose hits can be queued.
pub fn a_search_to_queue(app: &App) -> Met {
    yet(app.search.query.is_some(), "first search for turns to judge", Command::Search)
}

/// Succeeds for a dialog whose corpus holds no votes, so that judging can be turned on and off.
pub fn a_dialog_without_votes(app: &App) -> Met {
    let is = |kind: fn(&Family) -> bool| app.family().is_some_and(kind);
    here(!app.panes.transcript.is_empty(), "there is nothing to judge")?;
    here(!is(Family::has_votes), "breakdown logs are always judged")?;
    here(!is(Family::is_companion), "judge the breakdown log that this file belongs to")
}

/// Succeeds where a scheme asks questions.
pub fn a_scheme(app: &App) -> Met {
    a_log(app)?;
    here(app.asks_for_judgements(), "no scheme asks questions here; start with --scheme NAME")
}

/// Succeeds for a dialog that is not part of another one's files.
pub fn a_dialog_to_note(app: &App) -> Met {
    here(!app.panes.transcript.is_empty(), "no turns to write a note on")?;
    let is_companion = app.family().is_some_and(Family::is_companion);
    here(!is_companion, "write notes on the breakdown log that this file belongs to")
}

/// Succeeds as [`an_answer`] where votes on breakdowns are cast.
pub fn a_vote(app: &App) -> Met {
    here(!app.asks_for_judgements(), "only breakdown votes can be marked as ungrammatical")?;
    an_answer(app)
}

/// Succeeds right after an answer, or for a turn that the annotator has judged.
pub fn an_answer(app: &App) -> Met {
    if leading::is_after_auto_advance(app) {
        return Ok(());
    }
    a_log(app)?;
    if app.asks_for_judgements() || answering::answered_here(app).is_some() {
        return Ok(());
    }
    let is_judged = queue::not_judged(app, app.panes.transcript.turn).is_none();
    yet(is_judged, "only system turns are judged", Command::VoteSkip)?;
    yet(false, "you have not judged this turn yet", None)
}

/// Succeeds for a turn that can be judged: in the details, only as an adjudicator.
pub fn a_ballot(app: &App) -> Met {
    a_log(app)?;
    let why = "the scheme beside the corpus cannot be used; the help says why";
    here(app.judging.scheme_from != SchemeFrom::Nowhere, why)?;
    let why = "the questions here are not from the scheme `breakdown`";
    here(!app.asks_for_judgements(), why)?;
    let why = "judge in the transcript; only adjudicators can judge in the details";
    here(app.panes.focus != Focus::Details || app.judging.adjudicates, why)
}

/// Succeeds for a dialog that can be judged.
pub fn a_log(app: &App) -> Met {
    here(app.judges(), "no votes here; `judge` turns judging on")
}

/// Succeeds while a segment with a label is selected.
pub fn can_find_same_label(app: &App) -> Met {
    has_segments(app)?;
    let segment = app.panes.transcript.current_segment();
    let is_labelled = segment.is_some_and(|segment| !segment.labels.is_empty());
    yet(is_labelled, "select a segment with a label first", Command::SegmentNext)
}

/// Succeeds during a search that has hits.
pub fn can_show_hits(app: &App) -> Met {
    a_search(app)?;
    yet(!app.search.found.is_empty(), "the search has no hits", None)
}

/// Succeeds during a search.
pub fn a_search(app: &App) -> Met {
    yet(app.search.query.is_some(), "search first", Command::Search)
}

/// Succeeds if an open file can have labels.
pub fn labels_anywhere(app: &App) -> Met {
    let kinds = [EditKind::Segments, EditKind::Acts];
    here(app.any_holds(&kinds), "no open file has labels")
}

/// Succeeds if an open file can have API calls.
pub fn calls_anywhere(app: &App) -> Met {
    here(app.any_holds(&[EditKind::Calls]), "no open file has API calls")
}

/// Succeeds if problems were found.
pub fn any_problems(app: &App) -> Met {
    here((tabs::named("problems").has)(app), "no problems found")
}

/// Succeeds if there is a problem here or a rule is selected in the details.
pub fn a_rule(app: &App) -> Met {
    match app.panes.details.item() {
        Some(Item::Rule { .. }) => Ok(()),
        _ => a_problem(app),
    }
}

/// Succeeds if there is a problem here, or an ignored one is selected.
pub fn a_problem(app: &App) -> Met {
    let is_ignored = matches!(app.panes.details.item(), Some(Item::Ignored(_)));
    if is_ignored || problem::problems_here(app).next().is_some() {
        return Ok(());
    }
    any_problems(app)?;
    // During a search, the key for the next match goes to no problem.
    let is_searching = app.search.query.is_some();
    let first = if is_searching { Command::ProblemNext } else { Command::FindNext };
    yet(false, "no problem here", first)
}

/// Succeeds where the format of the open dialog has API calls.
pub fn calls(app: &App) -> Met {
    here(app.holds(EditKind::Calls), "these dialogs have no API calls")
}

/// Succeeds if the program was started with suggestions.
pub fn has_suggestions(app: &App) -> Met {
    let why = "the program was started without --suggestions, and no file has conflicts";
    here(!app.suggestions.all.is_empty(), why)
}
