//! Tests of `src/app/pane/transcript/marks.rs`.

use turnwise::app::pane::transcript::marks::*;
use turnwise::app::pane::*;
use turnwise::text::lanes;

/// Returns the lines under `text` in `room` columns, for segments of these bytes with these names.
fn drawn(text: &str, segments: &[(std::ops::Range<usize>, &str)], room: usize) -> Vec<String> {
    let (ranges, names): (Vec<_>, Vec<_>) = segments.iter().cloned().unzip();
    let name = |text: &str| MarkName { text: text.to_owned(), worst: None };
    let names: Vec<_> = names.into_iter().map(name).collect();
    let lanes = lanes(text, &(0..text.len()), &ranges, |_| 0);
    let look = |item: usize| (Ink::Plain, &names[item], false);
    let lines = mark_lines(&lanes, &names, room);
    let lines = lines.iter().map(|line| mark_line(line, look, 0).text());
    lines.collect()
}

#[test]
fn names_without_room_are_below_their_bars() {
    let text = "We are 8 people at 7 pm near the park.";
    assert_eq!(
        drawn(text, &[(7..8, "guests.number"), (9..15, "guests.kind"), (19..23, "time")], 40),
        ["       ▔ ▔▔▔▔▔▔    ▔▔▔▔ time", "       │ └ guests.kind", "       └ guests.number",]
    );
}

#[test]
fn short_bars_of_one_label_in_a_row_have_its_name_once_with_their_number() {
    let text = "5:45pm, 7:50pm and 10:15pm for two";
    assert_eq!(
        drawn(text, &[(0..6, "time"), (8..14, "time"), (19..26, "time"), (31..34, "seats")], 50),
        ["▔▔▔▔▔▔  ▔▔▔▔▔▔     ▔▔▔▔▔▔▔     ▔▔▔ seats", "└ time  └ time     └ time",]
    );
    let letters = "a b c d e f g h i j k l m";
    let all: Vec<_> = (0..13).map(|i| (2 * i..2 * i + 1, "a.b")).collect();
    assert_eq!(drawn(letters, &all, 40), ["▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ a.b ×13"]);
    let edge = ["▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔", "                a.b ×13 ┘"];
    assert_eq!(drawn(letters, &all, 25), edge);
    // Of two, both have it unless it is beside the second.
    let pair = [(0..3, "seats"), (4..7, "seats"), (8..12, "movie")];
    assert_eq!(drawn("two for Dune", &pair, 40), ["▔▔▔ ▔▔▔ ▔▔▔▔ movie", "│   └ seats", "└ seats"]);
    assert_eq!(drawn("two for Dune", &pair[..2], 40), ["▔▔▔ ▔▔▔ seats ×2"]);
    assert_eq!(
        drawn("two for Dune at Odeon", &[(0..12, "at"), (13..21, "at")], 40),
        ["▔▔▔▔▔▔▔▔▔▔▔▔ ▔▔▔▔▔▔▔▔ at", "└ at"]
    );
}

#[test]
fn overlapping_bars_have_lines_of_their_own() {
    assert_eq!(
        drawn("two for Dune", &[(0..12, "all"), (8..12, "movie")], 20),
        ["▔▔▔▔▔▔▔▔▔▔▔▔ all", "        ▔▔▔▔ movie"]
    );
}
