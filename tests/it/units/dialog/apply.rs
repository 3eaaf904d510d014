//! Tests of `src/dialog/apply.rs`.

use turnwise::dialog::*;
use turnwise::text::Units;

/// Returns a dialog of one turn, with segments on `spans` that quote the text they cover.
pub fn dialog(text: &str, spans: &[(u32, u32)]) -> Dialog {
    let segment = |&(start, end): &(u32, u32)| {
        let span = Span { start, end };
        let quote = turnwise::text::slice(text, start as usize, end as usize).map(Short::from);
        Segment { span: Some(span), quote, ..Segment::default() }
    };
    let segments = spans.iter().map(segment).collect();
    let mut dialog = Dialog::new(Units::CodePoints);
    dialog.turns = vec![Turn { text: text.to_owned(), segments, ..Turn::default() }];
    dialog
}

/// Returns the texts that the segments cover and quote.
pub fn quotes(dialog: &Dialog) -> Vec<(Short, Short)> {
    let turn = &dialog.turns[0];
    let covered = |s: &Segment| turn.covered(s.span?, Units::CodePoints);
    let both = |s: &Segment| (covered(s).unwrap_or_default(), s.quote.clone().unwrap_or_default());
    turn.segments.iter().map(both).collect()
}
