//! Tests of `src/judging/scheme.rs`.

use turnwise::judging::*;

#[test]
fn bundled_schemes_are_valid() {
    for (name, text) in BUNDLED {
        let scheme = Scheme::read(text, "").expect(name);
        assert_eq!(scheme.name, name);
        assert!(
            !scheme.text.is_empty()
                && scheme.questions.iter().all(|question| !question.text.is_empty())
        );
    }
}
