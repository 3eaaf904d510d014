//! Span editing: a caret in the text of the current turn, a selection, and the segment's edges.
//!
//! Offsets are in the dialog's own units. For code points, the caret is between graphemes; for
//! tokens, before a token.

use super::lost_fields::ANNOTATOR;
use super::{App, Effect, command};
use crate::dialog::{Edit, Span, Turn};
use crate::text::{Motion, Units, boundary};
use crate::workspace::SegmentEdge;

/// A caret in the current turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caret {
    pub at: u32,
    /// The other end of the selection.
    pub anchor: Option<u32>,
}

impl Caret {
    /// Returns the selection, if any.
    pub fn selection(self) -> Option<Span> {
        let anchor = self.anchor.filter(|anchor| *anchor != self.at)?;
        let (start, end) = (anchor.min(self.at), anchor.max(self.at));
        Some(Span { start, end })
    }
}

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

impl App {
    /// Starts span mode, at the current segment if there is one.
    pub(super) fn enter_span(&mut self) -> Vec<Effect> {
        let span = self
            .panes
            .transcript
            .current_segment()
            .and_then(|segment| segment.span);
        let length = self
            .panes
            .transcript
            .current()
            .map_or(0, |turn| turn.length(self.panes.transcript.dialog.units));
        let at = span.map_or(0, |span| span.end.min(length as u32));
        self.set_caret(Some(Caret { at, anchor: None }));
        Vec::new()
    }

    pub(super) fn set_caret(&mut self, caret: Option<Caret>) {
        if caret.is_none_or(|caret| caret.anchor.is_none()) {
            self.panes.transcript.selecting = false;
        }
        self.panes.transcript.caret = caret;
    }

    /// Moves the caret; with `select` it extends or starts a selection.
    pub(super) fn move_caret(&mut self, step: Motion, forward: bool, select: bool) -> Vec<Effect> {
        let units = self.panes.transcript.dialog.units;
        let select = select || self.panes.transcript.selecting;
        let (Some(caret), Some(turn)) =
            (self.panes.transcript.caret, self.panes.transcript.current())
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
        self.set_caret(Some(Caret { at, anchor }));
        Vec::new()
    }

    /// Moves an edge of the current segment.
    pub(super) fn move_edge(
        &mut self,
        edge: SegmentEdge,
        step: Motion,
        forward: bool,
    ) -> Vec<Effect> {
        let t = &self.panes.transcript;
        let Some((turn, number, span)) = self.current_span() else {
            self.say_no_segment();
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
            self.say("that is the end of the turn");
            return Vec::new();
        }
        if moved.start >= moved.end {
            let delete = self.input.keymap.shown(&command::DELETE_SEGMENT);
            self.say(format!(
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
        let (made, effects) = self.nudge(&edit, edge, (from, to));
        if made {
            if self.panes.transcript.caret.is_some() {
                self.set_caret(Some(Caret {
                    at: to,
                    anchor: None,
                }));
            }
            let covered = self
                .panes
                .transcript
                .current()
                .and_then(|turn| turn.covered(moved, self.panes.transcript.dialog.units));
            self.say(format!("{moved} \"{}\"", covered.unwrap_or_default()));
        }
        effects
    }

    /// Resizes the current segment to the selection.
    pub(super) fn move_segment(&mut self) -> Vec<Effect> {
        let (Some(segment), Some(span)) = (
            self.panes.transcript.segment,
            self.panes.transcript.caret.and_then(Caret::selection),
        ) else {
            self.say("select a segment, and the text it should cover");
            return Vec::new();
        };
        let turn = self.panes.transcript.turn;
        let edit = Edit::SetSpan {
            turn,
            segment,
            start: span.start,
            end: span.end,
        };
        self.edit(
            &edit,
            format!("segment {segment} of turn {turn} set to {span}"),
        )
        .1
    }

    /// Returns the current turn, the position of the current segment, and its span.
    fn current_span(&self) -> Option<(&Turn, usize, Span)> {
        let shown = &self.panes.transcript;
        let span = shown.current_segment()?.span?;
        Some((shown.current()?, shown.segment?, span))
    }

    /// Asks the user to select a segment.
    fn say_no_segment(&mut self) {
        let next = self.input.keymap.shown(&command::SEGMENT_NEXT);
        self.say(format!("select a segment first ({next})"));
    }

    /// Removes the current segment.
    pub(super) fn delete_segment(&mut self) -> Vec<Effect> {
        let (turn, Some(segment)) = (self.panes.transcript.turn, self.panes.transcript.segment)
        else {
            self.say_no_segment();
            return Vec::new();
        };
        let edit = Edit::RemoveSegment { turn, segment };
        let (made, effects) = self.edit(&edit, format!("segment {segment} of turn {turn} deleted"));
        if made {
            let count = self
                .panes
                .transcript
                .current()
                .map_or(0, |turn| turn.segments.len());
            self.panes
                .transcript
                .choose(count.checked_sub(1).map(|last| segment.min(last)));
            let undo = self.input.keymap.shown(&command::UNDO);
            self.say(format!("deleted; {undo} undoes"));
        }
        effects
    }

    /// Sets the labels of the current segment.
    pub(super) fn relabel(&mut self, labels: Vec<String>) -> Vec<Effect> {
        let (turn, Some(segment)) = (self.panes.transcript.turn, self.panes.transcript.segment)
        else {
            self.say_no_segment();
            return Vec::new();
        };
        let title = format!("label {} in turn {turn}", labels.join(" + "));
        let edit = Edit::SetLabels {
            turn,
            segment,
            labels,
        };
        self.edit(&edit, title).1
    }

    /// Adds a segment on the selection.
    pub(super) fn add_segment(&mut self, label: &str) -> Vec<Effect> {
        let Some(span) = self.panes.transcript.caret.and_then(Caret::selection) else {
            let [left, right] = [&command::SELECT_LEFT, &command::SELECT_RIGHT]
                .map(|select| self.input.keymap.shown(select));
            self.say(format!(
                "select what the segment should cover ({left}, {right})"
            ));
            return Vec::new();
        };
        let turn = self.panes.transcript.turn;
        let labels = vec![label.to_owned()];
        let edit = Edit::AddSegment {
            turn,
            start: span.start,
            end: span.end,
            labels,
        };
        let (made, effects) = self.edit(
            &edit,
            format!("segment {span} {label} added in turn {turn}"),
        );
        if made {
            let last = self
                .panes
                .transcript
                .current()
                .map_or(0, |turn| turn.segments.len());
            self.panes.transcript.choose(last.checked_sub(1));
            self.set_caret(Some(Caret {
                at: span.end,
                anchor: None,
            }));
        }
        effects
    }

    /// Splits the current segment at the caret.
    pub(super) fn split_segment(&mut self) -> Vec<Effect> {
        let t = &self.panes.transcript;
        let (Some(caret), Some(segment), Some(span)) = (
            self.panes.transcript.caret,
            t.segment,
            t.current_segment().and_then(|s| s.span),
        ) else {
            self.say("select a segment, and put the caret where to split it");
            return Vec::new();
        };
        if caret.at <= span.start || caret.at >= span.end {
            self.say("the caret is not inside the segment");
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
        let (made, mut effects) = self.edit(
            &first,
            format!("segment {segment} of turn {turn} cut at {}", caret.at),
        );
        if made {
            let title = format!("its rest added in turn {turn}");
            let (made, joined) = self.edit_joined(&second, title);
            effects.extend(joined);
            if made {
                let extra = self.extra_fields(segment);
                self.report_lost_fields(&extra, "the new segment lacks");
            }
        }
        effects
    }

    /// Merges the current segment with the next one.
    pub(super) fn merge_segments(&mut self) -> Vec<Effect> {
        let t = &self.panes.transcript;
        let Some((turn, segment, span)) = self.current_span() else {
            self.say_no_segment();
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
            self.say("no segment follows in this turn");
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
        let mut extra = self.extra_fields(other);
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
        let (made, mut effects) = self.edit(
            &widened,
            format!("segments {segment} and {other} of turn {turn} merged"),
        );
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
            rest.push((
                labelled,
                format!("label {} in turn {turn}", labels.join(" + ")),
            ));
        }
        let removed = Edit::RemoveSegment {
            turn,
            segment: other,
        };
        rest.push((removed, format!("segment {other} of turn {turn} deleted")));
        for (edit, title) in rest {
            let (made, joined) = self.edit_joined(&edit, title);
            effects.extend(joined);
            if !made {
                // Half a merge would lose a label: undo it all, and keep the reason on the status
                // line.
                let why = std::mem::take(&mut self.status);
                effects.extend(self.undo());
                self.status = why;
                return effects;
            }
        }
        self.panes.transcript.choose(Some(if other < segment {
            segment - 1
        } else {
            segment
        }));
        if labels.len() > own {
            let all = labels.join(" and ");
            self.say(format!("merged; labels: {all}"));
        }
        self.report_lost_fields(&extra, "fields lost from the other segment");
        effects
    }
}
