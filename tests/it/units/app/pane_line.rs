//! Tests of `src/app/pane/line.rs`.

use turnwise::app::pane::line::*;

#[test]
fn long_texts_are_cut_with_a_mark() {
    assert_eq!(truncated("plain", 5), "plain");
    assert_eq!(truncated("plain text", 5), "plai…");
    assert_eq!(truncated("plain te\u{301}xt", 5), "plai…");
    assert_eq!(truncated("plaine\u{301}", 6), "plaine\u{301}");
    assert_eq!(truncated("世界世界", 5), "世界…");
    assert_eq!(truncated("a\tb", 3), "a→b");
    assert_eq!(elided("dlg-demo-tm4-02", 10), "dlg-…m4-02");
    assert_eq!(elided("dlg-1", 10), "dlg-1");
    assert_eq!(path_end("a/b.json", 8), "a/b.json");
    assert_eq!(path_end("folder/below/b.json", 12), "…elow/b.json");
    assert_eq!(path_end("世界/世界/b.json", 12), "…世界/b.json");
    assert_eq!(path_end("folder/corpus.json", 10), "corp….json");
    assert_eq!(path_end("folder/corpus.json", 11), "corpus.json");
}

#[test]
fn names_are_wrapped_between_their_parts() {
    let lines = wrapped_name(
        Line::of(Ink::Dim, "  "),
        Ink::Plain,
        "time.reservation.averyverylongpart",
        14,
    );
    let texts: Vec<_> = lines.iter().map(Line::text).collect();
    assert_eq!(texts, ["  time.", "  reservation.", "  averyverylon", "  gpart"]);
}

#[test]
fn wrapped_lines_hang_under_the_first() {
    let lines = wrapped(Line::of(Ink::Dim, "ab "), Ink::Plain, "one two three\nfour", 11);
    let texts: Vec<_> = lines.iter().map(Line::text).collect();
    assert_eq!(texts, ["ab one two", "   three", "   four"]);
}
