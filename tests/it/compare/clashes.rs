//! Changes of both sides that meet in one place: both are there, or a conflict says what is not.

use serde_json::json;

use super::untold::{Change, Copies, set};

/// One side has changed the tokens of a text by hand, the other the text with its tokens.
#[test]
fn tokens_that_one_side_changes_and_a_text_that_the_other_changes_are_a_conflict() {
    let copies = Copies::of("sim-r.json");
    let utterance = "/0/turns/1/system_utterance";
    let tokens = &copies.base.pointer(utterance).unwrap()["tokens"];
    let tokens: Vec<_> = tokens.as_array().unwrap().clone();
    let (mut fewer, mut other, mut more) = (tokens.clone(), tokens.clone(), tokens.clone());
    fewer.remove(1);
    other[2] = json!("may not");
    more.insert(1, json!("very"));
    for by_hand in [fewer, other, more] {
        let by_hand = set("/0/turns/1/system_utterance/tokens", json!(by_hand));
        let text = set(
            "/0/turns/1/system_utterance",
            json!({"slots": [], "text": "noon please", "tokens": ["noon", "please"]}),
        );
        for (ours, theirs) in [
            (&by_hand as Change<'_>, &text as Change<'_>),
            (&text, &by_hand),
        ] {
            let (code, out, conflicts) = copies.merged(ours, theirs);
            let mut expected = copies.base.clone();
            ours(&mut expected);
            assert_eq!((code, out), (1, expected));
            assert_eq!(conflicts.lines().count(), 1, "{conflicts}");
            assert!(conflicts.contains(r#""conflict":"tokens","#), "{conflicts}");
            assert!(conflicts.contains("set_text"), "{conflicts}");
        }
    }
}
