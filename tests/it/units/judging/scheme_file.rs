//! Tests of `src/judging/scheme_file.rs`.

use turnwise::judging::*;

#[test]
fn bad_schemes_are_refused_with_the_line() {
    let question = |rest: &str| format!("[[question]]\nname = \"q\"\nof = \"turn\"\n{rest}");
    let two = "values = [\n  { name = \"a\", key = \"k\" },\n  { name = \"b\", key = \"k\" },\n]\n";
    let cases = [
        (question(&format!("kind = \"choice\"\n{two}")), "line 7: two values have the key `k`"),
        (question("kind = \"choice\"\n"), "line 4: \"q\" needs at least two `values`"),
        (question("kind = \"text\"\nfor = \"turns>\"\n"), "line 5: `for`: "),
        (question("kind = \"text\"\nlevel = \"ordinal\"\n"), "line 5: only a scale has a level"),
        (question("kind = \"text\"\ncolour = 1\n"), "line 5: unknown field `colour`"),
        (
            question("kind = \"yes\"\n"),
            "line 4: the kind \"yes\" is not one of: choice, scale, yes-no, tags, text",
        ),
        (question("kind = \"text\"\n").repeat(2), "line 6: there are two questions \"q\""),
    ];
    for (text, expected) in cases {
        let why = Scheme::read(&text, "s").unwrap_err().to_string();
        assert!(why.starts_with(expected), "{why}");
    }
}
