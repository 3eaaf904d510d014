//! Tests of `src/app/pane/transcript/row.rs`.

use turnwise::app::pane::transcript::row::*;
use turnwise::app::pane::*;

#[test]
fn the_chosen_segment_is_in_front() {
    let stretch = |bytes, selected| MarkedSpan { bytes, ink: Ink::Label(1), selected };
    let stretches = [stretch(0..7, true), stretch(4..7, false)];
    let text = MarkedText {
        text: "two for Dune",
        stretches: &stretches,
        hits: &[8..12],
        differing: &[],
        selection: None,
        caret: Some(12),
    };
    let runs = text.row(&(0..12), usize::MAX);
    let shown: Vec<_> = runs.iter().map(|r| (r.text.as_str(), r.selected, r.hit)).collect();
    assert_eq!(
        shown,
        [("two for", true, false), (" ", false, false), ("Dune", false, true), (" ", false, false)]
    );
}
