//! Changing the text of a turn, and asking first if the new text cuts segments.

use super::line::{Ink, Line, elided, label_ink, wrapped};
use super::{App, Effect, Overlay, Question, QuestionDetails};
use crate::dialog::{Edit, EditError, LostSegments, Span};
use crate::text::{Units, slice};

/// Columns before the label of a segment that a new text cuts.
const LABEL: usize = 4;

impl App {
    /// Sets the text of the current turn; asks first if that cuts segments.
    pub(super) fn change_text(&mut self, text: String) -> Vec<Effect> {
        let Some(turn) = self.transcript.current() else {
            return Vec::new();
        };
        if turn.text == text {
            self.say("no change");
            return Vec::new();
        }
        let edit = Edit::SetText {
            turn: self.transcript.turn,
            text: text.clone(),
            drop: false,
            shrink: false,
        };
        if let Err(EditError::CutsSegments(lost)) = edit.apply(&self.transcript.dialog) {
            let lines = self.cut_lines(&text, &lost);
            let shown = QuestionDetails { lines, top: 0 };
            self.overlay = Some(Overlay::Question(Question::Cut { text, lost, shown }));
            return Vec::new();
        }
        self.set_text(text, None)
    }

    /// Returns the effects of a new text on the segments that it cuts, a line or two for each.
    fn cut_lines(&self, text: &str, lost: &LostSegments) -> Vec<Line> {
        let (columns, units) = (self.window_columns(), self.transcript.dialog.units);
        let Some(turn) = self.transcript.current() else {
            return Vec::new();
        };
        let tokens: Vec<_> = text.split_whitespace().collect();
        let covered = |span: Span| match units {
            Units::CodePoints => slice(text, span.start as usize, span.end as usize)
                .unwrap_or_default()
                .to_owned(),
            Units::Tokens => tokens.get(span.range()).unwrap_or_default().join(" "),
        };
        let line = |position: usize| {
            let segment = &turn.segments[position];
            let mut labels: Vec<_> = segment.labels.iter().map(|l| l.name.as_str()).collect();
            // Two annotators often give the same label.
            labels.dedup();
            let labels = labels.join(" + ");
            let quote = segment.span.and_then(|span| turn.covered(span, units));
            let quote = quote.or_else(|| segment.quote.clone()).unwrap_or_default();
            let becomes = match lost.left_of(position) {
                Some(left) => format!("shrinks to \"{}\"", covered(left)),
                None if lost.unplaced.contains(&position) => {
                    "is removed: its edges cannot be read".to_owned()
                }
                None => "is removed".to_owned(),
            };
            let head = Line::of(Ink::Plain, "  ");
            let change = format!("\"{quote}\" {becomes}");
            let mut lines = wrapped(head, Ink::Plain, &change, columns);
            let label = elided(&labels, columns.saturating_sub(LABEL));
            let line = Line::of(Ink::Plain, &" ".repeat(LABEL));
            lines.push(line.with(label_ink(&labels), &label));
            lines
        };
        lost.all().into_iter().flat_map(line).collect()
    }

    /// Sets the text of the current turn without asking. Of the segments in `lost`, those with
    /// something left shrink and the others are removed.
    pub(super) fn set_text(&mut self, text: String, lost: Option<&LostSegments>) -> Vec<Effect> {
        let turn = self.transcript.turn;
        let edit = Edit::SetText {
            turn,
            text,
            drop: lost.is_some_and(|lost| lost.left.len() < lost.all().len()),
            shrink: lost.is_some_and(|lost| !lost.left.is_empty()),
        };
        let (made, effects) = self.edit(&edit, format!("text of turn {turn}"));
        if made {
            self.transcript.choose(None);
        }
        effects
    }
}
