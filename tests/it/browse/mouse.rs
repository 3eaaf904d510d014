//! The mouse over the text of turns: the text under it at the press stays under it.

use ratatui::layout::Size;
use turnwise::app::pane::body;
use turnwise::app::{Caret, Mouse, MouseAction, Msg};
use turnwise::text::Units;

use super::Driver;

fn tell(driver: &mut Driver, action: MouseAction, (column, row): (u16, u16)) {
    driver.tell(Msg::Mouse(Mouse { action, column, row }));
}

/// The selected text of the current turn.
fn selected(driver: &Driver) -> Option<String> {
    let span = driver.app.panes.transcript.caret.and_then(Caret::selection)?;
    let turn = driver.app.panes.transcript.current()?;
    let covered = turn.covered(span, Units::CodePoints)?;
    Some(covered.to_string())
}

/// Beyond the edge of the screen a turn goes on that is higher than it.
#[test]
fn dragging_out_of_the_screen_goes_on_in_the_turn() {
    let mut driver = Driver::demo("taskmaster-3.json", 60, 9);
    driver.app.panes.transcript.go(5);
    driver.press("home").app.panes.transcript.go(5);
    driver.press("esc");
    let (x, y) = driver.place_of("There’s");
    tell(&mut driver, MouseAction::Press, (x, y));
    for column in 0..30 {
        tell(&mut driver, MouseAction::Drag, (x + 30 + column % 2, 8));
    }
    let turn = &driver.app.panes.transcript.dialog.turns[5];
    let said = selected(&driver).unwrap();
    assert!(said.starts_with("There’s") && turn.text.starts_with(&said));
    assert!(said.contains("Which"), "{said}\n{}", driver.screen());
    tell(&mut driver, MouseAction::Release, (x, 8));
    driver.shows("Which works");
}

/// Whatever turn is current, and wherever on the screen another one is.
#[test]
fn no_row_moves_under_the_mouse() {
    for size in [(120, 40), (80, 16), (60, 9)] {
        let mut driver = Driver::demo("taskmaster-3.json", size.0, size.1);
        let turns = driver.app.panes.transcript.len();
        for current in (0..turns).step_by(3) {
            for row in 0..usize::from(size.1) {
                driver.press("esc");
                driver.app.panes.transcript.go(current);
                let (columns, rows) = size;
                driver.tell(Msg::Resize(Size::new(columns, rows)));
                let Some(shown) = driver.app.panes.transcript.page.get(row).cloned() else {
                    break;
                };
                let Some(anchor) = shown.line().anchor else {
                    continue;
                };
                let text =
                    &driver.app.panes.transcript.dialog.turns[shown.turn()].text[anchor.byte..];
                let wanted: String = text.chars().take(4).collect();
                let body = body(driver.app.panes.layout().unwrap().transcript);
                let (x, y) = (body.x + anchor.column as u16, body.y + row as u16);
                let end = x + wanted.chars().count() as u16 - 1;
                if usize::from(end) >= usize::from(body.x) + shown.line().width() || end == x {
                    continue;
                }
                driver.drag((x, y), (end, y));
                let found = selected(&driver);
                assert_eq!(found, Some(wanted), "{size:?} {current} {row}");
            }
        }
    }
}
