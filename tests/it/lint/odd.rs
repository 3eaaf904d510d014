//! Dialogs in which something is of another kind than it should be are linted like any other.

use serde_json::{Value, json};
use turnwise::format::detect;
use turnwise::json::Parser;
use turnwise::lint::Selection;

use super::found_in;
use crate::support::amount;
use crate::support::files::{open_path, own, own_files, spread, without_key};

/// The most dialogs of each file.
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
fn many_odd_values_stop_no_rule() {
    let mut selection = Selection::none();
    selection.select("all").unwrap();
    let mut linted = 0;
    let demo = own_files().into_iter().filter(|p| p.starts_with(own("assets/demo")));
    for path in demo {
        let file = open_path(&path).unwrap();
        for position in spread((0..file.index().pieces.len()).collect(), DIALOGS) {
            let dialog: Value =
                serde_json::from_str(without_key(&file.text(position).unwrap())).unwrap();
            let mut all = Vec::new();
            places(&dialog, "", &mut all);
            for place in spread(all, amount(10, 40)) {
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
    assert!(linted > amount(500, 2000), "{linted}");
}
