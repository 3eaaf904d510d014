//! Tests of `src/app/manual/markdown.rs`.

use turnwise::app::manual::*;

fn shown(text: &str, columns: usize) -> Vec<String> {
    let page = page(text, columns, usize::MAX);
    page.lines.iter().map(|line| line.text().trim_end().to_owned()).collect()
}

#[test]
fn paragraphs_lists_and_code_are_wrapped() {
    let text = "# Title\n\nOne two\nthree `four` <!--x-->five.\n\n- a b c d e f\n- **g**\n\n```sh\nturnwise demo   # not wrapped\n```\nend";
    let expected = "Title\n\nOne two\nthree four\nfive.\n\n• a b c d e\n  f\n• g\n\n  \
                    turnwise demo   # not wrapped\n\nend";
    assert_eq!(shown(text, 12).join("\n"), expected);
}

#[test]
fn lines_end_before_code() {
    let text = "one `:two`, `.three` four";
    assert_eq!(shown(text, 10), ["one :two,", ".three", "four"]);
}

#[test]
fn a_table_takes_what_room_there_is() {
    let text =
        "| key | what it does |\n|---|---|\n| `a` | adds one more of them |\n| `\\|` | b |\n";
    assert_eq!(
        shown(text, 18),
        ["key  what it does", "a    adds one more", "     of them", "|    b"]
    );
    assert_eq!(shown("| | |\n|---|---|\n| a | b |\n", 18), ["a  b"]);
}

#[test]
fn links_lead_to_chapters() {
    let page = page("one\n\nsee my [teams](teams.md#x) and [x](y.md)", 8, 80);
    let links: Vec<_> = page.links.iter().map(|(at, to)| (*at, to.name)).collect();
    // In the second row of the paragraph.
    assert_eq!(links, [(3, "teams")]);
}
