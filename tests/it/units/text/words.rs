//! Tests of `src/text/words.rs`.

use turnwise::text::*;

/// Returns the text with a bar at every place where a segment can end.
fn cut(text: &str) -> String {
    bars(text, SpanEdge::End)
}

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

#[test]
fn words() {
    assert_eq!(cut("at Café Zoë"), "at_Café_Zoë");
    assert_eq!(cut("theAMC 16"), "the|AMC_16");
    assert_eq!(cut("sci-fi"), "sci|-|fi");
    assert_eq!(cut("北京 서울에서"), "北|京_서|울|에|서");
}

#[test]
fn numbers_and_what_they_count() {
    assert_eq!(cut("$3,200.50 179$ 92% 4.3"), "$3,200.50_179$_92%_4.3");
    assert_eq!(cut("7:30pm 4th 9.10p.m."), "7:30pm_4th_9.10p.m.");
    assert_eq!(cut("7, 8,9 AMC16 2x 5/6"), "7|,_8|,|9_AMC|16_2|x_5|/|6");
    assert_eq!(cut("at 16. Or: 5"), "at_16|._Or|:_5");
    assert_eq!(cut("12,50 € 1.299,00€ 7,15"), "12,50_€_1.299,00€_7|,|15");
    assert_eq!(cut("à 19h30 10h"), "à_19h30_10|h");
}

#[test]
fn apostrophes() {
    assert_eq!(cut("8 o'clock O’Hare"), "8_o'clock_O’Hare");
    assert_eq!(cut("Kitchen's don't"), "Kitchen|'|s_don't");
    assert_eq!(cut("l'orange 'Dune'"), "l'orange_'|Dune|'");
    let starts = |text| bars(text, SpanEdge::Start);
    assert_eq!(starts("8 o'clock O’Hare"), "8_o'clock_O’Hare");
    assert_eq!(starts("Kitchen's I'll"), "Kitchen's_I'll");
    assert_eq!(starts("l'orange 'Dune'"), "l'|orange_'|Dune|'");
}

#[test]
fn abbreviations() {
    assert_eq!(cut("7 p.m. U.S.A e.g."), "7_p.m._U.S.A_e.g.");
    assert_eq!(cut("7 p.m., (U.S.)"), "7_p.m.|,_(|U.S.|)");
    assert_eq!(cut("St. X. end.Now"), "St|._X|._end|.|Now");
}

#[test]
fn characters() {
    assert_eq!(cut("e\u{301}t 👍🏽"), "e\u{301}t_👍🏽");
    assert_eq!(cut("👨‍👩‍👧🇩🇪🇫🇷 7️⃣"), "👨‍👩‍👧|🇩🇪|🇫🇷_7️⃣");
    assert_eq!(cut("กี่ ที่"), "กี่_ที่");
}

#[test]
fn scripts_that_join_words() {
    // A value ends with a word, but may start after "to the".
    assert_eq!(cut("לירושלים מחר"), "לירושלים_מחר");
    assert_eq!(cut("بالقاهرة غدا"), "بالقاهرة_غدا");
    let starts = |text| bars(text, SpanEdge::Start);
    assert_eq!(starts("לירושלים"), "ל|ירושלים");
    assert_eq!(starts("بالقاهرة"), "ب|ا|ل|قاهرة");
    // Here, a value starts with a word.
    assert_eq!(starts("दिल्ली में तीन"), "दिल्ली_में_तीन");
    assert_eq!(cut("თბილისში"), "თ|ბ|ი|ლ|ი|ს|შ|ი");
    assert_eq!(cut("７時に 東京"), "７|時|に_東|京");
    assert_eq!(cut("１２時 ٧٣٠"), "１２|時_٧٣٠");
}

#[test]
fn the_way_out_of_a_word() {
    let text = "at Kitchen now";
    assert_eq!(outside_word(text, 5, SpanEdge::End, Direction::Forward), 10);
    assert_eq!(outside_word(text, 5, SpanEdge::End, Direction::Back), 3);
    assert_eq!(outside_word(text, 3, SpanEdge::Start, Direction::Forward), 3);
    assert_eq!(word_at(text, 5, SpanEdge::Start), 3..10);
}
