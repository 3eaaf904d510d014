//! Tests of `src/app/input/keymap.rs`.

use turnwise::app::input::*;

fn why(text: &str) -> String {
    Keymap::read(text).expect_err(text).to_string()
}

#[test]
fn mistakes_are_named_with_their_line() {
    assert!(why("[nowhere]\n").starts_with("line 1: there is no scope `nowhere`"));
    assert_eq!(why("[help]\n\nfly = \"x\"\n"), "line 3: there is no command `fly`");
    assert!(why("[help]\nquit = \"ctrl x\"\n").starts_with("line 2: `ctrl` is not a key"));
    let twice = "[dialogs]\nquit = \"x\"\nhelp = [\"y\", \"x\"]\n";
    assert!(why(twice).contains("`x` is bound to both"));
    assert!(why("[dialogs]\nquit = \"g\"\nhelp = \"g g\"\n").contains("to both"));
    assert!(why("[help\n").starts_with("line 1"));
    assert!(why("[help]\nquit = 3\n").starts_with("line 2"));
}

#[test]
fn a_users_file_adds_and_replaces() {
    let mut keymap =
        Keymap::read("[everywhere]\nquit = [\"q\", \"C-q\"]\nhelp = \"?\"\n").expect("good");
    keymap.merge("[everywhere]\nquit = \"Z Z\"\nredraw = \"?\"\n").expect("good");
    let find = |keys: &str| {
        let keys: Vec<Key> = keys.split(' ').map(|k| k.parse().expect("key")).collect();
        match keymap.find(&[Scope::Everywhere], &keys) {
            KeyLookup::Command(command) => command.name(),
            KeyLookup::More => "more",
            KeyLookup::Nothing => "nothing",
        }
    };
    assert_eq!(
        (find("q"), find("Z"), find("Z Z"), find("?")),
        ("nothing", "more", "quit", "redraw")
    );
}
