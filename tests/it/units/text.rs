//! Texts: boundaries, offsets, widths, rows, lanes and spans.

use std::collections::BTreeSet;
use std::ops::Range;

use proptest::prelude::*;
use turnwise::text::*;
use unicode_segmentation::UnicodeSegmentation as _;

/// Returns every offset between two graphemes, with both ends.
fn graphemes(text: &str) -> Vec<usize> {
    let mut at = 0;
    let ends = text.graphemes(true).map(|grapheme| {
        at += count(grapheme);
        at
    });
    std::iter::once(0).chain(ends).collect()
}

#[test]
fn a_time_a_name_and_an_abbreviation_are_one_word() {
    let text = "9:10 O'Neil 7 a.m. $12.50, 4th";
    let ends = [4, 11, 13, 18, 25, 30];
    assert_eq!(word_edges(text, SpanEdge::End).collect::<BTreeSet<_>>(), ends.into());
    let starts = [0, 5, 12, 14, 19, 27];
    assert_eq!(word_edges(text, SpanEdge::Start).collect::<BTreeSet<_>>(), starts.into());
    assert_eq!(boundary(text, 0, Motion::WordEnd, Direction::Forward), 4);
    assert_eq!(boundary(text, 18, Motion::WordStart, Direction::Back), 14);
}

proptest! {
    #[test]
    fn edges_of_words_are_found_from_everywhere(
        text in "[ab1 .:$'\u{301}\u{200d}é世👨🇩🇪\n]{0,16}",
    ) {
        let end = count(&text);
        for at in 0..=end {
            for (step, edge) in
                [(Motion::WordStart, SpanEdge::Start), (Motion::WordEnd, SpanEdge::End)]
            {
                let edges: Vec<_> = word_edges(&text, edge).collect();
                prop_assert!(edges.is_sorted());
                let next = edges.iter().find(|edge| **edge > at).copied();
                let before = edges.iter().rev().find(|edge| **edge < at).copied();
                let (last, first) = match edge {
                    SpanEdge::Start => (end, at),
                    SpanEdge::End => (at, 0),
                };
                prop_assert_eq!(boundary(&text, at, step, Direction::Forward), next.unwrap_or(last));
                prop_assert_eq!(boundary(&text, at, step, Direction::Back), before.unwrap_or(first));
            }
        }
    }

    #[test]
    fn graphemes_are_found_from_everywhere(
        text in "[a\u{301}\u{200d}👨👩🏽🇩🇪한\u{1161}\u{11a8}क\u{94d}ष\r\n\u{e0067}]{0,12}",
    ) {
        let places = graphemes(&text);
        let end = count(&text);
        for at in 0..=end {
            let next = places.iter().find(|place| **place > at).copied();
            let before = places.iter().rev().find(|place| **place < at).copied();
            prop_assert_eq!(boundary(&text, at, Motion::Grapheme, Direction::Forward), next.unwrap_or(end));
            prop_assert_eq!(boundary(&text, at, Motion::Grapheme, Direction::Back), before.unwrap_or(0));
        }
    }
}

#[test]
fn look_ups_are_those_of_the_whole_text() {
    for unit in ["a", "é", "世a", "a👍🏽 e\u{301}"] {
        for times in [0, 1, 20, 63, 64, 65, 130] {
            let text = unit.repeat(times);
            let points = CodePoints::new(&text);
            for at in 0..count(&text) + 70 {
                assert_eq!(points.byte_of(at), byte_of(&text, at), "{unit} {times} {at}");
            }
            for at in 0..text.encode_utf16().count() + 70 {
                let meant = byte_of_utf16(&text, at);
                assert_eq!(points.byte_of_utf16(at), meant, "{unit} {times} {at}");
            }
            let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            for (number, byte) in ends.enumerate() {
                assert_eq!(points.before(byte), number, "{unit} {times} {byte}");
            }
        }
    }
}

#[test]
fn widths() {
    assert_eq!(width("plain"), 5);
    assert_eq!(width("世界"), 4);
    assert_eq!(width("e\u{301}"), 1);
    assert_eq!(width("👨‍👩‍👧"), 2);
}

#[test]
fn nothing_is_sent_to_the_terminal_raw() {
    assert_eq!(visible("a\u{1b}[31mb\tc\r\n"), "a␛[31mb→c␍↵");
    assert_eq!(visible("a\u{202e}b\u{200b}c"), "a⟨U+202E⟩b⟨ZWSP⟩c");
    assert_eq!(visible("👨\u{200d}👩\u{200d}"), "👨\u{200d}👩⟨ZWJ⟩");
    assert_eq!(visible("👨‍👩‍👧 e\u{301}"), "👨‍👩‍👧 e\u{301}");
    assert_eq!(visible("\u{9b}"), "⟨U+009B⟩");
    assert_eq!(visible("\u{ffff}\u{fdd0}"), "⟨U+FFFF⟩⟨U+FDD0⟩");
    assert_eq!(visible("a\u{200d}b\u{200c}c"), "a⟨ZWJ⟩b⟨ZWNJ⟩c");
    assert_eq!(visible_lines("a\tb\r\n\u{9b}\u{202e}"), "a\tb␍\n⟨U+009B⟩⟨U+202E⟩");
    let json = "{\"a\u{7f}\":\r\n\t\"\u{1b}\u{e0001}👨\u{200d}👩\"}";
    let shown = "{\"a\\u007f\": \n\t\"\\u001b\\udb40\\udc01👨\u{200d}👩\"}";
    assert_eq!(visible_json(json), shown);
    assert_eq!(visible("क\u{94d}\u{200d}ष"), "क\u{94d}\u{200d}ष");
}

#[test]
fn characters_are_as_wide_as_the_terminal_makes_them() {
    use unicode_width::UnicodeWidthChar as _;
    for char in (0..0x3_0000).filter_map(char::from_u32).filter(|char| is_agreed(*char)) {
        assert!(matches!(char.width(), Some(1 | 2)), "{char}");
        assert_eq!(char.width(), Some(width(char.encode_utf8(&mut [0; 4]))), "{char}");
    }
}

fn places(
    text: &str,
    row: Range<usize>,
    stretches: &[Range<usize>],
) -> Vec<Vec<(usize, usize, usize)>> {
    let place = |p: LaneMark| (p.item, p.start, p.width);
    let lane = |lane: Vec<LaneMark>| lane.into_iter().map(place).collect();
    lanes(text, &row, stretches, |_| 1).into_iter().map(lane).collect()
}

/// A stretch takes the first lane with room, even one that an earlier stretch has left.
#[test]
fn lanes_are_used_again_from_the_first_one() {
    let text = "0123456789012345678901234567890123456789";
    let stretches = [0..2, 0..4, 0..6, 4..6, 8..20, 9..12, 21..24];
    assert_eq!(
        places(text, 0..40, &stretches),
        [
            vec![(0, 0, 2), (3, 4, 2), (4, 8, 12)],
            vec![(1, 0, 4), (5, 9, 3), (6, 21, 3)],
            vec![(2, 0, 6)]
        ]
    );
}

#[test]
fn stretches_of_a_row_are_found_among_many() {
    let text = "a".repeat(500);
    let all: Vec<_> = (0..500).map(|i| i * 7 % 500..(i * 7 % 500 + i % 11).min(500)).collect();
    let stretches = IntervalIndex::new(&all);
    for row in [0..10, 95..200, 490..500, 499..500] {
        let mut meant: Vec<_> = (0..all.len())
            .filter(|&i| all[i].start.max(row.start) < all[i].end.min(row.end))
            .collect();
        meant.sort_by_key(|&i| all[i].start);
        assert_eq!(stretches.within(&row), meant, "{row:?}");
        let lanes = stretches.lanes(&text, &row, |_| 1);
        let mut placed: Vec<_> = lanes.iter().flatten().map(|p| p.item).collect();
        placed.sort_unstable();
        meant.sort_unstable();
        assert_eq!(placed, meant);
    }
}

#[test]
fn a_span_within_a_grapheme_is_drawn_under_all_of_it() {
    let text = "a👩‍👩 b";
    let [second, joiner] = [8, 5];
    assert_eq!(places(text, 0..14, &[second..12]), [vec![(0, 1, 2)]]);
    assert_eq!(places(text, 0..14, &[joiner..14]), [vec![(0, 1, 4)]]);
    assert_eq!(places(text, 0..14, &[0..joiner]), [vec![(0, 0, 3)]]);
}

#[test]
fn a_stretch_goes_on_in_the_next_row() {
    let text = "one two three";
    let first = lanes(text, &(0..7), &[4..13], |_| 1);
    assert!(first[0][0].begins && !first[0][0].ends);
    let second = lanes(text, &(8..13), &[4..13], |_| 1);
    assert!(!second[0][0].begins && second[0][0].ends);
    assert_eq!((second[0][0].start, second[0][0].width), (0, 5));
}

#[test]
fn moments_are_in_utc() {
    let cases = [
        (0, "1970-01-01T00:00:00Z"),
        (951_782_399, "2000-02-28T23:59:59Z"),
        (951_782_400, "2000-02-29T00:00:00Z"),
        (1_772_323_199, "2026-02-28T23:59:59Z"),
        (1_772_323_200, "2026-03-01T00:00:00Z"),
        (1_798_761_599, "2026-12-31T23:59:59Z"),
        (4_107_542_400, "2100-03-01T00:00:00Z"),
    ];
    for (seconds, expected) in cases {
        assert_eq!(moment(seconds), expected);
    }
}

#[test]
fn counts_code_points() {
    let text = "aé世👨‍👩‍👧e\u{301}";
    assert_eq!(count(text), 10);
    assert_eq!(slice(text, 2, 3), Some("世"));
    assert_eq!(slice(text, 3, 8), Some("👨‍👩‍👧"));
    assert_eq!(slice(text, 10, 10), Some(""));
    assert_eq!(slice(text, 4, 11), None);
    assert_eq!(slice(text, 5, 4), None);
    assert_eq!(byte_of("abc", 3), Some(3));
    assert_eq!(byte_of("abc", 4), None);
    assert_eq!(byte_of("é", 2), None);
}

#[test]
fn counts_utf16() {
    let text = "aé👍b";
    let places: Vec<_> = (0..7).map(|at| byte_of_utf16(text, at)).collect();
    assert_eq!(places, [Some(0), Some(1), Some(3), None, Some(7), Some(8), None]);
}

fn rows(text: &str, columns: usize) -> Vec<&str> {
    let around = rows_around(text, text.len(), columns);
    around.rows.into_iter().map(|row| &text[row]).collect()
}

#[test]
fn spaces_and_empty_lines_keep_their_places() {
    assert_eq!(rows("one two three", 7), ["one two ", "three"]);
    assert_eq!(rows("one\n\ntwo ", 7), ["one", "", "two "]);
    assert_eq!(rows("", 7), [""]);
    assert_eq!(rows("ab     cd", 3), ["ab  ", "   ", "cd"]);
    assert_eq!(rows("ab\u{3000}\u{3000}\u{3000}", 4), ["ab\u{3000}", "\u{3000}\u{3000}"]);
    assert_eq!(rows("世界👨‍👩‍👧e\u{301}x", 6), ["世界👨‍👩‍👧", "e\u{301}x"]);
}

#[test]
fn cursor_at_a_break_is_in_the_row_after_it() {
    let text = "one two three";
    let row = |cursor| rows_around(text, cursor, 7).cursor;
    assert_eq!([0, 7, 8, 13].map(row), [0, 0, 1, 1]);
}

#[test]
fn only_the_text_near_the_cursor_is_read() {
    for text in [
        "one two three ".repeat(80_000),
        "日本語👨‍👩‍👧".repeat(40_000),
        "a\n".repeat(400_000),
        "x".repeat(1_000_000),
    ] {
        for cursor in [0, 500_000, text.len()] {
            let cursor = text.floor_char_boundary(cursor);
            let RowsAround { rows, cursor: row } = rows_around(&text, cursor, 60);
            let read = rows[0].start..rows[rows.len() - 1].end;
            assert!(read.len() <= 4 * 8192, "{read:?}");
            assert!((rows[row].start..=rows[row].end).contains(&cursor));
            assert!(rows.iter().all(|row| width(&visible(&text[row.clone()])) <= 61));
            assert!(rows.windows(2).all(|two| two[1].start - two[0].end <= 1));
            if cursor < text.len() {
                assert!(rows.len() > row + 40);
            }
            if cursor > 0 {
                assert!(row > 40);
            }
        }
    }
}

#[test]
fn rows_before_the_cursor_stay_while_it_moves() {
    let text = "one two three ".repeat(8000);
    let first = |cursor| rows_around(&text, cursor, 60).rows[0].start;
    assert_eq!(first(50_000), first(50_100));
}

fn changes(old: &str, new: &str) -> TextChanges {
    TextChanges::of_text(old, new).expect("texts differ")
}

/// Returns the changed stretches, each with its old and its new text.
fn differences(old: &str, new: &str) -> Vec<(String, String)> {
    let part = |text: &str, at: &Range<usize>| {
        let found = turnwise::text::slice(text, at.start, at.end);
        found.expect("in the text").to_owned()
    };
    let changes = changes(old, new).0;
    let both = |change: &Change| (part(old, &change.old), part(new, &change.new));
    changes.iter().map(both).collect()
}

#[test]
fn spans_follow_their_text() {
    let change = changes("at seven pm", "at 7 pm");
    assert_eq!(change.0, [Change { old: 3..8, new: 3..4 }]);
    assert_eq!(change.map_span(&(0..2)), MappedSpan::To(0..2));
    assert_eq!(change.map_span(&(0..3)), MappedSpan::To(0..3));
    assert_eq!(change.map_span(&(9..11)), MappedSpan::To(5..7));
    assert_eq!(change.map_span(&(3..8)), MappedSpan::Cut);
    assert_eq!(change.map_span(&(0..11)), MappedSpan::Cut);
}

#[test]
fn an_insertion_at_an_edge_cuts_nothing() {
    let change = changes("ab", "aXb");
    assert_eq!(change.map_span(&(0..1)), MappedSpan::To(0..1));
    assert_eq!(change.map_span(&(1..2)), MappedSpan::To(2..3));
    assert_eq!(change.map_span(&(0..2)), MappedSpan::Cut);
}

#[test]
fn the_rest_of_a_span_includes_text_written_inside_it() {
    let left = |old: &str, span: &str, new: &str| {
        let start = old[..old.find(span).expect("in the text")].chars().count();
        let span = start..start + span.chars().count();
        let left = changes(old, new).left_in_text(&span, old, new)?;
        Some(turnwise::text::slice(new, left.start, left.end)?.to_owned())
    };
    let left = |old: &str, span: &str, new: &str| left(old, span, new).unwrap_or_default();
    assert_eq!(left("two for Dune Part Two", "Dune Part Two", "two for Dune"), "Dune");
    assert_eq!(left("two tickets for", "two tickets", "two for"), "two");
    assert_eq!(left("at seven pm.", "seven pm", "at 7 pm."), "7 pm");
    assert_eq!(left("Dune Prt Two", "Dune Prt Two", "Dune Part Two"), "Dune Part Two");
    assert_eq!(left("see Dune now", "Dune", "see June now"), "June");
    assert_eq!(left("for Dune at seven", "Dune", "for Alien at seven"), "");
    assert_eq!(left("in New York City today", "York City", "in Boston City today"), "City");
    assert_eq!(left("a b", "a b", "c d"), "");
    assert_eq!(left("今日は良い天気", "良い天気", "今日は良い"), "良い");
}

#[test]
fn spans_that_end_before_they_start_move_too() {
    let backwards = |start, end| Range { start, end };
    let change = changes("at seven pm", "at 7 pm");
    assert_eq!(change.map_span(&backwards(2, 1)), MappedSpan::To(backwards(2, 1)));
    assert_eq!(change.map_span(&backwards(11, 9)), MappedSpan::To(backwards(7, 5)));
    assert_eq!(change.map_span(&backwards(9, 1)), MappedSpan::Cut);
}

#[test]
fn repeated_text_is_not_counted_twice() {
    assert_eq!(differences("aa", "aaa"), [(String::new(), "a".to_owned())]);
    assert_eq!(differences("abab", "ab"), [("ab".to_owned(), String::new())]);
}

#[test]
fn text_between_two_changes_stays() {
    let (old, new) = ("I want 2 seats for Dune", "we need 2 tickets to Dune!");
    let change = changes(old, new);
    assert_eq!(change.map_span(&(7..8)), MappedSpan::To(8..9));
    assert_eq!(change.map_span(&(9..14)), MappedSpan::Cut);
    assert_eq!(change.map_span(&(19..23)), MappedSpan::To(21..25));
    assert_eq!(change.map_span(&(7..23)), MappedSpan::Cut);
    let quoted = changes("see \"Dune\" or \"Alien\"", "see “Dune” or “Alien”");
    assert_eq!(quoted.map_span(&(5..9)), MappedSpan::To(5..9));
    assert_eq!(quoted.map_span(&(15..20)), MappedSpan::To(15..20));
    assert_eq!(quoted.map_span(&(4..10)), MappedSpan::Cut);
}

#[test]
fn letters_of_changed_words_do_not_count_as_words() {
    let pair = |old: &str, new: &str| (old.to_owned(), new.to_owned());
    assert_eq!(differences("Dune at seven", "Alien by eleven"), [pair("Dune at s", "Alien by el")]);
    assert_eq!(differences("東京はいい", "大阪は悪い"), [pair("東京はい", "大阪は悪")]);
    assert_eq!(
        differences("東京に行きたい", "大阪に行くよ"),
        [pair("東京", "大阪"), pair("きたい", "くよ")]
    );
    assert_eq!(differences("夜7時に", "朝7分で"), [pair("夜", "朝"), pair("時に", "分で")]);
}

#[test]
fn tokens_stay_as_words_do() {
    let tokens = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (tokens("i want 2 for dune ."), tokens("we take only 2 for alien ."));
    let change = TextChanges::of_tokens(&old, &new).expect("differ");
    assert_eq!(change.map_span(&(2..4)), MappedSpan::To(3..5));
    assert_eq!(change.map_span(&(4..5)), MappedSpan::Cut);
    assert_eq!(change.map_span(&(5..6)), MappedSpan::To(6..7));
    assert_eq!(TextChanges::of_tokens(&old, &old), None);
}

#[test]
fn a_very_long_stretch_is_one_change() {
    let long = |word: &str| format!("{word}{}{word}", " and on".repeat(4096 / 6));
    assert_eq!(changes(&long("x"), &long("y")).0.len(), 1);
}

#[test]
fn words_and_marks_are_tokens() {
    let cases = [
        ("Yes, it doesn't.", "Yes|,|it|does|n't|."),
        ("The Lensfield's £5.10 (17:29,", "The|Lensfield|'s|£|5.10|(|17:29|,"),
        ("I've 1,000 B&Bs; 24/7 4-star", "I|'ve|1,000|B&Bs|;|24/7|4-star"),
        ("at 7 a.m. \"ok\"...", "at|7|a.m.|\"|ok|\"|..."),
        ("night,and sure?no --", "night|,|and|sure|?|no|--"),
        ("YOU’RE 'tis guests'", "YOU|’RE|'tis|guests|'"),
        ("A\u{a0}B «é» 10%", "A|B|«|é|»|10|%"),
        ("n't 's ?! :", "n't|'s|?|!|:"),
        ("", ""),
    ];
    for (text, expected) in cases {
        assert_eq!(Splitting::Punctuation.tokens(text).join("|"), expected);
    }
}

#[test]
fn tokens_hold_every_character_but_white_space() {
    let marks = ["a", "n", "'", "’", "t", "s", ".", ",", "-", "é", "世", "\"", "5", " ", "£", "🌿"];
    let mut state = 7_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..9 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text.push_str(marks[(state >> 40) as usize % marks.len()]);
        }
        let bare: String = text.split_whitespace().collect();
        for splitting in [Splitting::Spaces, Splitting::Punctuation] {
            let tokens = splitting.tokens(&text);
            assert!(tokens.iter().all(|token| !token.is_empty()), "{text}");
            assert_eq!(tokens.concat(), bare);
        }
    }
}

/// Returns the text with a bar at every place where a segment can have this edge.
fn bars(text: &str, edge: SpanEdge) -> String {
    let mut out = String::new();
    for (at, char) in text.char_indices() {
        if at > 0 && !inside_word(text, at, edge) {
            out.push('|');
        }
        out.push(char);
    }
    out.replace("| |", "_")
}

/// A bar is where an edge can be, and a line is a space with one on each side.
fn is_marked_so(edge: SpanEdge, texts: &[&str]) {
    for marked in texts {
        let text = marked.replace('_', " ").replace('|', "");
        assert_eq!(bars(&text, edge), *marked);
    }
}

#[test]
fn segments_end_where_words_do() {
    is_marked_so(SpanEdge::End, &["at_Café_Zoë", "the|AMC_16", "sci|-|fi", "北|京_서|울|에|서"]);
    // Numbers and what they count.
    is_marked_so(SpanEdge::End, &["$3,200.50_179$_92%_4.3", "7:30pm_4th_9.10p.m."]);
    is_marked_so(SpanEdge::End, &["7|,_8|,|9_AMC|16_2|x_5|/|6", "at_16|._Or|:_5"]);
    is_marked_so(SpanEdge::End, &["12,50_€_1.299,00€_7|,|15", "à_19h30_10|h"]);
    // Apostrophes, abbreviations and what is several characters.
    is_marked_so(SpanEdge::End, &["8_o'clock_O’Hare", "Kitchen|'|s_don't", "l'orange_'|Dune|'"]);
    is_marked_so(SpanEdge::End, &["7_p.m._U.S.A_e.g.", "7_p.m.|,_(|U.S.|)", "St|._X|._end|.|Now"]);
    is_marked_so(SpanEdge::End, &["e\u{301}t_👍🏽", "👨‍👩‍👧|🇩🇪|🇫🇷_7️⃣", "กี่_ที่"]);
    // Scripts that join words.
    is_marked_so(SpanEdge::End, &["לירושלים_מחר", "بالقاهرة_غدا", "თ|ბ|ი|ლ|ი|ს|შ|ი"]);
    is_marked_so(SpanEdge::End, &["７|時|に_東|京", "１２|時_٧٣٠"]);
}

#[test]
fn segments_start_where_words_do() {
    is_marked_so(SpanEdge::Start, &["8_o'clock_O’Hare", "Kitchen's_I'll", "l'|orange_'|Dune|'"]);
    // A value ends with a word, but may start after "to the".
    is_marked_so(SpanEdge::Start, &["ל|ירושלים", "ب|ا|ل|قاهرة"]);
    // Here, a value starts with a word.
    is_marked_so(SpanEdge::Start, &["दिल्ली_में_तीन"]);
}

#[test]
fn the_way_out_of_a_word() {
    let text = "at Kitchen now";
    assert_eq!(outside_word(text, 5, SpanEdge::End, Direction::Forward), 10);
    assert_eq!(outside_word(text, 5, SpanEdge::End, Direction::Back), 3);
    assert_eq!(outside_word(text, 3, SpanEdge::Start, Direction::Forward), 3);
    assert_eq!(word_at(text, 5, SpanEdge::Start), 3..10);
}

fn wrapped(text: &str, columns: usize) -> Vec<&str> {
    wrap(text, columns).into_iter().map(|row| &text[row]).collect()
}

#[test]
fn breaks_between_words() {
    assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
    assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
    assert_eq!(wrapped("the end, *really* is", 8), ["the end,", "*really*", "is"]);
    assert_eq!(wrapped("", 5), [""]);
    assert_eq!(wrapped("fits", 80), ["fits"]);
}

#[test]
fn lines_of_code_keep_their_breaks_and_their_indentation() {
    let code = "```rust\nfn a() {\n    b();\n\n}\n```";
    let lines = ["```rust\n", "fn a() {\n", "    b();\n", "\n", "}\n", "```"];
    assert_eq!(wrapped(code, 12), lines);
    assert_eq!(wrapped("- one two\n- three", 7), ["- one", "two\n", "- three"]);
}

#[test]
fn spaces_with_marks_are_visible_at_the_end_of_a_row() {
    assert_eq!(wrapped("one \n", 8), ["one \n"]);
    assert_eq!(wrapped("one\t\ntwo ", 5), ["one\t\n", "two"]);
    assert_eq!(wrapped("\n\n", 5).concat(), "\n\n");
}

#[test]
fn breaks_long_words_and_wide_text() {
    assert_eq!(wrapped("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
    assert_eq!(wrapped("今日は良い天気", 6), ["今日は", "良い天", "気"]);
    assert_eq!(wrapped("はい、そう。", 4), ["は", "い、", "そ", "う。"]);
    assert_eq!(wrapped("👨‍👩‍👧👨‍👩‍👧", 1), ["👨‍👩‍👧", "👨‍👩‍👧"]);
}

#[test]
fn breaks_rows_of_marks() {
    let flag = "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}";
    assert_eq!(wrapped(flag, 18), ["\u{1f3f4}\u{e0067}", "\u{e0062}\u{e007f}"]);
}

#[test]
fn no_row_is_too_wide_and_no_text_is_lost() {
    let text = "The 世界 is wide,  e\u{301}t  al. abcdefghijklmnopqrstuvwxyz \u{200b}x";
    for columns in 8..40 {
        let mut seen = 0;
        for row in wrap(text, columns) {
            assert!(text[seen..row.start].trim().is_empty());
            assert!(width(&visible(&text[row.clone()])) <= columns);
            seen = row.end;
        }
        assert!(text[seen..].trim().is_empty());
    }
}
