//! Dialogs broken in small ways: no rule panics, every problem has a place in the dialog, and every fix
//! is applied or refused.

use turnwise::format::{FORMATS, Family, edit};
use turnwise::json::{Escapes, Parser};
use turnwise::lint::{ParsedDialog, Selection};

use super::with_linter;
use crate::formats::mutated::each_broken;
use crate::support::amount;

fn look_at(format: &'static Family, text: &str) {
    let mut selection = Selection::none();
    selection.select("all").unwrap();
    let mut parser = Parser::new();
    let tree = parser.parse_str(text).unwrap();
    let (dialog, issues) = format.read(tree);
    let read = ParsedDialog { dialog: &dialog, issues: &issues, format, tree };
    for diagnostic in with_linter(&selection, |linter| linter.find(read)) {
        let location = diagnostic.location;
        // An element that is not an object is not a turn; its issues are reported for the dialog.
        let turn = location.turn.map(|turn| dialog.turns.get(turn));
        if let (Some(turn), Some(segment)) = (turn, location.segment) {
            let held = turn.is_some_and(|turn| segment < turn.segments.len());
            assert!(held, "{diagnostic:?}\n{text}");
        }
        assert!(location.at.start <= location.at.end && location.at.end as usize <= text.len());
        assert!(!diagnostic.message.is_empty());
        for fix in &diagnostic.fixes {
            assert!(!fix.title.is_empty() && !fix.edits.is_empty(), "{fix:?}");
            let mut text = text.to_owned();
            for change in &fix.edits {
                match edit(format, &text, Escapes::default(), change) {
                    Ok(edited) => text = edited.text,
                    Err(_) => break,
                }
            }
        }
    }
}

#[test]
fn many_broken_dialogs_are_looked_at_without_a_panic() {
    for format in FORMATS.iter() {
        each_broken(format, amount(50, 200), |text| look_at(format, text));
    }
}
