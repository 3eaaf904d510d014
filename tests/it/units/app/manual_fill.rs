//! Tests of `src/app/manual/fill.rs`.

use turnwise::app::input::Keymap;
use turnwise::app::manual::*;

#[test]
fn keys_are_those_of_the_keymap() {
    let keymap = Keymap::read(
        "[everywhere]\nquit = \"x\"\nhelp = [\"|\", \"`\"]\n[span]\nquit = \"Ctrl-Q\"\n",
    )
    .unwrap();
    let fill = |text: &str| filled(text, &keymap, |_| None);
    assert_eq!(fill("`q`<!--quit--> quits\n"), "`x`<!--quit--> quits\n");
    assert_eq!(
        fill("a `b` c `q`<!--span.quit-->, `q`<!--quit-->"),
        "a `b` c `Ctrl-Q`<!--span.quit-->, `x`<!--quit-->"
    );
    assert_eq!(
        fill("| `?`, `q` | `x` <!-- help, span.quit --> |"),
        "| `\\|`, `Ctrl-Q` | `x` <!-- help, span.quit --> |"
    );
    assert_eq!(fill("`?`<!--help 2-->"), "`` ` ``<!--help 2-->");
    assert_eq!(fill("`j`<!--turn_next-->"), "`:turn_next`<!--turn_next-->");
}

#[test]
fn tables_take_the_place_of_rows() {
    let keymap = Keymap::read("").unwrap();
    let table = |kind: &str| (kind == "x").then(|| "| new |\n".to_owned());
    let fill = |text: &str| filled(text, &keymap, table);
    let filled = "a\n<!-- table: x -->\n| new |\nb\n";
    assert_eq!(fill("a\n<!-- table: x -->\n| old |\nb\n"), filled);
    assert_eq!(fill("a\n<!-- table: x -->\nb\n"), filled);
    assert_eq!(fill("<!-- table: y -->\n| old |\n"), "<!-- table: y -->\n| old |\n");
}
