//! Tests of `src/lint/facts/alike.rs`.

use turnwise::lint::facts::alike::*;

#[test]
fn alike_but_for_case_spaces_and_punctuation() {
    assert!(alike("No  Time to die ", "no time To Die", Tolerance::Case));
    assert!(alike("Landmark’s", "landmark's", Tolerance::Case));
    assert!(!alike("sci-fi", "scifi", Tolerance::Case));
    assert!(alike("sci-fi", "SciFi", Tolerance::Punctuation));
    let text = "at the Grand 12, the grand 12";
    let places = places_alike(&folded(text, Tolerance::Case), "The Grand  12", Tolerance::Case);
    assert_eq!(places, [3..15, 17..29]);
    let letter = folded("a", Tolerance::Punctuation);
    assert!(places_alike(&letter, "...", Tolerance::Punctuation).is_empty());
}

#[test]
fn alike_but_for_slips() {
    let text = folded("we ate at Thursday Kitchen then", Tolerance::Case);
    assert_eq!(nearest(&text, "Thurday Kitchen"), Some((10..26, 1)));
    assert_eq!(nearest(&text, "Thursday Kitchens"), Some((10..26, 1)));
    assert_eq!(nearest(&text, "Friday Dinner"), None);
    assert_eq!(nearest(&text, "ate"), None);
    assert_eq!(nearest(&folded("", Tolerance::Case), "Thursday"), None);
}
