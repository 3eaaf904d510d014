//! `spacy`: JSON Lines of texts with spans and tokens, as Prodigy reads them and spaCy's `Doc` is built.
//!
//! Tokens end where spans end, so that every span covers whole tokens.

use std::collections::HashSet;
use std::io::{self, Write};
use std::ops::Range;

use serde::Serialize;

use super::export_format::{ExportFormat, ExportSubject, ExportedDialog, Output};
use super::left_out::LeftOut;
use super::place::TurnPlace;
use super::spans::labelled_turns;
use super::tokens::{covered, tokens};
use crate::json::output;
use crate::text::CodePoints;

pub const FORMAT: ExportFormat = ExportFormat {
    name: "spacy",
    writes: "texts with spans and tokens, one turn per line, for spaCy and Prodigy",
    needs_problems: false,
    of: ExportSubject::Dialogs,
    output: Output::Lines("spans.jsonl", write),
};

#[derive(Serialize)]
struct Line<'a> {
    text: &'a str,
    spans: Vec<Span<'a>>,
    tokens: Vec<Token<'a>>,
    meta: TurnPlace<'a>,
}

#[derive(Serialize)]
struct Span<'a> {
    start: usize,
    end: usize,
    label: &'a str,
    token_start: usize,
    /// The last token itself.
    token_end: usize,
    segment: usize,
}

#[derive(Serialize)]
struct Token<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    id: usize,
    /// True if a space follows.
    ws: bool,
}

fn write(
    dialog: &ExportedDialog<'_>,
    out: &mut dyn Write,
    left_out: &mut LeftOut,
) -> io::Result<()> {
    for (number, turn, spans) in labelled_turns(dialog, str::is_empty, left_out) {
        // A single space after a token belongs to it, as in spaCy, unless a span begins or ends with it.
        let all = tokens(&turn.text, &spans);
        let follows = |at: usize| all.get(at).is_some_and(|token| &turn.text[token.clone()] == " ");
        let starts: HashSet<_> = spans.iter().map(|span| span.bytes.start).collect();
        let ends: HashSet<_> = spans.iter().map(|span| span.bytes.end).collect();
        let is_inside = |at: usize| starts.contains(&all[at].start) || ends.contains(&all[at].end);
        let points = CodePoints::new(&turn.text);
        let mut kept: Vec<Range<usize>> = Vec::new();
        let mut line_tokens = Vec::new();
        let mut at = 0;
        while at < all.len() {
            let bytes = all[at].clone();
            let ws = &turn.text[bytes.clone()] != " " && follows(at + 1) && !is_inside(at + 1);
            line_tokens.push(Token {
                text: &turn.text[bytes.clone()],
                start: points.before(bytes.start),
                end: points.before(bytes.end),
                id: kept.len(),
                ws,
            });
            kept.push(bytes);
            at += if ws { 2 } else { 1 };
        }
        let spans = spans.iter().map(|span| {
            let tokens = covered(&kept, span);
            Span {
                start: span.start,
                end: span.end,
                label: span.label,
                token_start: tokens.start,
                token_end: tokens.end.saturating_sub(1),
                segment: span.segment,
            }
        });
        let line = Line {
            text: &turn.text,
            spans: spans.collect(),
            tokens: line_tokens,
            meta: TurnPlace::new(dialog, number),
        };
        output::to_writer(out, &line)?;
        writeln!(out)?;
    }
    Ok(())
}
