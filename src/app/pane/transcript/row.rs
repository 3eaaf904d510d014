//! One row of a turn's text, cut where segments and matches begin and end.

use std::collections::BinaryHeap;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::app::pane::{Ink, TextRun};
use crate::text::{is_plain, visible};

/// A segment of the text.
#[derive(Clone, Debug)]
pub struct MarkedSpan {
    pub bytes: Range<usize>,
    pub ink: Ink,
    pub selected: bool,
}

/// A turn's text and all marks of one of its rows.
#[derive(Default)]
pub struct MarkedText<'t> {
    pub text: &'t str,
    /// Segments that touch the row, sorted by their starts.
    pub stretches: &'t [MarkedSpan],
    /// Matches of the search, sorted by their starts.
    pub hits: &'t [Range<usize>],
    /// The parts that differ from the dialog beside it, sorted and apart.
    pub differing: &'t [Range<usize>],
    pub selection: Option<Range<usize>>,
    /// The byte after the caret.
    pub caret: Option<usize>,
}

impl MarkedText<'_> {
    /// Returns the runs of `row`; the next row begins at byte `next`. Where segments overlap, the selected
    /// one gives its ink, or else the one that begins last; the lanes below show them all.
    pub fn row(&self, row: &Range<usize>, next: usize) -> Vec<TextRun> {
        let here = self.caret.filter(|caret| (row.start..next).contains(caret));
        let mut runs = if self.is_plain(row) && here.is_none() {
            let text = visible(&self.text[row.clone()]).into();
            vec![TextRun { text, ..TextRun::default() }]
        } else {
            self.pieces(row)
        };
        if here.is_some_and(|caret| caret >= row.end) {
            runs.push(TextRun { text: " ".into(), caret: true, ..TextRun::default() });
        }
        runs
    }

    fn is_plain(&self, row: &Range<usize>) -> bool {
        let outside = |range: &Range<usize>| range.end <= row.start || range.start >= row.end;
        self.stretches.is_empty()
            && self.hits.is_empty()
            && self.differing.iter().all(outside)
            && self.selection.as_ref().is_none_or(outside)
    }

    fn pieces(&self, row: &Range<usize>) -> Vec<TextRun> {
        let mut runs: Vec<TextRun> = Vec::new();
        let mut hits = self.hits.iter().peekable();
        let mut stretches = self.stretches.iter().enumerate().peekable();
        // The greatest end of the matches that begin before the end of a piece, and the segments that do,
        // with the one in front at the top of the heap.
        let mut reach = 0;
        let mut begun = BinaryHeap::new();
        for bytes in self.parts(row) {
            while let Some(hit) = hits.next_if(|hit| hit.start < bytes.end) {
                reach = reach.max(hit.end);
            }
            while let Some((number, stretch)) =
                stretches.next_if(|(_, stretch)| stretch.bytes.start < bytes.end)
            {
                begun.push((stretch.selected, stretch.bytes.start, number));
            }
            let in_front = |begun: &BinaryHeap<(bool, usize, usize)>| {
                let (.., number) = begun.peek()?;
                Some(&self.stretches[*number])
            };
            while in_front(&begun).is_some_and(|front| front.bytes.end <= bytes.start) {
                begun.pop();
            }
            let front = in_front(&begun);
            let selected = match &self.selection {
                Some(selection) => selection.start < bytes.end && bytes.start < selection.end,
                None => front.is_some_and(|front| front.selected),
            };
            let run = TextRun {
                text: visible(&self.text[bytes.clone()]).into(),
                ink: front.map_or(Ink::Plain, |front| front.ink),
                hit: reach > bytes.start,
                differs: self.differs(&bytes),
                selected,
                caret: self.caret.is_some_and(|caret| bytes.contains(&caret)),
            };
            let looks = |run: &TextRun| (run.ink, run.hit, run.differs, run.selected, run.caret);
            match runs.last_mut() {
                Some(last) if looks(last) == looks(&run) => last.text.push_str(&run.text),
                _ => runs.push(run),
            }
        }
        runs
    }

    /// True if some of these bytes differ from the dialog beside it.
    fn differs(&self, bytes: &Range<usize>) -> bool {
        let after = self.differing.partition_point(|range| range.end <= bytes.start);
        let next = self.differing.get(after);
        next.is_some_and(|range| range.start < bytes.end)
    }

    /// Cuts `row` where its style may change: into graphemes, or into longer pieces where every character
    /// is a grapheme.
    fn parts(&self, row: &Range<usize>) -> Vec<Range<usize>> {
        let text = &self.text[row.clone()];
        if !is_plain(text) {
            let graphemes = text.grapheme_indices(true);
            let bytes =
                |(at, grapheme): (usize, &str)| row.start + at..row.start + at + grapheme.len();
            return graphemes.map(bytes).collect();
        }
        let after = |caret: usize| self.text[caret..].chars().next().map_or(0, char::len_utf8);
        let caret = self.caret.map(|caret| caret..caret + after(caret));
        let stretches = self.stretches.iter().map(|stretch| &stretch.bytes);
        let ranges =
            stretches.chain(self.hits).chain(self.differing).chain(&self.selection).chain(&caret);
        let ends = ranges.flat_map(|range| [range.start, range.end]);
        let mut cuts: Vec<_> =
            ends.filter(|at| row.contains(at)).chain([row.start, row.end]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        cuts.windows(2).map(|cut| cut[0]..cut[1]).collect()
    }
}
