//! Reviewing suggestions: each is shown in its turn, and taken or left.

use crate::app::core::{App, NewEdits, RowMotion};
use crate::app::feature::suggestions::window::SuggestionList;
use crate::app::feature::suggestions::{conflict_list, place, seen};
use crate::app::input::Command;
use crate::app::pane::caret::stepped;
use crate::app::pane::{Caret, Focus};
use crate::app::state::{Decision, ShownSide, Suggested, SuggestionPlace};
use crate::compare::Side;
use crate::dialog::{Edit, EditKind, Span};
use crate::text::{Direction, Motion, SpanEdge, counted, grouped};
use crate::workspace::{CONFLICT, Grouping};

/// Opens the list of suggestions.
pub fn open(app: &mut App) {
    if app.suggestions.all.is_empty() {
        app.say("there are no suggestions; `turnwise --suggestions FILE` opens some");
        return;
    }
    open_undone(app);
    // Dialogs may have changed since.
    app.suggestions.placed = false;
    app.suggestions.reviewing = true;
    app.windows.open(SuggestionList);
    place_and_show(app);
}

/// Opens the suggestions again whose edits were undone. Returns the position of the last of them.
fn open_undone(app: &mut App) -> Option<usize> {
    let applied = app.workspace.steps.applied();
    let applied = applied.iter().map(|step| step.made.edit()).collect();
    app.suggestions.reopen_undone(&applied)
}

/// Opens the suggestions again that were just undone, and selects the last of them.
pub fn reopen_undone(app: &mut App) {
    let message = app.status.clone();
    app.suggestions.forget(None);
    if let Some(undone) = open_undone(app) {
        app.suggestions.chosen = undone;
        show(app);
    }
    app.status = message;
}

/// Finds the dialogs of the suggestions as soon as they are known, and shows the selected one.
pub fn place_and_show(app: &mut App) {
    if app.suggestions.all.is_empty() || !place::place(app) || !app.suggestions.reviewing {
        return;
    }
    choose_open(app);
    show(app);
}

/// Selects the next suggestion that is open, unless the selected one is.
fn choose_open(app: &mut App) {
    if app.suggestions.current().is_some_and(|one| !one.is_open())
        && let Some(next) = app.suggestions.next_open()
    {
        app.suggestions.chosen = next;
    }
}

/// Closes the list.
pub fn close(app: &mut App) {
    app.suggestions.reviewing = false;
    app.windows.close();
    app.panes.transcript.set_caret(None);
    let list = &app.suggestions;
    let all = list.all.iter();
    let of_hand = all.filter(|one| matches!(one.decision, Decision::Left | Decision::ByHand));
    let (taken, left) = (list.made(), of_hand.count());
    let done = match list.current().and_then(Suggested::as_conflict) {
        Some(_) => format!("{} decided", counted(taken + left, "conflict")),
        None => format!("{} taken, {} left", grouped(taken), grouped(left)),
    };
    let more = match list.open() {
        0 => String::new(),
        open => {
            let (open, palette) = (grouped(open), app.key(Command::Palette));
            format!(", {open} open · {palette} suggestions goes on")
        }
    };
    app.say(format!("{done}{more}"));
    conflict_list::keep(app);
}

/// Selects another suggestion.
pub fn step(app: &mut App, motion: RowMotion) {
    let (list, page) = (&app.suggestions, app.panes.suggestion_rows());
    app.suggestions.chosen = motion.from(list.chosen, list.all.len(), page);
    app.suggestions.shown = ShownSide::Theirs;
    show(app);
}

/// Shows the turn of the selected suggestion, with the suggested span selected.
fn show(app: &mut App) {
    let chosen = app.suggestions.chosen;
    let at = app.suggestions.current().and_then(Suggested::at);
    if let Some(at) = at {
        app.open_from_list(at);
        // Votes of logs, and whose vote is hidden, are known only now.
        see(app, chosen);
        let turn = app.suggestions.current().map(Suggested::turn);
        app.panes.transcript.go(turn.unwrap_or_default());
        // The sides of a conflict are beside each other, with what differs marked.
        let span = match app.suggestions.conflict() {
            Some(_) if app.suggestions.all[chosen].moved.is_none() => None,
            _ => seen::span_of(&edits_of_current(app)),
        };
        app.panes
            .transcript
            .set_caret(span.map(|span| Caret { at: span.end, anchor: Some(span.start) }));
    }
}

fn edits_of_current(app: &App) -> Vec<Edit> {
    let current = app.suggestions.current();
    match current.and_then(|one| one.seen.as_ref()) {
        Some(Ok(seen)) => seen.edits.clone(),
        _ => Vec::new(),
    }
}

/// Looks the suggestion at this position up again.
fn see(app: &mut App, number: usize) {
    if let Some(one) = app.suggestions.all.get_mut(number)
        && !one.decision.is_made()
    {
        one.seen = None;
    }
    seen::see(app, number..number + 1);
}

/// Looks up the suggestions that are on the screen.
pub fn lay_out(app: &mut App) {
    let rows = app.panes.suggestion_rows();
    let first = app.suggestions.first_listed(rows);
    seen::see(app, first..first + rows);
}

/// Makes the selected edit, and goes to the next one that is open.
pub fn take(app: &mut App) {
    decide(app, Decision::Taken);
}

/// Keeps both sides of the selected conflict, and goes to the next one that is open.
pub fn take_both(app: &mut App) {
    if app.suggestions.conflict().is_none() {
        app.say("this suggestion has one side only");
    } else {
        decide(app, Decision::Both);
    }
}

fn decide(app: &mut App, decision: Decision) {
    let chosen = app.suggestions.chosen;
    let Some(one) = app.suggestions.current() else {
        return;
    };
    if one.decision.is_made() {
        app.say("it is taken already");
        return;
    }
    let at = match &one.place {
        SuggestionPlace::At(at) => *at,
        SuggestionPlace::Unknown => {
            app.say("its dialog is still being read; a moment, please");
            return;
        }
        SuggestionPlace::Nowhere(why) => {
            let why = why.clone();
            app.complain(why);
            return;
        }
    };
    show(app);
    let edits = match decision {
        Decision::Both => edits_of_both(app),
        _ => match app.suggestions.all[chosen].seen.as_ref() {
            Some(Ok(seen)) => Ok(seen.edits.clone()),
            Some(Err(why)) => Err(why.clone()),
            None => return,
        },
    };
    let made = match edits {
        Ok(edits) => make(app, &edits),
        Err(why) => return app.complain(why),
    };
    let Some(made) = made else {
        return;
    };
    let one = &mut app.suggestions.all[chosen];
    one.decision = decision;
    if let Some(Ok(seen)) = &mut one.seen {
        seen.edits = made;
    }
    app.suggestions.forget(Some(at));
    next(app);
}

/// Returns the edits that keep both sides of the selected conflict, whose dialog is open.
fn edits_of_both(app: &App) -> Result<Vec<Edit>, String> {
    let one = app.suggestions.current();
    let dialog = &app.panes.transcript.dialog;
    let carried = one.and_then(|one| Some((one, seen::carried(app, one, dialog)?)));
    let (one, carried) = carried.ok_or("the dialog cannot be read")?;
    seen::edits_of(one, &carried, Side::Both)
}

/// Makes the edits of the selected suggestion as one step, and returns those that changed something; None if one is
/// refused, with a report.
fn make(app: &mut App, edits: &[Edit]) -> Option<Vec<Edit>> {
    let one = app.suggestions.current()?;
    let seen = one.seen.clone()?.ok();
    let conflict = one.as_conflict().map(|conflict| conflict.conflict.clone());
    let by = one.origin().by;
    // The context of a span that the user has moved was compared before.
    let record = one.as_record().filter(|_| one.moved.is_none());
    let on = record.and_then(|record| record.on.clone());
    app.panes.transcript.set_caret(None);
    let title = |edit: &Edit| {
        let turn = edit.turn();
        match (&conflict, &seen) {
            (Some(part), _) => format!("{CONFLICT}a {part} in turn {turn}"),
            _ if edit.about() == EditKind::Votes => format!("suggested vote on turn {turn}"),
            (None, Some(seen)) if edit.about() == EditKind::Segments => {
                format!("{} in turn {turn}", seen.title)
            }
            _ => edit.title(),
        }
    };
    let before = app.workspace.steps.applied().len();
    let (title, on) = (&title, on.as_ref());
    if !app.make(NewEdits { edits, title, grouping: Grouping::Alone, by, on }) {
        return None;
    }
    let made = app.workspace.steps.applied()[before..].iter();
    Some(made.map(|step| step.made.edit().clone()).collect())
}

/// Marks the selected suggestion as not wanted, and goes to the next one that is open.
pub fn leave(app: &mut App) {
    if mark_left(app, Decision::Left) {
        // No edit in the journal says it.
        conflict_list::keep(app);
        next(app);
    }
}

/// Marks the selected suggestion as decided by what the user makes of its turn, and closes the list.
/// True if it is about a text, which is to be edited next.
pub fn decide_by_hand(app: &mut App) -> bool {
    if !mark_left(app, Decision::ByHand) {
        return false;
    }
    let turn = app.suggestions.current().map_or(0, Suggested::turn);
    let edits = edits_of_current(app);
    let conflict = app.suggestions.conflict().cloned();
    close(app);
    app.panes.focus_on(Focus::Transcript);
    let palette = app.key(Command::Palette);
    app.say(format!("edit turn {turn} · {palette} suggestions goes on"));
    if let Some(conflict) = conflict {
        let turn = app.panes.transcript.dialog.turns.get(turn);
        let segment = turn.and_then(|turn| conflict.segment_in(turn));
        if segment.is_some() {
            app.panes.transcript.choose(segment);
            return false;
        }
        if conflict.conflict == "text" {
            return true;
        }
    }
    match edits.first() {
        Some(Edit::SetText { .. }) => return true,
        Some(
            Edit::SetSpan { segment, .. }
            | Edit::SetLabels { segment, .. }
            | Edit::RemoveSegment { segment, .. },
        ) => app.panes.transcript.choose(Some(*segment)),
        _ => {}
    }
    false
}

fn mark_left(app: &mut App, decision: Decision) -> bool {
    let chosen = app.suggestions.chosen;
    let undo = app.key(Command::SuggestionUndo);
    let Some(one) = app.suggestions.all.get_mut(chosen) else {
        return false;
    };
    if one.decision.is_made() {
        app.say(format!("it is taken; {undo} undoes the last edit"));
        return false;
    }
    one.decision = decision;
    let applied = app.workspace.steps.applied().len();
    app.suggestions.left.push((chosen, applied));
    true
}

/// Opens the suggestion again that was left last, unless something was edited since. False if there is none.
pub fn reopen_left(app: &mut App) -> bool {
    if !can_reopen_left(app) {
        return false;
    }
    if let Some((number, _)) = app.suggestions.left.pop()
        && let Some(one) = app.suggestions.all.get_mut(number)
    {
        one.decision = Decision::Open;
        app.suggestions.chosen = number;
        conflict_list::keep(app);
        show(app);
    }
    true
}

/// True if the last that the user did was to leave a suggestion.
pub fn can_reopen_left(app: &App) -> bool {
    let applied = app.workspace.steps.applied().len();
    let left = &app.suggestions.left;
    left.last().is_some_and(|(_, before)| applied <= *before)
}

/// Shows the next version of the dialog beside it: the other side, the base, or both sides.
pub fn show_next_side(app: &mut App) {
    let Some(conflict) = app.suggestions.conflict() else {
        return app.say("this suggestion has one side only");
    };
    let after = |shown: ShownSide| match shown {
        ShownSide::Theirs => ShownSide::Base,
        ShownSide::Base => ShownSide::Both,
        ShownSide::Both => ShownSide::Theirs,
    };
    let mut shown = after(app.suggestions.shown);
    while shown != ShownSide::Theirs && conflict.edits_of(shown.side()).is_empty() {
        shown = after(shown);
    }
    let has_base = !conflict.edits_of(Side::Base).is_empty();
    let why = seen::no_base(conflict);
    app.suggestions.shown = shown;
    if shown == ShownSide::Theirs && !has_base {
        app.say(why);
    }
}

fn next(app: &mut App) {
    app.suggestions.shown = ShownSide::Theirs;
    if let Some(next) = app.suggestions.next_open() {
        app.suggestions.chosen = next;
    } else {
        let close = app.key(Command::SuggestionsClose);
        let list = &app.suggestions;
        let all = match list.conflict() {
            Some(_) => format!("{} decided", counted(list.all.len(), "conflict")),
            None => format!("{} taken", counted(list.made(), "suggestion")),
        };
        app.say(format!("{all}, none open · {close} ends the review"));
    }
    show(app);
}

/// Moves an edge of the suggested span; it is not an edit until the suggestion is taken.
pub fn move_edge(app: &mut App, edge: SpanEdge, step: Motion, direction: Direction) {
    let chosen = app.suggestions.chosen;
    let is_open = app.suggestions.current().is_some_and(|one| !one.decision.is_made());
    let span = seen::span_of(&edits_of_current(app));
    let (Some(span), Some(turn)) = (span.filter(|_| is_open), app.panes.transcript.current())
    else {
        app.say("this suggestion has no span to move");
        return;
    };
    let units = app.panes.transcript.dialog.units;
    let stepped = |at: u32| stepped(turn, units, at, step, direction);
    let moved = match edge {
        SpanEdge::Start => Span { start: stepped(span.start), ..span },
        SpanEdge::End => Span { end: stepped(span.end), ..span },
    };
    if moved.start >= moved.end {
        app.say(format!("a segment covers at least one {}", units.one()));
        return;
    }
    if moved == span {
        app.say("that is the edge of the turn");
        return;
    }
    let covered = turn.covered(moved, units).unwrap_or_default();
    app.say(format!("{moved} \"{covered}\""));
    app.suggestions.all[chosen].moved = Some(moved);
    show(app);
}
