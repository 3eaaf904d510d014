//! Random keys in any order on any screen: nothing breaks, and undoing everything restores the
//! bytes.

use proptest::prelude::*;
use ratatui::layout::Size;
use turnwise::app::input::{Key, Keymap};
use turnwise::app::{Mouse, MouseAction, Msg};
use turnwise::shell::KEYMAPS;

use super::{Driver, demo};
use crate::support::amount;

const FILES: [&str; 7] = [
    "taskmaster-1.json",
    "taskmaster-3.json",
    "taskmaster-4.json",
    "sim-m.json",
    "sim-gen.json",
    "dbdc/demo_003.log.json",
    "dbdc/demo_001.labels.json",
];

const MOUSE: &[MouseAction] = {
    use MouseAction::{Drag, Press, Release, WheelDown, WheelUp};
    &[Press, Drag, Release, WheelUp, WheelDown]
};

/// Something that happens: a key of the keymap, any letter, the mouse, another size.
#[derive(Clone, Debug)]
pub enum Happens {
    Keys(Vec<Key>),
    Letter(char),
    Mouse(MouseAction, u16, u16),
    Size(u16, u16),
    Paste(String),
}

pub fn happens() -> impl Strategy<Value = Happens> {
    let keymap = Keymap::read(KEYMAPS[0].1).unwrap();
    let keys: Vec<_> = keymap.bindings().iter().map(|b| b.keys.clone()).collect();
    prop_oneof![
        12 => prop::sample::select(keys).prop_map(Happens::Keys),
        3 => prop::char::range(' ', '~').prop_map(Happens::Letter),
        2 => (prop::sample::select(MOUSE), 0..150_u16, 0..50_u16)
            .prop_map(|(action, x, y)| Happens::Mouse(action, x, y)),
        1 => (1..150_u16, 1..50_u16).prop_map(|(x, y)| Happens::Size(x, y)),
        1 => ".{0,12}".prop_map(Happens::Paste),
    ]
}

pub fn tell(driver: &mut Driver, happens: &Happens) {
    match happens {
        Happens::Keys(keys) => {
            for key in keys {
                driver.tell(Msg::Key(*key));
            }
        }
        Happens::Letter(letter) => {
            let key = if *letter == ' ' { "space".to_owned() } else { letter.to_string() };
            driver.tell(Msg::Key(key.parse().unwrap()));
        }
        Happens::Mouse(action, column, row) => {
            driver.tell(Msg::Mouse(Mouse { action: *action, column: *column, row: *row }));
        }
        Happens::Size(columns, rows) => {
            driver.tell(Msg::Resize(Size::new(*columns, *rows)));
        }
        Happens::Paste(text) => driver.tell(Msg::Paste(text.clone())),
    }
}

/// The first row on the screen is one that its turn does not have in a wider pane.
#[test]
fn a_pane_gets_wider_while_it_begins_within_a_turn() {
    let mut driver = Driver::open(&[demo("taskmaster-4.json")], 120, 40);
    driver.press("end up A down");
    let (columns, rows) = (40, 42);
    driver.tell(Msg::Resize(Size::new(columns, rows)));
    driver.screen();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(amount(24, 96)))]

    #[test]
    fn nothing_breaks_in_many_keys_and_everything_can_be_undone(
        file in prop::sample::select(&FILES[..]),
        all in prop::collection::vec(happens(), 1..120),
    ) {
        let mut driver = Driver::open(&[demo(file), demo("taskmaster-2.json")], 120, 40);
        let original = [driver.bytes(0), driver.bytes(1)];
        for happens in &all {
            tell(&mut driver, happens);
            driver.screen();
        }
        // Nothing is done where nothing is seen.
        let (columns, rows) = (120, 40);
        driver.tell(Msg::Resize(Size::new(columns, rows)));
        driver.press("esc esc esc esc");
        while !driver.app.workspace.steps.applied().is_empty() {
            let before = driver.app.workspace.steps.applied().len();
            driver.press("u");
            // A reverted step comes back before any earlier step is undone.
            let fewer = driver.app.workspace.steps.applied().len() < before;
            prop_assert!(fewer || driver.screen().contains("restored: "), "{}", driver.screen());
        }
        prop_assert_eq!([driver.bytes(0), driver.bytes(1)], original);
    }
}
