//! Splitting a segment, and merging it with the next one.

use crate::app::core::App;
use crate::app::feature::editing::lost_fields::ANNOTATOR;
use crate::app::feature::editing::segments::{crosses, meets};
use crate::app::feature::editing::{lost_fields, segments};
use crate::dialog::{Edit, Segment, Span, Turn};
use crate::text::{SpanEdge, Units, byte_of, count, inside_word};

/// Returns the parts of a segment before and after `at`, without the spaces and the punctuation between
/// them.
fn parts(turn: &Turn, units: Units, span: Span, at: u32) -> [Span; 2] {
    if units.is_tokens() {
        return [Span { end: at, ..span }, Span { start: at, ..span }];
    }
    let [start, middle, end] = [span.start, at, span.end]
        .map(|at| byte_of(&turn.text, at as usize).unwrap_or(turn.text.len()));
    let is_between = |c: char| c.is_whitespace() || ",;:.!?…-–—/&".contains(c);
    let (mut first_end, mut second_start) = (middle, middle);
    while let Some(last) = turn.text[start..first_end].chars().next_back()
        && is_between(last)
        && !inside_word(&turn.text, first_end - last.len_utf8(), SpanEdge::End)
    {
        first_end -= last.len_utf8();
    }
    while let Some(first) = turn.text[second_start..end].chars().next()
        && is_between(first)
        && !inside_word(&turn.text, second_start, SpanEdge::Start)
    {
        second_start += first.len_utf8();
    }
    let left = count(&turn.text[first_end..middle]) as u32;
    let right = count(&turn.text[middle..second_start]) as u32;
    [Span { end: at - left, ..span }, Span { start: at + right, ..span }]
}

/// Splits the current segment at the caret.
pub fn split_segment(app: &mut App) {
    let t = &app.panes.transcript;
    let (Some(caret), Some(segment), Some(span)) =
        (app.panes.transcript.caret, t.segment, t.current_segment().and_then(|s| s.span))
    else {
        app.say("select a segment, and put the caret where you want to split it");
        return;
    };
    if caret.at <= span.start || caret.at >= span.end {
        app.say("the caret is not inside the segment");
        return;
    }
    let labels = t.current_labels();
    let Some(turn) = t.current() else {
        return;
    };
    let [before, after] = parts(turn, t.dialog.units, span, caret.at);
    if before.start == before.end || after.start == after.end {
        app.say("one of the parts would have no words");
        return;
    }
    let cuts = |part| segments::meets_another(turn, segment, span, part);
    if cuts(before) || cuts(after) {
        app.say("another segment crosses the caret; delete it first");
        return;
    }
    let turn = t.turn;
    let first = Edit::SetSpan { turn, segment, start: before.start, end: before.end };
    let second = Edit::AddSegment { turn, start: after.start, end: after.end, labels };
    let title = format!("split segment {segment} of turn {turn} at {}", caret.at);
    if app.edit_as_one(&[first, second], title) {
        let extra = lost_fields::extra_fields(app, segment);
        lost_fields::report_lost_fields(app, &extra, "the new segment lacks");
    }
}

/// Merges the current segment with the next one.
pub fn merge_segments(app: &mut App) {
    let t = &app.panes.transcript;
    let Some((turn, segment, span)) = segments::current_span(app) else {
        segments::say_no_segment(app);
        return;
    };
    let after = |(_, other): &(usize, Span)| (other.start, other.end) > (span.start, span.end);
    let others = turn.segments.iter().enumerate().filter(|(i, _)| *i != segment);
    let next = others
        .filter_map(|(i, s)| Some((i, s.span?)))
        .filter(after)
        .min_by_key(|(_, other)| other.start);
    let Some((other, with)) = next else {
        app.say("no segment follows in this turn");
        return;
    };
    let mut labels = turn.segments[segment].label_names();
    let own = labels.len();
    for name in turn.segments[other].label_names() {
        if !labels.contains(&name) {
            labels.push(name);
        }
    }
    let (start, end) = (span.start, span.end.max(with.end));
    let spoils = |third: &Segment| {
        let merged = Span { start, end };
        let shared = third.labels.iter().any(|label| labels.contains(&label.name.to_string()));
        third.span.is_some_and(|third| {
            let met = meets(third, span) || meets(third, with);
            let crossed = crosses(third, span) || crosses(third, with);
            (meets(third, merged) && (!met || shared)) || (crosses(third, merged) && !crossed)
        })
    };
    let mut all = turn.segments.iter().enumerate();
    if all.any(|(i, third)| i != segment && i != other && spoils(third)) {
        app.say("a third segment is in the way; delete it first");
        return;
    }
    let mut extra = lost_fields::extra_fields(app, other);
    if turn.segments[segment].annotator == turn.segments[other].annotator {
        extra.retain(|name| name != ANNOTATOR);
    }
    let turn = t.turn;
    let mut edits = vec![Edit::SetSpan { turn, segment, start, end }];
    if labels.len() > own {
        edits.push(Edit::SetLabels { turn, segment, labels: labels.clone() });
    }
    edits.push(Edit::RemoveSegment { turn, segment: other });
    let title = format!("merged segments {segment} and {other} of turn {turn}");
    if !app.edit_as_one(&edits, title) {
        return;
    }
    app.panes.transcript.choose(Some(if other < segment { segment - 1 } else { segment }));
    if labels.len() > own {
        let all = labels.join(" and ");
        app.say(format!("merged; labels: {all}"));
    }
    lost_fields::report_lost_fields(app, &extra, "fields lost from the other segment");
}
