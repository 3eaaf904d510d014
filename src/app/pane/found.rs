//! Marks the occurrences of searched texts in lines that are laid out already.

use crate::app::pane::{Ink, Line, TextRun};
use crate::query::Sought;

/// A part of a run: its bytes in the text of all lines, its line, its run, and where it begins in the run.
struct Piece {
    start: usize,
    end: usize,
    line: usize,
    run: usize,
    at: usize,
}

/// Marks the occurrences of `sought` in lines, also where a text goes on in the next line. Returns the lines in
/// which one begins, in order. Dim texts are notes and signs, and not searched.
pub fn mark_found(lines: &mut [Line], sought: &[Sought]) -> Vec<usize> {
    if sought.is_empty() {
        return Vec::new();
    }
    // Between words, a line ends without the blank there; within a word that is wider than a line, there is none.
    let found = [" ", ""].into_iter().find_map(|between| {
        let (text, pieces) = joined(lines, between);
        let ranges: Vec<_> = sought.iter().flat_map(|sought| sought.find_all(&text)).collect();
        (!ranges.is_empty()).then_some((ranges, pieces))
    });
    let Some((ranges, pieces)) = found else {
        return Vec::new();
    };
    let mut begun: Vec<_> = ranges
        .iter()
        .filter_map(|range| {
            let piece = pieces.partition_point(|piece| piece.end <= range.start);
            pieces.get(piece).map(|piece| piece.line)
        })
        .collect();
    begun.sort_unstable();
    begun.dedup();
    // From the end, so that the places of earlier pieces stay right.
    for piece in pieces.iter().rev() {
        let mut marks: Vec<_> = ranges
            .iter()
            .map(|range| range.start.max(piece.start)..range.end.min(piece.end))
            .filter(|mark| mark.start < mark.end)
            .map(|mark| mark.start - piece.start + piece.at..mark.end - piece.start + piece.at)
            .collect();
        if marks.is_empty() {
            continue;
        }
        marks.sort_by_key(|mark| mark.start);
        let runs = &mut lines[piece.line].runs;
        let parts = split(&runs[piece.run], &marks);
        runs.splice(piece.run..=piece.run, parts);
    }
    begun
}

/// Returns the text of all lines, and its pieces.
fn joined(lines: &[Line], between: &str) -> (String, Vec<Piece>) {
    let (mut text, mut pieces) = (String::new(), Vec::new());
    for (number, line) in lines.iter().enumerate() {
        if number > 0 {
            text.push_str(between);
        }
        let last = line.runs.len().saturating_sub(1);
        let mut is_indent = true;
        for (run, TextRun { text: own, ink, .. }) in line.runs.iter().enumerate() {
            if *ink == Ink::Dim {
                text.push('\n');
                is_indent = false;
                continue;
            }
            let mut shown = own.as_str();
            if is_indent {
                shown = shown.trim_start();
                is_indent = shown.is_empty();
            }
            let at = own.len() - shown.len();
            if run == last {
                shown = shown.trim_end();
            }
            let start = text.len();
            text.push_str(shown);
            pieces.push(Piece { start, end: text.len(), line: number, run, at });
        }
    }
    (text, pieces)
}

/// Returns a run in parts, those in `marks` as matches.
fn split(run: &TextRun, marks: &[std::ops::Range<usize>]) -> Vec<TextRun> {
    let mut parts = Vec::new();
    let mut at = 0;
    let mut push = |from: usize, to: usize, hit: bool| {
        if from < to {
            parts.push(TextRun { text: run.text[from..to].into(), hit, ..run.clone() });
        }
    };
    for mark in marks {
        let start = mark.start.max(at);
        push(at, start, false);
        push(start, mark.end, true);
        at = at.max(mark.end);
    }
    push(at, run.text.len(), false);
    parts
}
