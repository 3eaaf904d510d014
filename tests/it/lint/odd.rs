//! Dialogs in which something is of another kind than it should be are linted like any other.

use serde_json::{Value, json};
use turnwise::format::detect;
use turnwise::json::Parser;
use turnwise::lint::Selection;

use super::found_in;
use crate::support::files::{open_path, own, own_files, spread, without_key};

/// The most places of each dialog, and dialogs of each file.
const PLACES: usize = 40;
const DIALOGS: usize = 2;

/// Pointers to everything in a value.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(list) => {
            for (i, value) in list.iter().enumerate() {
                places(value, &format!("{at}/{i}"), found);
            }
        }
        Value::Object(members) => {
            for (key, value) in members {
                let key = key.replace('~', "~0").replace('/', "~1");
                places(value, &format!("{at}/{key}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn nothing_in_a_dialog_stops_the_rules() {
    let mut selection = Selection::none();
    selection.select("all").unwrap();
    let mut linted = 0;
    let demo = own_files()
        .into_iter()
        .filter(|p| p.starts_with(own("assets/demo")));
    for path in demo {
        let file = open_path(&path).unwrap();
        for position in spread((0..file.index().pieces.len()).collect(), DIALOGS) {
            let dialog: Value =
                serde_json::from_str(without_key(&file.text(position).unwrap())).unwrap();
            let mut all = Vec::new();
            places(&dialog, "", &mut all);
            for place in spread(all, PLACES) {
                for odd in [
                    json!(null),
                    json!(4_000_000_000_u32),
                    json!(""),
                    json!("’ 7"),
                    json!([]),
                    json!({}),
                ] {
                    let mut changed = dialog.clone();
                    *changed.pointer_mut(&place).unwrap() = odd;
                    let text = changed.to_string();
                    let mut parser = Parser::new();
                    if detect(parser.parse_str(&text).unwrap().root()).is_ok() {
                        found_in(&text, &selection);
                        linted += 1;
                    }
                }
            }
        }
    }
    assert!(linted > 2000, "{linted}");
}
