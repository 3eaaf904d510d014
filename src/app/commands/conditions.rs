//! Conditions that commands require; where one fails, it says why, and what to do first.

use crate::app::core::{App, Unavailable};
use crate::app::feature::editing::{dialog_fields, items, rename, undo};
use crate::app::feature::finding::side_branch;
use crate::app::feature::judging::{answering, leading, queue};
use crate::app::feature::problems::problem;
use crate::app::feature::suggestions::review;
use crate::app::input::Command;
use crate::app::pane::{Focus, Item};
use crate::app::tabs;
use crate::dialog::EditKind;
use crate::format::Family;

/// Succeeds where the format of the open dialog has segments.
pub fn has_segments(app: &App) -> Result<(), Unavailable> {
    if app.panes.transcript.is_empty() {
        Err(Unavailable::Here("no dialog is open"))
    } else if app.holds(EditKind::Segments) {
        Ok(())
    } else {
        Err(Unavailable::Here("these dialogs have no segments"))
    }
}

/// Succeeds while a dialog with turns is open.
pub fn a_dialog(app: &App) -> Result<(), Unavailable> {
    match app.panes.transcript.at {
        None => Err(Unavailable::Here("no dialog is open")),
        Some(_) if app.panes.transcript.is_empty() => {
            Err(Unavailable::Here("this dialog has no turns"))
        }
        Some(_) => Ok(()),
    }
}

/// Succeeds if there is a guideline.
pub fn a_guideline(app: &App) -> Result<(), Unavailable> {
    let nothing = "neither turnwise.toml nor the settings name a guideline";
    let guideline = app.judging.guideline.as_ref().map(|_| ());
    guideline.ok_or(Unavailable::Here(nothing))
}

/// Succeeds while a dialog is pinned.
pub fn a_pinned_dialog(app: &App) -> Result<(), Unavailable> {
    let (why, first) = ("pin a dialog first", Some(Command::Pin));
    let pinned = app.panes.pinned.as_ref().map(|_| ());
    pinned.ok_or(Unavailable::Yet { why, first })
}

/// Succeeds for a segment, or for a suggested span under review.
pub fn an_edge(app: &App) -> Result<(), Unavailable> {
    if app.suggestions.reviewing { Ok(()) } else { a_segment(app) }
}

/// Succeeds while a segment is selected.
pub fn a_segment(app: &App) -> Result<(), Unavailable> {
    has_segments(app)?;
    let (why, first) = ("select a segment first", Some(Command::SegmentNext));
    let segment = app.panes.transcript.current_segment().map(|_| ());
    segment.ok_or(Unavailable::Yet { why, first })
}

/// Succeeds where a turn can take a call.
pub fn can_add_call(app: &App) -> Result<(), Unavailable> {
    a_dialog(app)?;
    let why = "a turn of these dialogs takes no call";
    items::takes_calls(app).then_some(()).ok_or(Unavailable::Here(why))
}

/// Succeeds where something can be added to the selected item or next to it.
pub fn can_item_add(app: &App) -> Result<(), Unavailable> {
    let nothing = Unavailable::Here(items::why_nothing_to_add(app));
    let to_add = items::to_add(app).map(|_| ()).ok_or(nothing);
    to_add.or(a_code(app).map_err(|_| nothing))
}

/// Succeeds while a code is selected.
pub fn a_code(app: &App) -> Result<(), Unavailable> {
    match app.panes.details.item() {
        Some(Item::Code(_)) => Ok(()),
        _ => Err(Unavailable::Here("no code is selected")),
    }
}

/// Succeeds while an item with a name is selected.
pub fn can_item_rename(app: &App) -> Result<(), Unavailable> {
    let nothing = Unavailable::Here("nothing with a name is selected");
    let to_rename = rename::to_rename(app).map(|_| ()).ok_or(nothing);
    to_rename.or(a_code(app).map_err(|_| nothing))
}

/// Succeeds where spans can be edited, or a side branch opened.
pub fn a_span_or_branch(app: &App) -> Result<(), Unavailable> {
    if side_branch::is_here(app) { Ok(()) } else { has_segments(app) }
}

/// Succeeds while there is an edit to undo, or a suggestion that was left.
pub fn can_undo_in_review(app: &App) -> Result<(), Unavailable> {
    if review::can_reopen_left(app) { Ok(()) } else { can_undo(app) }
}

/// Succeeds for a vote to comment on, or for a dialog to note something about.
pub fn a_comment(app: &App) -> Result<(), Unavailable> {
    if app.asks_for_judgements() { a_dialog_to_note(app) } else { an_answer(app) }
}

/// Succeeds while there is an edit to undo.
pub fn can_undo(app: &App) -> Result<(), Unavailable> {
    undo::can_undo(app).then_some(()).ok_or(NOTHING_TO_UNDO)
}

/// Succeeds while there is an undone edit.
pub fn can_redo(app: &App) -> Result<(), Unavailable> {
    undo::can_redo(app).then_some(()).ok_or(NOTHING_TO_REDO)
}

/// Succeeds for a turn whose text can be edited.
pub fn a_text(app: &App) -> Result<(), Unavailable> {
    a_dialog(app)?;
    if app.holds(EditKind::Text) {
        Ok(())
    } else {
        Err(Unavailable::Here("these dialogs cannot be edited"))
    }
}

/// Succeeds for a turn whose speaker can be changed.
pub fn a_speaker(app: &App) -> Result<(), Unavailable> {
    a_dialog(app)?;
    if app.holds(EditKind::Speaker) {
        Ok(())
    } else {
        Err(Unavailable::Here("in these dialogs the place of a turn says who speaks"))
    }
}

/// Succeeds where turns can be added and removed.
pub fn a_movable_turn(app: &App) -> Result<(), Unavailable> {
    a_dialog(app)?;
    movable_turns(app)
}

/// Succeeds where turns can be added, also to a dialog without any.
pub fn movable_turns(app: &App) -> Result<(), Unavailable> {
    if app.panes.transcript.error.is_some() {
        a_dialog(app)?;
    }
    if app.holds(EditKind::Turns) {
        Ok(())
    } else {
        Err(Unavailable::Here("turns of these dialogs can be neither added nor removed"))
    }
}

/// Succeeds for a dialog with a text of its own that can be changed.
pub fn a_field(app: &App) -> Result<(), Unavailable> {
    if !app.holds(EditKind::Fields) {
        Err(Unavailable::Here("these dialogs cannot be edited"))
    } else if dialog_fields::texts(app).is_empty() {
        Err(Unavailable::Here("the dialog has no text besides its turns"))
    } else {
        Ok(())
    }
}

/// Succeeds while an item that can be deleted is selected.
pub fn a_deletable_item(app: &App) -> Result<(), Unavailable> {
    match app.panes.details.item() {
        None => Err(Unavailable::Here("nothing is selected in the details")),
        Some(item) if item.can_be_deleted() => Ok(()),
        Some(_) => Err(Unavailable::Here("this cannot be deleted")),
    }
}

const NOTHING_TO_UNDO: Unavailable = Unavailable::Yet { why: "nothing to undo", first: None };

const NOTHING_TO_REDO: Unavailable = Unavailable::Yet { why: "nothing to redo", first: None };

/// Succeeds during a search, whose hits can be queued.
pub fn a_search_to_queue(app: &App) -> Result<(), Unavailable> {
    if app.search.query.is_some() {
        Ok(())
    } else {
        let (why, first) = ("search for the turns first", Some(Command::Search));
        Err(Unavailable::Yet { why, first })
    }
}

/// Succeeds for a dialog whose corpus holds no votes, so that judging can be turned on and off.
pub fn a_dialog_without_votes(app: &App) -> Result<(), Unavailable> {
    let family = app.family();
    if app.panes.transcript.is_empty() {
        Err(Unavailable::Here("there is nothing to judge"))
    } else if family.is_some_and(Family::has_votes) {
        Err(Unavailable::Here("breakdown logs are always judged"))
    } else if family.is_some_and(Family::is_companion) {
        Err(Unavailable::Here("judge the log that this belongs to"))
    } else {
        Ok(())
    }
}

/// Succeeds where a scheme asks questions.
pub fn a_scheme(app: &App) -> Result<(), Unavailable> {
    a_log(app)?;
    if app.asks_for_judgements() {
        Ok(())
    } else {
        Err(Unavailable::Here("no scheme asks questions here (--scheme NAME)"))
    }
}

/// Succeeds for a dialog that is not part of another one's files.
pub fn a_dialog_to_note(app: &App) -> Result<(), Unavailable> {
    if app.panes.transcript.is_empty() {
        Err(Unavailable::Here("there is nothing to note"))
    } else if app.family().is_some_and(Family::is_companion) {
        Err(Unavailable::Here("write notes on the log that this belongs to"))
    } else {
        Ok(())
    }
}

/// Succeeds as [`an_answer`] where votes on breakdowns are cast.
pub fn a_vote(app: &App) -> Result<(), Unavailable> {
    if app.asks_for_judgements() {
        return Err(Unavailable::Here("only votes on breakdowns have such a mark"));
    }
    an_answer(app)
}

/// Succeeds right after an answer, or for a turn that the annotator has judged.
pub fn an_answer(app: &App) -> Result<(), Unavailable> {
    if leading::is_after_auto_advance(app) {
        return Ok(());
    }
    a_log(app)?;
    if app.asks_for_judgements() || answering::answered_here(app).is_some() {
        Ok(())
    } else if queue::not_judged(app, app.panes.transcript.turn).is_some() {
        let (why, first) = ("only system turns are judged", Some(Command::VoteSkip));
        Err(Unavailable::Yet { why, first })
    } else {
        let (why, first) = ("you have not judged this turn yet", None);
        Err(Unavailable::Yet { why, first })
    }
}

/// Succeeds for a turn that can be judged: in the details, only as an adjudicator.
pub fn a_ballot(app: &App) -> Result<(), Unavailable> {
    a_log(app)?;
    if app.judging.unusable.is_some() {
        let why = "the scheme beside the corpus cannot be used; mend it, and start again";
        return Err(Unavailable::Here(why));
    }
    if app.asks_for_judgements() {
        let why = "another scheme than `breakdown` asks the questions here";
        return Err(Unavailable::Here(why));
    }
    if app.panes.focus == Focus::Details && !app.judging.adjudicates {
        let why = "judge in the transcript; only adjudicators can decide here";
        return Err(Unavailable::Here(why));
    }
    Ok(())
}

/// Succeeds for a dialog that can be judged.
pub fn a_log(app: &App) -> Result<(), Unavailable> {
    if app.judges() {
        Ok(())
    } else {
        Err(Unavailable::Here("no votes here; `judge` votes in logs"))
    }
}

/// Succeeds while a segment with a label is selected.
pub fn can_find_same_label(app: &App) -> Result<(), Unavailable> {
    has_segments(app)?;
    let segment = app.panes.transcript.current_segment();
    let labelled = segment.filter(|s| !s.labels.is_empty()).map(|_| ());
    let (why, first) = ("select a segment with a label first", Some(Command::SegmentNext));
    labelled.ok_or(Unavailable::Yet { why, first })
}

/// Succeeds during a search that has hits.
pub fn can_show_hits(app: &App) -> Result<(), Unavailable> {
    a_search(app)?;
    let found = app.search.found.first().map(|_| ());
    found.ok_or(Unavailable::Yet { why: "the search has no hits", first: None })
}

/// Succeeds during a search.
pub fn a_search(app: &App) -> Result<(), Unavailable> {
    match app.search.query {
        Some(_) => Ok(()),
        None => Err(Unavailable::Yet { why: "search first", first: Some(Command::Search) }),
    }
}

/// Succeeds if an open file can have labels.
pub fn labels_anywhere(app: &App) -> Result<(), Unavailable> {
    if app.any_holds(&[EditKind::Segments, EditKind::Acts]) {
        Ok(())
    } else {
        Err(Unavailable::Here("no open file has labels"))
    }
}

/// Succeeds if an open file can have API calls.
pub fn calls_anywhere(app: &App) -> Result<(), Unavailable> {
    if app.any_holds(&[EditKind::Calls]) {
        Ok(())
    } else {
        Err(Unavailable::Here("no open file has API calls"))
    }
}

/// Succeeds if problems were found.
pub fn any_problems(app: &App) -> Result<(), Unavailable> {
    if (tabs::named("problems").has)(app) {
        Ok(())
    } else {
        Err(Unavailable::Here("no problems found"))
    }
}

/// Succeeds if there is a problem here or a rule is selected in the details.
pub fn a_rule(app: &App) -> Result<(), Unavailable> {
    match app.panes.details.item() {
        Some(Item::Rule { .. }) => Ok(()),
        _ => a_problem(app),
    }
}

/// Succeeds if there is a problem here, or an ignored one is selected.
pub fn a_problem(app: &App) -> Result<(), Unavailable> {
    let ignored = matches!(app.panes.details.item(), Some(Item::Ignored(_)));
    if problem::problems_here(app).next().is_none() && !ignored {
        any_problems(app)?;
        // During a search, the key for the next match goes to no problem.
        let searching = app.search.query.is_some();
        let first = Some(if searching { Command::ProblemNext } else { Command::FindNext });
        let why = "there is no problem here";
        Err(Unavailable::Yet { why, first })
    } else {
        Ok(())
    }
}

/// Succeeds where the format of the open dialog has API calls.
pub fn calls(app: &App) -> Result<(), Unavailable> {
    if app.holds(EditKind::Calls) {
        Ok(())
    } else {
        Err(Unavailable::Here("these dialogs have no API calls"))
    }
}

/// Succeeds if the program was started with suggestions.
pub fn has_suggestions(app: &App) -> Result<(), Unavailable> {
    if app.suggestions.all.is_empty() {
        Err(Unavailable::Here(
            "the program was started without --suggestions, and no file has conflicts",
        ))
    } else {
        Ok(())
    }
}
