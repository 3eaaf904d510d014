//! Tests of `src/text/tokens.rs`.

use turnwise::text::*;

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
