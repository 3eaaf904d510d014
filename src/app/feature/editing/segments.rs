//! Span editing: a caret in the text of the current turn, a selection, and the segment's edges.
//!
//! Offsets are in the dialog's own units. For code points, the caret is between graphemes; for
//! tokens, before a token.

use crate::app::core::App;
use crate::app::input::Command;
use crate::app::pane::Caret;
use crate::app::pane::caret::stepped;
use crate::dialog::{Edit, Segment, Span, Turn};
use crate::text::{Direction, Motion, SpanEdge};

/// The most steps that a number before a key makes.
pub const MOST_STEPS: usize = 1000;

/// Starts span mode: at the end of the current segment if there is one, or with the hit of the search selected.
pub fn enter_span(app: &mut App) {
    let shown = &app.panes.transcript;
    let units = shown.dialog.units;
    let length = shown.current().map_or(0, |turn| turn.length(units)) as u32;
    let segment = shown.current_segment().and_then(|segment| segment.span);
    let hit = shown.current_hit().zip(shown.current());
    let hit = hit.and_then(|(hit, turn)| turn.places(units).span_around(&hit.bytes));
    let caret = match (segment, hit) {
        (Some(span), _) => Caret { at: span.end.min(length), anchor: None },
        (None, Some(hit)) => Caret { at: hit.end, anchor: Some(hit.start) },
        (None, None) => Caret::default(),
    };
    app.panes.transcript.set_caret(Some(caret));
    if caret.selection().is_some() {
        choose_at_caret(app);
    }
}

/// Puts the caret at the start of the current segment.
pub fn caret_to_segment(app: &mut App) {
    let segment = app.panes.transcript.current_segment();
    if let Some(span) = segment.and_then(|segment| segment.span) {
        let (at, anchor) = (span.start, None);
        app.panes.transcript.set_caret(Some(Caret { at, anchor }));
    }
}

/// Selects the segment around the caret, or around the selection: the shortest one. A segment that is selected
/// already and is there, too, stays selected.
fn choose_at_caret(app: &mut App) {
    let shown = &app.panes.transcript;
    let (Some(caret), Some(turn)) = (shown.caret, shown.current()) else {
        return;
    };
    let here = caret.selection().unwrap_or(Span { start: caret.at, end: caret.at });
    let current = shown.current_segment().and_then(|segment| segment.span);
    if current.is_some_and(|span| span.start <= here.start && here.end <= span.end) {
        return;
    }
    if let Some(number) = turn.shortest_around(here) {
        app.panes.transcript.choose(Some(number));
    }
}

/// Moves the caret by `count` steps; while selecting, extends the selection.
pub fn move_caret(app: &mut App, count: Option<usize>, step: Motion, direction: Direction) {
    let select = app.panes.transcript.selecting;
    for _ in 0..count.unwrap_or(1).min(MOST_STEPS) {
        step_caret(app, step, direction, select);
    }
    if !select {
        choose_at_caret(app);
    }
}

/// Moves the caret by `count` steps and extends the selection, or starts one.
pub fn select(app: &mut App, count: Option<usize>, step: Motion, direction: Direction) {
    for _ in 0..count.unwrap_or(1).min(MOST_STEPS) {
        step_caret(app, step, direction, true);
    }
}

fn step_caret(app: &mut App, step: Motion, direction: Direction, select: bool) {
    let units = app.panes.transcript.dialog.units;
    let (Some(caret), Some(turn)) = (app.panes.transcript.caret, app.panes.transcript.current())
    else {
        return;
    };
    let at = match (caret.selection(), select, step) {
        // Moving without `select` goes to the end of the selection, as in other editors.
        (Some(span), false, Motion::Grapheme) => {
            if direction.is_forward() {
                span.end
            } else {
                span.start
            }
        }
        _ => stepped(turn, units, caret.at, step, direction),
    };
    let anchor = if select { caret.anchor.or(Some(caret.at)) } else { None };
    app.panes.transcript.set_caret(Some(Caret { at, anchor }));
}

/// Moves an edge of the current segment.
pub fn move_edge(app: &mut App, edge: SpanEdge, step: Motion, direction: Direction) {
    let t = &app.panes.transcript;
    let Some((turn, number, span)) = current_span(app) else {
        say_no_segment(app);
        return;
    };
    let from = match edge {
        SpanEdge::Start => span.start,
        SpanEdge::End => span.end,
    };
    let to = stepped(turn, t.dialog.units, from, step, direction);
    let length = turn.length(t.dialog.units) as u32;
    let moved = match edge {
        SpanEdge::Start => Span { start: to, ..span },
        SpanEdge::End => Span { end: to, ..span },
    };
    let is_by_words = matches!(step, Motion::WordStart | Motion::WordEnd);
    let refused = if to == from {
        Some(the_end(step, direction).to_owned())
    } else if moved.start >= moved.end {
        let (unit, delete) = (t.dialog.units.one(), app.key(Command::DeleteSegment));
        Some(format!("a segment must cover at least one {unit}; {delete} deletes it"))
    } else if is_by_words && meets_another(turn, number, span, moved) {
        let steps = match edge {
            SpanEdge::Start => Command::StartLeft,
            SpanEdge::End => Command::EndRight,
        };
        let [steps, merge] = [steps, Command::MergeSegments].map(|command| app.key(command));
        Some(format!("another segment is in the way; {steps} overlaps it, {merge} merges the two"))
    } else {
        None
    };
    if let Some(why) = refused {
        app.say(why);
        return;
    }
    // The other edge may be outside the text; this corrects it too.
    let edit = Edit::SetSpan {
        turn: t.turn,
        segment: number,
        start: moved.start.min(length),
        end: moved.end.min(length),
    };
    if !app.nudge(&edit, edge, from, to) {
        return;
    }
    let t = &mut app.panes.transcript;
    if t.caret.is_some() {
        t.set_caret(Some(Caret { at: to, anchor: None }));
    }
    let turn = t.current();
    let covered = turn.and_then(|turn| turn.covered(moved, t.dialog.units));
    app.say(format!("{moved} \"{}\"", covered.unwrap_or_default()));
}

/// Returns what is at the place from which no step leads on.
fn the_end(step: Motion, direction: Direction) -> &'static str {
    match (step, direction.is_forward()) {
        (Motion::WordStart | Motion::WordEnd, true) => "that is the last word",
        (Motion::WordStart | Motion::WordEnd, false) => "that is the first word",
        (_, true) => "that is the end of the turn",
        (_, false) => "that is the beginning of the turn",
    }
}

/// True if a segment that changes from `span` to `moved` reaches another one, or begins to cross one that
/// it contained. A segment by a different annotator does not count.
pub fn meets_another(turn: &Turn, segment: usize, span: Span, moved: Span) -> bool {
    let annotator = &turn.segments[segment].annotator;
    let mut others = turn.segments.iter().enumerate();
    others.any(|(position, other)| {
        let known = annotator.is_some() && other.annotator.is_some();
        let counts = position != segment && !(known && *annotator != other.annotator);
        let spoils = |other: Span| {
            (meets(moved, other) && !meets(span, other))
                || (crosses(moved, other) && !crosses(span, other))
        };
        counts && other.span.is_some_and(spoils)
    })
}

pub fn meets(a: Span, b: Span) -> bool {
    a.start < b.end && b.start < a.end
}

/// True if two spans overlap and neither contains the other.
pub fn crosses(a: Span, b: Span) -> bool {
    let contains = |a: Span, b: Span| a.start <= b.start && b.end <= a.end;
    meets(a, b) && !contains(a, b) && !contains(b, a)
}

/// Resizes the current segment to the selection.
pub fn move_segment(app: &mut App) {
    let (Some(segment), Some(span)) =
        (app.panes.transcript.segment, app.panes.transcript.caret.and_then(Caret::selection))
    else {
        app.say("select a segment, and the text it should cover");
        return;
    };
    let turn = app.panes.transcript.turn;
    let edit = Edit::SetSpan { turn, segment, start: span.start, end: span.end };
    app.edit(&edit, edit.title());
}

/// Returns the current turn, the position of the current segment, and its span.
pub fn current_span(app: &App) -> Option<(&Turn, usize, Span)> {
    let shown = &app.panes.transcript;
    let span = shown.current_segment()?.span?;
    Some((shown.current()?, shown.segment?, span))
}

/// Asks the user to select a segment.
pub fn say_no_segment(app: &mut App) {
    let next = app.key(Command::SegmentNext);
    app.say(format!("select a segment first ({next})"));
}

/// Removes the current segment.
pub fn delete_segment(app: &mut App) {
    let (turn, Some(segment)) = (app.panes.transcript.turn, app.panes.transcript.segment) else {
        say_no_segment(app);
        return;
    };
    let edit = Edit::RemoveSegment { turn, segment };
    let made = app.edit(&edit, edit.title());
    if made {
        let count = app.panes.transcript.current().map_or(0, |turn| turn.segments.len());
        app.panes.transcript.choose(count.checked_sub(1).map(|last| segment.min(last)));
        let undo = app.key(Command::Undo);
        app.say(format!("deleted; {undo} undoes"));
    }
}

/// Sets the labels of the current segment.
pub fn relabel(app: &mut App, labels: Vec<String>) {
    let (turn, Some(segment)) = (app.panes.transcript.turn, app.panes.transcript.segment) else {
        say_no_segment(app);
        return;
    };
    let edit = Edit::SetLabels { turn, segment, labels };
    app.edit(&edit, edit.title());
}

/// True if the dialog has the text of this span of the current turn once more.
fn occurs_elsewhere(app: &App, span: Span) -> bool {
    let t = &app.panes.transcript;
    let text = t.current().and_then(|turn| turn.covered(span, t.dialog.units));
    let Some(text) = text.map(|text| text.trim().to_lowercase()).filter(|text| !text.is_empty())
    else {
        return false;
    };
    let said = t.dialog.turns.iter().map(|turn| turn.text.to_lowercase());
    said.map(|said| said.matches(&text).count()).sum::<usize>() > 1
}

/// Adds a segment on the selection.
pub fn add_segment(app: &mut App, label: &str) {
    let Some(span) = app.panes.transcript.caret.and_then(Caret::selection) else {
        let [left, right] =
            [Command::SelectLeft, Command::SelectRight].map(|command| app.key(command));
        app.say(format!("select what the segment should cover ({left}, {right})"));
        return;
    };
    let turn = app.panes.transcript.turn;
    let labels = vec![label.to_owned()];
    let has_others = occurs_elsewhere(app, span);
    let edit = Edit::AddSegment { turn, start: span.start, end: span.end, labels };
    let title = edit.title();
    if app.edit(&edit, title.clone()) {
        if has_others {
            let key = app.key(Command::LabelAlike);
            app.say(format!("{title} · {key} labels other mentions"));
        }
        let turn = app.panes.transcript.current();
        let is_new = |segment: &Segment| segment.span == Some(span);
        let new = turn.and_then(|turn| turn.segments.iter().rposition(is_new));
        app.panes.transcript.choose(new);
        app.panes.transcript.set_caret(Some(Caret { at: span.end, anchor: None }));
    }
}
