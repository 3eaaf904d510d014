//! Dialogs that a line beside the corpus excludes, on the screen; `tests/cases/cli/lint.md` shows commands.

use crate::browse::Driver;

#[test]
fn the_screen_passes_over_an_excluded_dialog() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 30);
    driver.press("n").shows("▲");
    driver.press("C-x").shows("reason to exclude this dialog");
    driver
        .type_text("a test call")
        .press("enter")
        .shows("recorded in turnwise.ignores.jsonl · Ctrl-X includes it again")
        .shows("⊘ excluded")
        .press("i")
        .shows("excluded  a test call");
    let id = "dlg-demo-tm3-01";
    let row = |driver: &mut Driver| {
        let screen = driver.screen();
        screen
            .lines()
            .find(|line| line.contains(id) && line.contains('│'))
            .map(str::to_owned)
            .unwrap()
    };
    assert!(row(&mut driver).contains('⊘'), "{}", driver.screen());
    // A query that asks for excluded dialogs finds them.
    driver.press("F").type_text("excluded").press("enter");
    driver.shows("Dialogs  1 of 1 · hits").shows(id).press("esc");
    driver.find("speaker:user not excluded");
    let others = driver.app.search.count();
    driver.press("esc").find("speaker:user excluded or speaker:user");
    assert!(driver.app.search.count() > others);
    driver.press("esc").find("speaker:user");
    assert_eq!(driver.app.search.count(), others);
    driver.press("n").shows("dlg-demo-tm3-02  2 of 3").shows("2 of 14");
    driver.press("esc #").type_text(id).press("enter").press("C-x").shows("no longer excluded");
    assert_eq!(driver.beside, "");
    assert!(!row(&mut driver).contains('⊘'));
}
