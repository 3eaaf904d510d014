//! Turns a proposal into edits of its dialog, and describes them for the list.

use std::collections::HashMap;

use crate::app::core::App;
use crate::app::feature::review::fixes;
use crate::app::state::{Decision, ProposalPlace, Proposed, ProposedChange, ProposedEdit};
use crate::compare::{ConflictLine, Side};
use crate::corpus::{Proposal, Suggestion};
use crate::dialog::{Dialog, Edit, EditContext, EditKind, Segment, Span, Turn};
use crate::lint::{edit_preview, placed};
use crate::workspace::DialogId;

/// Looks up the proposals at these positions in their dialogs, unless that is already done.
pub fn see(app: &mut App, numbers: impl IntoIterator<Item = usize>) {
    let mut last: Option<(DialogId, Result<Dialog, String>)> = None;
    for number in numbers {
        let Some(one) = app.review().all.get(number) else {
            return;
        };
        let Some(at) = one.at() else {
            let hidden = hides(app, one, None);
            app.review_mut().all[number].hidden = hidden;
            continue;
        };
        if one.seen.is_some() {
            continue;
        }
        if one.as_fix().is_some() {
            see_fixes(app, number, at);
            continue;
        }
        let dialog = match last.take() {
            Some((known, dialog)) if known == at => dialog,
            _ => match app.workspace.files.dialog(at) {
                Ok(Some((dialog, _))) => Ok(dialog),
                Ok(None) => Err("the dialog does not exist".to_owned()),
                Err(error) => Err(error.to_string()),
            },
        };
        let hidden = hides(app, one, dialog.as_ref().ok());
        let decision = restored(app, one, at).unwrap_or(one.decision);
        let seen = match (&dialog, one.as_record()) {
            (Ok(dialog), Some(record)) => seen(one, record, dialog, hidden),
            (Ok(_), None) if decision != one.decision => Ok(taken(one, decision, hidden)),
            (Ok(dialog), None) => seen_conflict(app, one, dialog, hidden),
            (Err(why), _) => Err(why.clone()),
        };
        let one = &mut app.review_mut().all[number];
        (one.seen, one.hidden, one.decision) = (Some(seen), hidden, decision);
        last = Some((at, dialog));
    }
}

/// Looks up the fixes of a dialog that has changed, beside each other in the list. Of a problem that is no longer there,
/// the fix has no edits.
fn see_fixes(app: &mut App, number: usize, at: DialogId) {
    let Some(search) = &app.review().search else {
        return;
    };
    let (found, _) = fixes::fixes_here(app, at, &search.source);
    // If several problems have the same key, the first counts.
    let found = found.into_iter().rev().filter_map(|fix| {
        let problem = fix.as_fix()?.clone();
        Some((fix, problem))
    });
    let found: Vec<_> = found.collect();
    let found: HashMap<_, _> = found.iter().map(|(fix, problem)| (problem.key(), fix)).collect();
    let all = &mut app.review_mut().all;
    let is_here = |one: &Proposed| one.place == ProposalPlace::At(at);
    let first = all[..number].iter().rposition(|one| !is_here(one)).map_or(0, |other| other + 1);
    for one in all[first..].iter_mut().take_while(|one| is_here(one)) {
        let ProposedChange::Fix(problem) = &mut one.change else {
            continue;
        };
        if one.seen.is_none() {
            let again = found.get(&problem.key());
            let title = "the problem is fixed or has changed".to_owned();
            let none = || Ok(ProposedEdit { title, ..ProposedEdit::default() });
            one.seen = again.and_then(|again| again.seen.clone()).or_else(|| Some(none()));
            if let Some(now) = again.and_then(|again| again.as_fix()) {
                **problem = now.clone();
            }
        }
    }
}

/// Returns the edit that a suggestion is in its dialog.
///
/// # Errors
/// The reason why it does not fit.
fn seen(
    one: &Proposed,
    record: &Suggestion,
    dialog: &Dialog,
    hidden: bool,
) -> Result<ProposedEdit, String> {
    let mut edit = match &record.edit {
        Proposal::Edit(edit) => edit.clone(),
        Proposal::Quoted(quoted) => placed(quoted, dialog)?,
    };
    if let Some(was) = &record.on
        && let Some(now) = EditContext::of(&edit, dialog).filter(|now| !was.allows(&edit, now))
    {
        return Err(was.refusal(&edit, &now).to_string());
    }
    if let Some(span) = one.moved {
        edit.set_span(span);
    }
    if one.decision == Decision::Open
        && let Some(why) = repeats(&edit, dialog)
    {
        return Err(why);
    }
    let (mut before, mut after) = (String::new(), String::new());
    // Labels of others may be in a file that is not written yet.
    if edit.about() != EditKind::Gold {
        (before, after) = edit_preview(dialog, &edit).map_err(|why| why.to_string())?;
    }
    if hidden {
        (before, after) = Default::default();
    }
    Ok(ProposedEdit {
        title: title(&edit, dialog, hidden),
        turn: edit.turn(),
        edits: vec![edit],
        made_in: None,
        before,
        after,
    })
}

/// True if a suggestion tells what another has answered where the annotator has not.
fn hides(app: &App, one: &Proposed, dialog: Option<&Dialog>) -> bool {
    let conflict = one.as_conflict();
    let sides = [Side::Theirs, Side::Both, Side::Base].into_iter();
    let edits =
        conflict.into_iter().flat_map(|of| sides.clone().flat_map(|side| of.edits_of(side)));
    let proposed = one.as_record().and_then(|record| match &record.edit {
        Proposal::Edit(edit) => Some(edit),
        Proposal::Quoted(_) => None,
    });
    let judge = &app.panes.transcript.judge;
    let judged = edits.chain(proposed).find_map(|edit| match edit {
        Edit::Judge { judgement } => Some(judgement),
        _ => None,
    });
    if let Some(judgement) = judged {
        let is_blind = || judge.is_blind() && judgement.by != judge.annotator;
        return dialog.map_or_else(is_blind, |dialog| judge.hides_judgement(dialog, judgement));
    }
    let turn = match (conflict, proposed) {
        (Some(conflict), _) if conflict.conflict == VOTE => conflict.turn,
        (_, Some(edit)) if edit.about() == EditKind::Votes => Some(edit.turn()),
        _ => return false,
    };
    let of_turn = turn.zip(dialog).and_then(|(turn, dialog)| dialog.turns.get(turn));
    let judges =
        judge.is_blind() || !judge.annotator.is_empty() && of_turn.is_some_and(Turn::is_judgeable);
    judges && of_turn.is_none_or(|turn| judge.own(turn).is_none())
}

/// Returns how an earlier run has decided a conflict, if that is among the unsaved edits, as after a crash.
fn restored(app: &App, one: &Proposed, at: DialogId) -> Option<Decision> {
    let conflict = one.as_conflict().filter(|_| one.decision == Decision::Open)?;
    let steps = app.workspace.steps.unsaved_at(at).filter(|step| !step.made.is_of_this_run());
    let made: Vec<_> = steps.map(|step| step.made.edit()).collect();
    // Equal elements are decided one by one.
    let decided = app.suggestions.all.iter().filter(|one| one.decision.is_made());
    let decided = decided.filter_map(|one| one.seen.as_ref()?.as_ref().ok());
    let used: Vec<_> = decided.flat_map(|seen| &seen.edits).collect();
    let count = |all: &[&Edit], wanted: &Edit| all.iter().filter(|edit| **edit == wanted).count();
    let is_made = |side: Side| {
        let edits = conflict.edits_of(side);
        let is_left = |edit: &Edit| count(&made, edit) > count(&used, edit);
        !edits.is_empty() && edits.iter().all(is_left)
    };
    let sides = [(Side::Theirs, Decision::Taken), (Side::Both, Decision::Both)];
    sides.into_iter().find_map(|(side, decision)| is_made(side).then_some(decision))
}

/// Returns the edits by which a conflict was decided.
fn taken(one: &Proposed, decision: Decision, hidden: bool) -> ProposedEdit {
    let side = if decision == Decision::Both { Side::Both } else { Side::Theirs };
    let conflict = one.as_conflict();
    ProposedEdit {
        title: conflict.map(|conflict| said(conflict, hidden)).unwrap_or_default(),
        turn: conflict.and_then(|conflict| conflict.turn).unwrap_or_default(),
        edits: conflict.map(|conflict| conflict.edits_of(side).to_vec()).unwrap_or_default(),
        made_in: one.at(),
        before: String::new(),
        after: String::new(),
    }
}

/// Returns the kind of a conflict with what their side says, unless that is hidden.
pub fn said(conflict: &ConflictLine, hidden: bool) -> String {
    if hidden {
        let kind = &conflict.conflict;
        format!("{kind}: hidden until you have judged the turn")
    } else {
        conflict.theirs_said()
    }
}

/// Returns the edits that decide a conflict for the other side.
///
/// # Errors
/// The reason why there are none.
fn seen_conflict(
    app: &App,
    one: &Proposed,
    dialog: &Dialog,
    hidden: bool,
) -> Result<ProposedEdit, String> {
    let Some(conflict) = carried(app, one, dialog) else {
        return Err("the dialog cannot be read".to_owned());
    };
    let mut edits = edits_of(one, &conflict, Side::Theirs)?;
    if let Some(file) = file_of_json(one, &edits) {
        let name = app.workspace.files.name(file as usize);
        return Err(format!(
            "the conflict is in {name}; open that file alone to decide for THEIRS"
        ));
    }
    if let Some(span) = one.moved
        && let Some(edit) = edits.iter_mut().find(|edit| span_of_edit(edit).is_some())
    {
        edit.set_span(span);
    }
    if one.decision == Decision::Open
        && let Some(why) = edits.first().and_then(|edit| repeats(edit, dialog))
    {
        return Err(why);
    }
    Ok(ProposedEdit {
        title: said(&conflict, hidden),
        turn: conflict.turn.unwrap_or_default(),
        edits,
        made_in: None,
        before: String::new(),
        after: String::new(),
    })
}

/// Returns the file whose JSON some edits of a conflict change, if that is another than the file of its dialog: a log of
/// votes is shown on the dialogs of a corpus.
fn file_of_json(one: &Proposed, edits: &[Edit]) -> Option<u32> {
    let (files, at) = (one.files.as_ref()?, one.at()?);
    let is_json = edits.iter().any(|edit| matches!(edit, Edit::Put { .. }));
    let other = files.first().copied();
    other.filter(|_| is_json && !files.contains(&at.file))
}

/// Returns a conflict as one of its dialog as that is now; the line is about the saved one.
pub fn carried(app: &App, one: &Proposed, dialog: &Dialog) -> Option<ConflictLine> {
    let (conflict, at) = (one.as_conflict()?, one.at()?);
    match &one.basis {
        Some(basis) => Some(conflict.carried(basis, dialog)),
        None if !app.workspace.files.is_edited(at) => Some(conflict.clone()),
        None => {
            let saved = app.workspace.files.saved_dialog(at)?;
            let steps = app.workspace.steps.unsaved_at(at);
            let edits = steps.map(|step| step.made.edit());
            Some(conflict.carried_by(&saved, edits, dialog))
        }
    }
}

/// Returns the edits of a carried conflict that decide it for a side.
///
/// # Errors
/// The reason why there are none.
pub fn edits_of(one: &Proposed, carried: &ConflictLine, side: Side) -> Result<Vec<Edit>, String> {
    let edits = carried.edits_of(side);
    let is_known = one.as_conflict().is_some_and(|line| !line.edits_of(side).is_empty());
    match (side, is_known) {
        _ if !edits.is_empty() => Ok(edits.to_vec()),
        (_, true) => Err("the part to change was not found".to_owned()),
        (Side::Both, false) => Err("only one of the two sides can stay".to_owned()),
        (Side::Base, false) => Err(no_base(carried).to_owned()),
        (Side::Ours | Side::Theirs, false) => {
            Err("the other side cannot be written as an edit".to_owned())
        }
    }
}

/// Returns why the base of a conflict cannot be shown or taken.
pub fn no_base(conflict: &ConflictLine) -> &'static str {
    match conflict.base {
        Some(_) => "the base cannot be written as an edit",
        None => "the base has nothing here",
    }
}

/// Returns why an edit would only repeat a segment.
fn repeats(edit: &Edit, dialog: &Dialog) -> Option<String> {
    let Edit::AddSegment { turn, labels, .. } = edit else {
        return None;
    };
    let of_turn = dialog.turns.get(*turn)?;
    let span = span_of_edit(edit);
    let has_all = |segment: &Segment| {
        let named = |label: &String| segment.labels.iter().any(|has| has.name == *label);
        segment.span == span && labels.iter().all(named)
    };
    let segment = of_turn.segments.iter().position(has_all)?;
    let labels = labels.join(", ");
    Some(format!("segment {segment} of the turn already has this span and the label {labels}"))
}

/// The kind of conflicts that tell how others have voted.
const VOTE: &str = "vote";

/// Returns the span that the first of some edits that moves or adds a segment gives to it.
pub fn span_of(edits: &[Edit]) -> Option<Span> {
    edits.iter().find_map(span_of_edit)
}

/// Returns the span that an edit gives to a segment.
fn span_of_edit(edit: &Edit) -> Option<Span> {
    match edit {
        Edit::SetSpan { start, end, .. } | Edit::AddSegment { start, end, .. } => {
            Some(Span { start: *start, end: *end })
        }
        _ => None,
    }
}

/// Describes an edit in a few words.
fn title(edit: &Edit, dialog: &Dialog, hidden: bool) -> String {
    let turn = dialog.turns.get(edit.turn());
    let words = |span: Option<Span>| -> String {
        let covered = turn.zip(span).and_then(|(turn, span)| turn.covered(span, dialog.units));
        let gap = if dialog.units.is_tokens() { "tokens " } else { "" };
        match (covered, span) {
            (Some(words), _) => format!("\"{words}\""),
            (None, Some(span)) => format!("{gap}{span}"),
            (None, None) => String::new(),
        }
    };
    let old = |segment: usize| words(turn.and_then(|turn| turn.segments.get(segment)?.span));
    match edit {
        Edit::SetSpan { segment, .. } => {
            format!("{} → {}", old(*segment), words(span_of_edit(edit)))
        }
        Edit::AddSegment { labels, .. } => {
            format!("add {}: {}", words(span_of_edit(edit)), labels.join(", "))
        }
        Edit::RemoveSegment { segment, .. } => format!("remove {}", old(*segment)),
        Edit::SetLabels { segment, labels, .. } => {
            format!("{}: {}", old(*segment), labels.join(", "))
        }
        Edit::SetQuote { segment, text: Some(text), .. } => {
            format!("{}: quote {text:?}", old(*segment))
        }
        Edit::SetQuote { segment, .. } => format!("{}: quote it", old(*segment)),
        Edit::Judge { judgement } if hidden => {
            format!("an answer by {}, hidden until you have given yours", judgement.by)
        }
        Edit::Judge { judgement } => format!("{} by {}", judgement.title(), judgement.by),
        Edit::CastVote { annotator, .. } if hidden => {
            format!("a vote by {annotator}, hidden until you have judged the turn")
        }
        Edit::CastVote { annotator, .. } | Edit::WithdrawVote { annotator, .. } => {
            format!("{} by {annotator}", title_without_turn(edit))
        }
        Edit::RemoveTurn { .. } => "remove the turn".to_owned(),
        Edit::AddTurn { speaker, .. } => format!("add a turn by {speaker}"),
        _ => title_without_turn(edit),
    }
}

/// Returns the title of an edit beside the number of its turn.
fn title_without_turn(edit: &Edit) -> String {
    let (title, turn) = (edit.title(), edit.turn());
    let of_turn = |word| title.split_once(&format!(" {word} turn {turn}"));
    match ["in", "of", "on"].into_iter().find_map(of_turn) {
        Some((before, after)) => format!("{before}{after}"),
        None => title,
    }
}
