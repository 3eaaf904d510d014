//! Reviewing suggestions: each is shown in its turn, and taken or left.

use crate::app::core::{App, NewEdit};
use crate::app::feature::suggestions::window::SuggestionList;
use crate::app::feature::suggestions::{place, seen};
use crate::app::input::Command;
use crate::app::pane::Caret;
use crate::app::pane::caret::stepped;
use crate::app::state::{Decision, Suggested, SuggestionPlace};
use crate::dialog::{Edit, EditKind, Span};
use crate::judging::Kept;
use crate::text::{Direction, Motion, counted, grouped};
use crate::workspace::{Grouping, SegmentEdge};

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
    if app.suggestions.current().is_some_and(|one| !one.is_open())
        && let Some(next) = app.suggestions.next_open()
    {
        app.suggestions.chosen = next;
    }
    show(app);
}

/// Closes the list.
pub fn close(app: &mut App) {
    app.suggestions.reviewing = false;
    app.windows.close();
    app.panes.transcript.set_caret(None);
    let count = |decision| grouped(app.suggestions.count(decision));
    let (taken, left) = (count(Decision::Taken), count(Decision::Left));
    let more = match app.suggestions.open() {
        0 => String::new(),
        open => {
            let (open, palette) = (grouped(open), app.key(Command::Palette));
            format!(", {open} open · {palette} suggestions goes on")
        }
    };
    app.say(format!("{taken} taken, {left} left{more}"));
}

/// Selects the suggestion `by` places further.
pub fn step(app: &mut App, by: isize) {
    let last = app.suggestions.all.len().saturating_sub(1);
    let chosen = app.suggestions.chosen.saturating_add_signed(by).min(last);
    app.suggestions.chosen = chosen;
    show(app);
}

/// Shows the turn of the selected suggestion, with the suggested span selected.
fn show(app: &mut App) {
    let chosen = app.suggestions.chosen;
    let place = app.suggestions.current().map(|one| (one.at(), one.turn()));
    if let Some((Some(at), turn)) = place {
        app.open_from_list(at);
        app.panes.transcript.go(turn);
        // Votes of logs, and whose vote is hidden, are known only now.
        see(app, chosen);
        let span = edit_of_current(app).and_then(|edit| seen::span_of_edit(&edit));
        app.panes.transcript.set_caret(span.map(|span| Caret {
            at: span.end,
            anchor: Some(span.start),
        }));
    }
}

fn edit_of_current(app: &App) -> Option<Edit> {
    let seen = app.suggestions.current()?.seen.as_ref()?;
    seen.as_ref().ok().map(|seen| seen.edit.clone())
}

/// Looks the suggestion at this position up again.
fn see(app: &mut App, number: usize) {
    if let Some(one) = app.suggestions.all.get_mut(number)
        && one.decision != Decision::Taken
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

/// Returns the files that taking the selected suggestion edits.
pub fn files_to_edit(app: &mut App) -> Vec<usize> {
    let (Some(edit), Some(at)) = (
        edit_of_current(app),
        app.suggestions.current().and_then(Suggested::at),
    ) else {
        return Vec::new();
    };
    match edit.about() {
        EditKind::Gold => app.file_of_answers(at, Kept::Gold),
        EditKind::Votes => app.file_of_votes(at),
        _ => vec![at.file as usize],
    }
}

/// Makes the selected edit, and goes to the next one that is open.
pub fn take(app: &mut App) {
    let chosen = app.suggestions.chosen;
    let Some(one) = app.suggestions.current() else {
        return;
    };
    if one.decision == Decision::Taken {
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
    let Some(one) = app.suggestions.all.get(chosen) else {
        return;
    };
    let edit = match &one.seen {
        Some(Ok(seen)) => seen.clone(),
        Some(Err(why)) => {
            let why = why.clone();
            app.complain(why);
            return;
        }
        None => return,
    };
    let by = one.suggestion.origin.by.clone();
    // The context of a span that the user has moved was compared before.
    let on = one.suggestion.on.clone().filter(|_| one.moved.is_none());
    let turn = edit.edit.turn();
    let title = match edit.edit.about() {
        EditKind::Votes => format!("suggested vote on turn {turn}"),
        EditKind::Turns => edit.edit.title(),
        _ => format!("{} in turn {turn}", edit.title),
    };
    app.panes.transcript.set_caret(None);
    let made = app.make(NewEdit {
        by,
        on: on.as_ref(),
        ..NewEdit::new(&edit.edit, title, Grouping::Alone)
    });
    if made {
        app.suggestions.all[chosen].decision = Decision::Taken;
        app.suggestions.forget(Some(at));
        next(app);
    }
}

/// Marks the selected suggestion as not wanted, and goes to the next one that is open.
pub fn leave(app: &mut App) {
    let chosen = app.suggestions.chosen;
    let undo = app.key(Command::SuggestionUndo);
    if let Some(one) = app.suggestions.all.get_mut(chosen) {
        if one.decision == Decision::Taken {
            app.say(format!("it is taken; {undo} undoes the last edit"));
            return;
        }
        one.decision = Decision::Left;
    }
    next(app);
}

fn next(app: &mut App) {
    if let Some(next) = app.suggestions.next_open() {
        app.suggestions.chosen = next;
    } else {
        let close = app.key(Command::SuggestionsClose);
        let all = counted(app.suggestions.count(Decision::Taken), "suggestion");
        app.say(format!("{all} taken, none open · {close} ends the review"));
    }
    show(app);
}

/// Moves an edge of the suggested span; it is not an edit until the suggestion is taken.
pub fn move_edge(app: &mut App, edge: SegmentEdge, step: Motion, direction: Direction) {
    let chosen = app.suggestions.chosen;
    let is_open = app
        .suggestions
        .current()
        .is_some_and(|one| one.decision != Decision::Taken);
    let span = edit_of_current(app).and_then(|edit| seen::span_of_edit(&edit));
    let (Some(span), Some(turn)) = (span.filter(|_| is_open), app.panes.transcript.current())
    else {
        app.say("this suggestion has no span to move");
        return;
    };
    let units = app.panes.transcript.dialog.units;
    let stepped = |at: u32| stepped(turn, units, at, step, direction);
    let moved = match edge {
        SegmentEdge::Start => Span {
            start: stepped(span.start),
            ..span
        },
        SegmentEdge::End => Span {
            end: stepped(span.end),
            ..span
        },
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
