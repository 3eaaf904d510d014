//! Span editing: a caret in the text of the current turn, a selection, and the segment's edges.
//!
//! Offsets are in the dialog's own units. For code points, the caret is between graphemes; for
//! tokens, before a token.

use crate::app::core::{App, Effect};
use crate::app::feature::editing::lost_fields::ANNOTATOR;
use crate::app::feature::editing::{lost_fields, undo};
use crate::app::input::name;
use crate::app::pane::Caret;
use crate::dialog::{Edit, Span, Turn};
use crate::text::{Motion, Units, boundary};
use crate::workspace::SegmentEdge;

/// Returns the offset `step` after or before `at` in `turn`.
pub fn stepped(turn: &Turn, units: Units, at: u32, step: Motion, forward: bool) -> u32 {
    let length = turn.length(units) as u32;
    let at = at.min(length);
    match (units, step) {
        (Units::CodePoints, _) => boundary(&turn.text, at as usize, step, forward) as u32,
        (Units::Tokens, Motion::All) => {
            if forward {
                length
            } else {
                0
            }
        }
        (Units::Tokens, _) => {
            if forward {
                (at + 1).min(length)
            } else {
                at.saturating_sub(1)
            }
        }
    }
}

/// Starts span mode, at the current segment if there is one.
pub fn enter_span(app: &mut App) -> Vec<Effect> {
    let span = app
        .panes
        .transcript
        .current_segment()
        .and_then(|segment| segment.span);
    let length = app
        .panes
        .transcript
        .current()
        .map_or(0, |turn| turn.length(app.panes.transcript.dialog.units));
    let at = span.map_or(0, |span| span.end.min(length as u32));
    app.panes
        .transcript
        .set_caret(Some(Caret { at, anchor: None }));
    Vec::new()
}

/// Moves the caret; with `select` it extends or starts a selection.
pub fn move_caret(app: &mut App, step: Motion, forward: bool, select: bool) -> Vec<Effect> {
    let units = app.panes.transcript.dialog.units;
    let select = select || app.panes.transcript.selecting;
    let (Some(caret), Some(turn)) = (app.panes.transcript.caret, app.panes.transcript.current())
    else {
        return Vec::new();
    };
    let at = match (caret.selection(), select, step) {
        // Moving without `select` goes to the end of the selection, as in other editors.
        (Some(span), false, Motion::Grapheme) => {
            if forward {
                span.end
            } else {
                span.start
            }
        }
        _ => stepped(turn, units, caret.at, step, forward),
    };
    let anchor = if select {
        caret.anchor.or(Some(caret.at))
    } else {
        None
    };
    app.panes.transcript.set_caret(Some(Caret { at, anchor }));
    Vec::new()
}

/// Moves an edge of the current segment.
pub fn move_edge(app: &mut App, edge: SegmentEdge, step: Motion, forward: bool) -> Vec<Effect> {
    let t = &app.panes.transcript;
    let Some((turn, number, span)) = current_span(app) else {
        say_no_segment(app);
        return Vec::new();
    };
    let from = match edge {
        SegmentEdge::Start => span.start,
        SegmentEdge::End => span.end,
    };
    let to = stepped(turn, t.dialog.units, from, step, forward);
    let length = turn.length(t.dialog.units) as u32;
    let moved = match edge {
        SegmentEdge::Start => Span { start: to, ..span },
        SegmentEdge::End => Span { end: to, ..span },
    };
    if to == from {
        app.say("that is the end of the turn");
        return Vec::new();
    }
    if moved.start >= moved.end {
        let delete = app.input.keymap.shown(name::DELETE_SEGMENT);
        app.say(format!(
            "a segment covers at least one character; {delete} deletes it"
        ));
        return Vec::new();
    }
    // The other edge may be outside the text; this corrects it too.
    let edit = Edit::SetSpan {
        turn: t.turn,
        segment: number,
        start: moved.start.min(length),
        end: moved.end.min(length),
    };
    let (made, effects) = app.nudge(&edit, edge, (from, to));
    if made {
        if app.panes.transcript.caret.is_some() {
            app.panes.transcript.set_caret(Some(Caret {
                at: to,
                anchor: None,
            }));
        }
        let covered = app
            .panes
            .transcript
            .current()
            .and_then(|turn| turn.covered(moved, app.panes.transcript.dialog.units));
        app.say(format!("{moved} \"{}\"", covered.unwrap_or_default()));
    }
    effects
}

/// Resizes the current segment to the selection.
pub fn move_segment(app: &mut App) -> Vec<Effect> {
    let (Some(segment), Some(span)) = (
        app.panes.transcript.segment,
        app.panes.transcript.caret.and_then(Caret::selection),
    ) else {
        app.say("select a segment, and the text it should cover");
        return Vec::new();
    };
    let turn = app.panes.transcript.turn;
    let edit = Edit::SetSpan {
        turn,
        segment,
        start: span.start,
        end: span.end,
    };
    app.edit(
        &edit,
        format!("segment {segment} of turn {turn} set to {span}"),
    )
    .1
}

/// Returns the current turn, the position of the current segment, and its span.
fn current_span(app: &App) -> Option<(&Turn, usize, Span)> {
    let shown = &app.panes.transcript;
    let span = shown.current_segment()?.span?;
    Some((shown.current()?, shown.segment?, span))
}

/// Asks the user to select a segment.
fn say_no_segment(app: &mut App) {
    let next = app.input.keymap.shown(name::SEGMENT_NEXT);
    app.say(format!("select a segment first ({next})"));
}

/// Removes the current segment.
pub fn delete_segment(app: &mut App) -> Vec<Effect> {
    let (turn, Some(segment)) = (app.panes.transcript.turn, app.panes.transcript.segment) else {
        say_no_segment(app);
        return Vec::new();
    };
    let edit = Edit::RemoveSegment { turn, segment };
    let (made, effects) = app.edit(&edit, format!("segment {segment} of turn {turn} deleted"));
    if made {
        let count = app
            .panes
            .transcript
            .current()
            .map_or(0, |turn| turn.segments.len());
        app.panes
            .transcript
            .choose(count.checked_sub(1).map(|last| segment.min(last)));
        let undo = app.input.keymap.shown(name::UNDO);
        app.say(format!("deleted; {undo} undoes"));
    }
    effects
}

/// Sets the labels of the current segment.
pub fn relabel(app: &mut App, labels: Vec<String>) -> Vec<Effect> {
    let (turn, Some(segment)) = (app.panes.transcript.turn, app.panes.transcript.segment) else {
        say_no_segment(app);
        return Vec::new();
    };
    let title = format!("label {} in turn {turn}", labels.join(" + "));
    let edit = Edit::SetLabels {
        turn,
        segment,
        labels,
    };
    app.edit(&edit, title).1
}

/// Adds a segment on the selection.
pub fn add_segment(app: &mut App, label: &str) -> Vec<Effect> {
    let Some(span) = app.panes.transcript.caret.and_then(Caret::selection) else {
        let [left, right] =
            [name::SELECT_LEFT, name::SELECT_RIGHT].map(|select| app.input.keymap.shown(select));
        app.say(format!(
            "select what the segment should cover ({left}, {right})"
        ));
        return Vec::new();
    };
    let turn = app.panes.transcript.turn;
    let labels = vec![label.to_owned()];
    let edit = Edit::AddSegment {
        turn,
        start: span.start,
        end: span.end,
        labels,
    };
    let (made, effects) = app.edit(
        &edit,
        format!("segment {span} {label} added in turn {turn}"),
    );
    if made {
        let last = app
            .panes
            .transcript
            .current()
            .map_or(0, |turn| turn.segments.len());
        app.panes.transcript.choose(last.checked_sub(1));
        app.panes.transcript.set_caret(Some(Caret {
            at: span.end,
            anchor: None,
        }));
    }
    effects
}

/// Splits the current segment at the caret.
pub fn split_segment(app: &mut App) -> Vec<Effect> {
    let t = &app.panes.transcript;
    let (Some(caret), Some(segment), Some(span)) = (
        app.panes.transcript.caret,
        t.segment,
        t.current_segment().and_then(|s| s.span),
    ) else {
        app.say("select a segment, and put the caret where to split it");
        return Vec::new();
    };
    if caret.at <= span.start || caret.at >= span.end {
        app.say("the caret is not inside the segment");
        return Vec::new();
    }
    let labels: Vec<_> = t
        .current_segment()
        .into_iter()
        .flat_map(|s| &s.labels)
        .map(|l| l.name.to_string())
        .collect();
    let turn = t.turn;
    let first = Edit::SetSpan {
        turn,
        segment,
        start: span.start,
        end: caret.at,
    };
    let second = Edit::AddSegment {
        turn,
        start: caret.at,
        end: span.end,
        labels,
    };
    let title = format!("segment {segment} of turn {turn} split at {}", caret.at);
    let (made, mut effects) = app.edit(&first, title.clone());
    if made {
        let (made, joined) = app.edit_joined(&second, title);
        effects.extend(joined);
        if made {
            let extra = lost_fields::extra_fields(app, segment);
            lost_fields::report_lost_fields(app, &extra, "the new segment lacks");
        }
    }
    effects
}

/// Merges the current segment with the next one.
pub fn merge_segments(app: &mut App) -> Vec<Effect> {
    let t = &app.panes.transcript;
    let Some((turn, segment, span)) = current_span(app) else {
        say_no_segment(app);
        return Vec::new();
    };
    let after = |(_, other): &(usize, Span)| (other.start, other.end) > (span.start, span.end);
    let others = turn
        .segments
        .iter()
        .enumerate()
        .filter(|(i, _)| *i != segment);
    let next = others
        .filter_map(|(i, s)| Some((i, s.span?)))
        .filter(after)
        .min_by_key(|(_, other)| other.start);
    let Some((other, with)) = next else {
        app.say("no segment follows in this turn");
        return Vec::new();
    };
    let names = |position: usize| -> Vec<String> {
        let labels = turn.segments[position].labels.iter();
        labels.map(|label| label.name.to_string()).collect()
    };
    let mut labels = names(segment);
    let own = labels.len();
    for name in names(other) {
        if !labels.contains(&name) {
            labels.push(name);
        }
    }
    let mut extra = lost_fields::extra_fields(app, other);
    if turn.segments[segment].annotator == turn.segments[other].annotator {
        extra.retain(|name| name != ANNOTATOR);
    }
    let turn = t.turn;
    let (start, end) = (span.start, span.end.max(with.end));
    let widened = Edit::SetSpan {
        turn,
        segment,
        start,
        end,
    };
    let title = format!("segments {segment} and {other} of turn {turn} merged");
    let (made, mut effects) = app.edit(&widened, title.clone());
    if !made {
        return effects;
    }
    let mut rest = Vec::new();
    if labels.len() > own {
        let labelled = Edit::SetLabels {
            turn,
            segment,
            labels: labels.clone(),
        };
        rest.push(labelled);
    }
    let removed = Edit::RemoveSegment {
        turn,
        segment: other,
    };
    rest.push(removed);
    for edit in rest {
        let (made, joined) = app.edit_joined(&edit, title.clone());
        effects.extend(joined);
        if !made {
            // Half a merge would lose a label: undo it all, and keep the reason on the status
            // line.
            let why = std::mem::take(&mut app.status);
            effects.extend(undo::undo(app));
            app.status = why;
            return effects;
        }
    }
    app.panes.transcript.choose(Some(if other < segment {
        segment - 1
    } else {
        segment
    }));
    if labels.len() > own {
        let all = labels.join(" and ");
        app.say(format!("merged; labels: {all}"));
    }
    lost_fields::report_lost_fields(app, &extra, "fields lost from the other segment");
    effects
}
