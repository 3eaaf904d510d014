//! Cuts a text into tokens at word boundaries and at the edges of its spans, so that every span covers
//! whole tokens.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use super::spans::LabelledSpan;

/// Returns the byte ranges of the tokens of `text`, without gaps: white space forms tokens of its own.
pub fn tokens(text: &str, spans: &[LabelledSpan<'_>]) -> Vec<Range<usize>> {
    let mut cuts: Vec<usize> = spans
        .iter()
        .flat_map(|span| [span.bytes.start, span.bytes.end])
        .chain(text.split_word_bound_indices().map(|(at, _)| at))
        .chain([0, text.len()])
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

/// True for a token that separates words: white space, or characters that end a line somewhere.
pub fn is_space(token: &str) -> bool {
    let separates = |char: char| char.is_whitespace() || char.is_control();
    token.chars().all(separates)
}

/// Returns the positions of the tokens that `span` covers.
pub fn covered(tokens: &[Range<usize>], span: &LabelledSpan<'_>) -> Range<usize> {
    let first = tokens.partition_point(|token| token.start < span.bytes.start);
    let end = tokens.partition_point(|token| token.start < span.bytes.end);
    first..end
}
