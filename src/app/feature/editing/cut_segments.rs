//! The question about segments that a turn's new text cuts: shrink or remove them?

use crate::app::core::{Answer, App, Question};
use crate::app::feature::editing::turn_text;
use crate::app::pane::{Ink, Line, elided, wrapped};
use crate::dialog::{LostSegments, Short, Span};
use crate::text::{Units, counted, slice};

/// Columns before the label of a segment that a new text cuts.
const LABEL: usize = 4;

/// The new text of a turn cuts segments: shrink or remove them, or go on typing?
#[derive(Debug)]
struct CutSegments {
    text: String,
    lost: LostSegments,
    lines: Vec<Line>,
}

impl Question for CutSegments {
    fn text(&self, _: &App) -> String {
        let count = counted(self.lost.all().len(), "segment");
        format!("the new text cuts {count}")
    }

    fn answers(&self, _: &App) -> Vec<(Answer, &'static str)> {
        let cut = match (self.lost.left.len(), self.lost.all().len()) {
            (0, 1) => "remove it",
            (0, _) => "remove them",
            (1, 1) => "shrink it",
            (left, all) if left == all => "shrink them",
            _ => "shrink or remove them",
        };
        vec![(Answer::Yes, cut), (Answer::No, "go on typing"), (Answer::Later, "keep the old text")]
    }

    fn answer(self: Box<Self>, app: &mut App, answer: Answer) {
        match answer {
            Answer::Yes => turn_text::set_text(app, &self.text, Some(&self.lost)),
            Answer::No => app.ask(turn_text::prompt(), &self.text),
            _ => {}
        }
    }

    /// Keeps the typed text.
    fn safe_answer(&self) -> Answer {
        Answer::No
    }

    fn lines(&self) -> &[Line] {
        &self.lines
    }
}

/// Asks what becomes of the segments in `lost`, which the new text cuts.
pub fn ask_to_cut(app: &mut App, text: String, lost: LostSegments) {
    let lines = cut_lines(app, &text, &lost);
    app.ask_now(CutSegments { text, lost, lines });
}

/// Returns the effects of a new text on the segments that it cuts, a line or two for each.
fn cut_lines(app: &App, text: &str, lost: &LostSegments) -> Vec<Line> {
    let (columns, units) = (app.panes.window_columns(), app.panes.transcript.dialog.units);
    let Some(turn) = app.panes.transcript.current() else {
        return Vec::new();
    };
    let covered = |span: Span| match units {
        Units::CodePoints => {
            slice(text, span.start as usize, span.end as usize).unwrap_or_default().to_owned()
        }
        Units::Tokens(splitting) => {
            let tokens = splitting.tokens(text);
            tokens.get(span.range()).unwrap_or_default().join(" ")
        }
    };
    let line = |position: usize| {
        let segment = &turn.segments[position];
        let mut labels: Vec<_> = segment.labels.iter().map(|l| l.name.as_str()).collect();
        // Two annotators often give the same label.
        labels.dedup();
        let labels = labels.join(" + ");
        let quote = segment.span.and_then(|span| turn.covered(span, units));
        let quote = quote.or_else(|| segment.exact_quote().map(Short::from)).unwrap_or_default();
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
        let ink = app.panes.transcript.segment_ink(&turn.segments[position]);
        lines.push(line.with(ink, &label));
        lines
    };
    lost.all().into_iter().flat_map(line).collect()
}
