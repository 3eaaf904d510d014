//! A JSON text as written, line by line, in colours.

use std::ops::Range;

use crate::app::pane::{Ink, Line};
use crate::text::{width, wrap};

/// A part of a line in one ink.
type Piece = (Range<usize>, Ink);

/// Lists a JSON text. A line that is too long goes on below its value, or below its beginning, in the same
/// colours.
pub fn lines(text: &str, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let line = line.trim_end_matches('\r');
        let pieces = pieces(line);
        let indent = indent(line, &pieces).min(columns / 3);
        let mut first = 0;
        for (number, row) in rows(line, indent, columns).into_iter().enumerate() {
            let mut shown = Line::new();
            shown.fill(if number == 0 { 0 } else { indent });
            while pieces.get(first).is_some_and(|(piece, _)| piece.end <= row.start) {
                first += 1;
            }
            for (piece, ink) in
                pieces[first..].iter().take_while(|(piece, _)| piece.start < row.end)
            {
                let (start, end) = (piece.start.max(row.start), piece.end.min(row.end));
                shown.push(*ink, &line[start..end]);
            }
            lines.push(shown);
        }
    }
    lines
}

/// Returns the rows of a line, as ranges of bytes: the first one has all columns, the others begin at `indent`.
fn rows(line: &str, indent: usize, columns: usize) -> Vec<Range<usize>> {
    let first = wrap(line, columns).swap_remove(0);
    let rest = &line[first.end..];
    let from = line.len() - rest.trim_start().len();
    let mut rows = vec![first];
    if from < line.len() {
        let others = wrap(&line[from..], columns.saturating_sub(indent).max(8)).into_iter();
        rows.extend(others.map(|row| from + row.start..from + row.end));
    }
    rows
}

/// Returns the column at which a line goes on: that of its value if it has one name and one value, else two columns
/// after that of its beginning.
fn indent(line: &str, pieces: &[Piece]) -> usize {
    let of_ink = |wanted: &'static [Ink]| pieces.iter().filter(|(_, ink)| wanted.contains(ink));
    let mut values = of_ink(&[Ink::Text, Ink::Number]);
    let start = match (values.next(), values.next()) {
        (Some((value, _)), None) if of_ink(&[Ink::Name]).count() == 1 => value.start + 1,
        _ => return width(&line[..line.len() - line.trim_start().len()]) + 2,
    };
    width(&line[..start])
}

/// Divides a line into names, strings, numbers and the signs between them.
fn pieces(line: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(first) = line[at..].chars().next() {
        let rest = &line[at..];
        let len = match first {
            '"' => string_len(rest),
            '0'..='9' | '-' | 'a'..='z' => rest
                .find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c))
                .unwrap_or(rest.len())
                .max(1),
            _ => rest
                .find(|c: char| {
                    c == '"' || c == '-' || c.is_ascii_digit() || c.is_ascii_lowercase()
                })
                .unwrap_or(rest.len())
                .max(first.len_utf8()),
        };
        let ink = match first {
            '"' if rest[len..].trim_start().starts_with(':') => Ink::Name,
            '"' => Ink::Text,
            '0'..='9' | '-' | 'a'..='z' => Ink::Number,
            _ => Ink::Dim,
        };
        pieces.push((at..at + len, ink));
        at += len;
    }
    pieces
}

/// Returns the bytes of the string at the beginning of `text`, or of all of `text` if the string does
/// not end.
fn string_len(text: &str) -> usize {
    let mut escaped = true;
    for (at, char) in text.char_indices() {
        if char == '"' && !escaped {
            return at + 1;
        }
        escaped = char == '\\' && !escaped;
        if at == 0 {
            escaped = false;
        }
    }
    text.len()
}
