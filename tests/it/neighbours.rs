//! Corpora of families that turnwise does not read: none of them is taken for one that it reads. That nothing is written
//! into such files, `unreadable.rs` asks of many commands.

use std::fs;
use std::path::Path;

use turnwise::format::{Family, detect};
use turnwise::json::Parser;

use crate::support::files::{READ, neighbours, open};

/// The family of a file; None if turnwise does not read it.
fn expected_family(path: &Path) -> Option<&'static str> {
    let path = path.to_string_lossy();
    let mut families = READ.iter();
    families.find_map(|(part, family)| path.contains(part).then_some(*family))
}

#[test]
fn no_real_one_is_taken_for_a_family_that_it_is_not() {
    let Some(files) = neighbours("recognizing") else {
        return;
    };
    for path in files {
        let expected = expected_family(&path);
        let file = open(fs::read(&path).unwrap());
        let found = file.format().map(Family::name);
        assert_eq!(found, expected, "{}", path.display());
        let mut parser = Parser::new();
        for position in 0..file.index().pieces.len() {
            let text = file.text(position).unwrap();
            let found = detect(parser.parse_piece_str(&text).unwrap().root());
            let found = found.ok().map(Family::name);
            assert_eq!(found, expected, "{}: dialog {position}", path.display());
        }
    }
}
