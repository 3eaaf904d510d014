//! Prints turns as the screen shows them: the lines of the transcript, and what other panes of the screen show of a turn.

use std::io::{self, Write as _};
use std::ops::Range;

use super::printer::Printer;
use super::style;
use crate::app::pane::transcript::block::shorten;
use crate::app::pane::transcript::judgements::judgement_line;
use crate::app::pane::transcript::row::MarkedText;
use crate::app::pane::transcript::turn_text::{is_named_whole, margin_and_room};
use crate::app::pane::transcript::{Folding, Transcript};
use crate::app::pane::{Ink, Line, problem_ink, problem_sign, wrapped, wrapped_name};
use crate::dialog::{
    Breakdown, Dialog, Field, Judgement, Segment, StateSlot, Turn, TurnSpans, Vote,
};
use crate::format::{REASONING_FIELD, embedded};
use crate::lint::Diagnostic;
use crate::query::{Hit, Query};
use crate::text::{FOLDED, quoted, width, wrap};

/// A dialog to print.
pub struct PrintedDialog {
    shown: Transcript,
    columns: usize,
    /// Long texts are folded to their first rows, and segments that the marks show are not listed.
    folds: bool,
    /// It is a detector's output, whose turns are those of a log.
    pub is_of_log: bool,
}

impl PrintedDialog {
    /// The `problems` are marked; they are in the order of their turns.
    pub fn new(dialog: Dialog, problems: Vec<Diagnostic>, columns: usize, folds: bool) -> Self {
        let folding = if folds { Folding::Long } else { Folding::Nothing };
        Self {
            shown: Transcript::to_print(dialog, problems, folding),
            columns,
            folds,
            is_of_log: false,
        }
    }

    pub fn dialog(&self) -> &Dialog {
        &self.shown.dialog
    }

    /// True if a turn is in a folded side branch.
    pub fn is_folded(&self, turn: usize) -> bool {
        self.shown.is_hidden(turn)
    }

    /// Marks what a query has found in a turn.
    pub fn mark(&mut self, query: &Query, hits: &[Hit]) {
        self.shown.hits = hits.to_vec();
        self.shown.sought = query.sought();
    }

    /// Prints a turn, with carets under the hits in its text.
    pub fn turn(&self, turn: usize, out: &mut Printer) -> io::Result<()> {
        for line in self.lines(turn) {
            print_line(&line, out)?;
            if line.anchor.is_some() {
                carets(&line, out)?;
            }
        }
        Ok(())
    }

    /// Returns the lines of a turn.
    pub fn lines(&self, turn: usize) -> Vec<Line> {
        let mut lines = self.shown.printed(turn, self.columns);
        lines.extend(self.beside(turn));
        lines
    }

    /// Returns the lines of what the transcript does not show of a turn.
    fn beside(&self, number: usize) -> Vec<Line> {
        let dialog = &self.shown.dialog;
        let turn = &dialog.turns[number];
        let mut lines = Vec::new();
        if let Some(index) = turn.index.filter(|_| self.is_of_log) {
            lines.extend(self.named("turn in the log", &index.to_string()));
        }
        let spans = turn.spans(dialog.units);
        for (number, segment) in turn.segments.iter().enumerate() {
            if !self.folds || is_unlike_its_mark(segment, &spans) {
                lines.extend(self.segment(number, segment, &spans));
            }
            if !self.folds {
                lines.extend(segment.fields.iter().flat_map(|field| self.field(field)));
            }
        }
        if !self.folds {
            if !is_named_whole(&self.shown, number, self.columns) {
                lines.extend(self.named("speaker", &turn.speaker.name));
            }
            lines.extend(self.fields(turn));
        }
        lines.extend(self.comments(turn));
        // What is judged of the dialog as a whole is with its first turn.
        let is_here = |said: &&Judgement| said.place.turn.or(said.at).is_none() && number == 0;
        for said in dialog.judgements.iter().filter(is_here) {
            let head = self.indent().with(Ink::Dim, "dialog  ");
            lines.extend(judgement_line(said, head, self.columns));
        }
        lines.extend(self.problems(Some(number)));
        lines
    }

    /// Returns the lines of what only `--full` prints of a turn.
    fn fields(&self, turn: &Turn) -> Vec<Line> {
        let mut lines = Vec::new();
        for call in &turn.calls {
            let unknown = call.unknown().map(embedded::shown_field);
            lines.extend(unknown.flat_map(|field| self.named(&call.name, &field)));
        }
        if !turn.intents.is_empty() {
            lines.extend(self.named("intents", &turn.intents.join(", ")));
        }
        if let Some(state) = &turn.state {
            let slot = |slot: &StateSlot| format!("{}={}", slot.slot, embedded::shown(&slot.value));
            let slots: Vec<_> = state.iter().map(slot).collect();
            lines.extend(self.named("all slots", &slots.join(", ")));
        }
        // The transcript shows the reasoning of a turn that says nothing else.
        let shown = turn.reasoning().filter(|_| turn.text.is_empty());
        let is_shown =
            |field: &&Field| field.name == REASONING_FIELD && Some(field.content.as_str()) == shown;
        let others = turn.fields.iter().filter(|field| !is_shown(field));
        lines.extend(others.flat_map(|field| self.field(field)));
        lines
    }

    /// Returns the comments of votes, which bars do not show.
    fn comments(&self, turn: &Turn) -> Vec<Line> {
        let commented = turn.votes.iter().filter(|vote| !vote.comment.is_empty());
        let line = |vote: &Vote| {
            let label = vote.breakdown.map_or("?", Breakdown::letter);
            self.named(&format!("{} {label}", vote.annotator), &vote.comment)
        };
        commented.flat_map(line).collect()
    }

    /// Returns the problems of a turn, or of the dialog as a whole.
    fn problems(&self, turn: Option<usize>) -> Vec<Line> {
        let line = |problem: &Diagnostic| {
            let ink = problem_ink(problem.severity);
            let head = self.indent().with(ink, &format!("{} ", problem_sign(problem.severity)));
            let text = format!("{} [{}]", problem.message, problem.rule.name);
            wrapped(head, ink, &text, self.columns)
        };
        self.shown.problems_of(turn).iter().flat_map(line).collect()
    }

    /// Returns the lines of a segment: its number, span, text and labels, and how they do not fit.
    fn segment(&self, number: usize, segment: &Segment, spans: &TurnSpans<'_>) -> Vec<Line> {
        let span = segment.span.map_or_else(|| "no span".to_owned(), |span| span.to_string());
        let covered = segment.span.and_then(|span| spans.covered(span));
        let quote = segment.exact_quote().or(covered.as_deref()).unwrap_or_default();
        let head = self.indent().with(Ink::Dim, &format!("{number:>2} {span:>9}  "));
        let mut lines = wrapped(head, Ink::Plain, &quoted(quote), self.columns);
        let wrong = match &covered {
            None if segment.span.is_some_and(|span| span.start > span.end) => {
                Some("ends before it starts".to_owned())
            }
            None if segment.span.is_some() => Some("reaches beyond the text".to_owned()),
            Some(covered) if quote != covered.as_str() => {
                Some(format!("the span covers {}", quoted(covered)))
            }
            _ => None,
        };
        let labels = segment.labels.iter();
        let labels =
            labels.map(|label| (self.shown.label_ink(&label.name), label.name.to_string()));
        for (ink, text) in labels.chain(wrong.map(|wrong| (Ink::Error, wrong))) {
            match lines.last_mut() {
                Some(last) if last.width() + 2 + width(&text) <= self.columns => {
                    last.push(ink, &format!("  {text}"));
                }
                _ => {
                    let under = self.indent().with(Ink::Plain, &" ".repeat(5));
                    lines.extend(wrapped_name(under, ink, &text, self.columns));
                }
            }
        }
        lines
    }

    fn field(&self, field: &Field) -> Vec<Line> {
        match embedded::shown(&field.content) {
            text if text.is_empty() => Vec::new(),
            text => self.named(&field.name, &text),
        }
    }

    fn indent(&self) -> Line {
        let mut line = Line::new();
        line.fill(margin_and_room(&self.shown, self.columns).0);
        line
    }

    /// Returns a named text under a turn.
    fn named(&self, name: &str, text: &str) -> Vec<Line> {
        self.folded(self.indent().with(Ink::Dim, &format!("{name}  ")), text)
    }

    /// Returns a text behind `head`, of which the first rows are shown if it is long.
    fn folded(&self, head: Line, text: &str) -> Vec<Line> {
        let mut lines = wrapped(head, Ink::Plain, text, self.columns);
        if self.folds {
            shorten(&mut lines, FOLDED, text.len(), self.columns);
        }
        lines
    }

    /// Returns the lines of what belongs to the dialog as a whole: its `wanted` fields, what is not read, the `context`
    /// that it is about, and its problems.
    pub fn head(&self, wanted: impl Fn(&&Field) -> bool, context: Option<&str>) -> Vec<Line> {
        let dialog = &self.shown.dialog;
        let fields = dialog.fields.iter().filter(wanted);
        let mut said: Vec<_> =
            fields.map(|field| (field.name.as_str(), embedded::shown(&field.content))).collect();
        said.push(("not read", dialog.unread.names()));
        said.push(("context", context.unwrap_or_default().trim_end().to_owned()));
        let filled = said.iter().filter(|(_, text)| !text.is_empty());
        let lines = filled
            .flat_map(|(name, text)| self.folded(Line::of(Ink::Dim, &format!("  {name}  ")), text));
        lines.chain(self.problems(None)).collect()
    }

    /// Prints a text about a turn that was found, with carets under the hit: behind `head`, the text around a hit in
    /// another text than the turn's own, or the values of variables.
    pub fn excerpt(
        &self,
        head: &str,
        excerpt: &str,
        hit: Range<usize>,
        out: &mut Printer,
    ) -> io::Result<()> {
        let mut line = self.indent().with(Ink::Dim, &format!("{head}  "));
        let margin = line.width();
        let marked = MarkedText { text: excerpt, hits: &[hit], ..MarkedText::default() };
        for row in wrap(excerpt, self.columns.saturating_sub(margin).max(20)) {
            line.fill(margin);
            line.runs.extend(marked.row(&row, usize::MAX));
            print_line(&line, out)?;
            carets(&line, out)?;
            line = Line::new();
        }
        Ok(())
    }
}

/// True if a turn has fields that only `--full` prints.
pub fn has_fields(turn: &Turn) -> bool {
    let is_filled = |field: &Field| !field.content.as_str().is_empty();
    !turn.intents.is_empty()
        || turn.fields.iter().any(is_filled)
        || turn.segments.iter().any(|segment| segment.fields.iter().any(is_filled))
        || turn.calls.iter().any(|call| call.unknown().next().is_some())
}

/// True for a segment that the mark under the text does not show as it is.
fn is_unlike_its_mark(segment: &Segment, spans: &TurnSpans<'_>) -> bool {
    let covered = segment.span.and_then(|span| spans.covered(span));
    covered.is_none_or(|covered| {
        covered.is_empty() || segment.exact_quote().is_some_and(|quote| *quote != *covered)
    })
}

/// Prints carets under the hits in a line, if there are any.
fn carets(line: &Line, out: &mut Printer) -> io::Result<()> {
    let mut carets = String::new();
    for run in &line.runs {
        carets.push_str(&(if run.hit { "^" } else { " " }).repeat(width(&run.text)));
    }
    match carets.trim_end() {
        "" => Ok(()),
        carets => print_line(&Line::of(Ink::Strong, carets), out),
    }
}

/// Prints a line of the screen in the few styles of printed output.
pub fn print_line(line: &Line, out: &mut Printer) -> io::Result<()> {
    // Rows of a text end with a space, and so does a turn without text.
    let mut left = line.text().trim_end_matches(' ').len();
    for run in &line.runs {
        let kept = run.text.len().min(left);
        left -= kept;
        if kept > 0 {
            let style = out.style(style::of(run.ink));
            write!(out, "{style}{}{style:#}", &run.text[..kept])?;
        }
    }
    writeln!(out)
}
