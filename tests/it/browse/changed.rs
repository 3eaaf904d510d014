//! Files that another program changes while the user reads.

use std::time::Duration;

use turnwise::app::{Effect, Msg};

use super::{Driver, demo};

/// How often the program checked for changes since the last time.
fn looks(driver: &mut Driver) -> usize {
    let wanted = std::mem::take(&mut driver.wanted);
    wanted.iter().filter(|e| **e == Effect::CheckFiles).count()
}

fn changed(driver: &mut Driver, file: usize) {
    let saving = false;
    driver.tell(Msg::Changed { file, saving });
}

#[test]
fn files_are_checked_while_the_user_reads_and_not_at_every_dialog() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.tell(Msg::Now(Duration::from_millis(1900)));
    driver.press("J");
    assert_eq!(looks(&mut driver), 0);
    driver.tell(Msg::Now(Duration::from_secs(2)));
    driver.press("j k");
    assert_eq!(looks(&mut driver), 0, "only as another dialog is shown");
    driver.press("J K K J J");
    assert_eq!(looks(&mut driver), 1);
    driver.tell(Msg::Now(Duration::from_millis(3900)));
    driver.tell(Msg::Focused);
    assert_eq!(looks(&mut driver), 1);
    driver.tell(Msg::Now(Duration::from_secs(4)));
    driver.press("K");
    assert_eq!(looks(&mut driver), 0, "it was just looked");
}

#[test]
fn change_of_a_file_is_asked_about_where_that_is_read() {
    let files = [demo("taskmaster-3.json"), demo("sim-m.json")];
    let mut driver = Driver::open(&files, 120, 40);
    let told = "sim-m.json was changed by another program";
    let asked = "do not reload it";
    changed(&mut driver, 1);
    driver.shows(told).shows_not(asked);
    driver.press("J J").shows_not(told);
    driver.press("J").shows(told).shows(asked);
    driver.press("n").shows_not(told);
    // Asked and answered.
    changed(&mut driver, 1);
    driver.shows_not(told).press("K J").shows_not(told);
    changed(&mut driver, 0);
    driver.shows_not(asked).press("K").shows(asked);
    driver.shows("taskmaster-3.json was changed by another program");
    // The question closes when the file is reloaded.
    let demo = demo("taskmaster-3.json");
    let other = format!("{}\n", demo.1);
    let mut driver = Driver::open(&[demo], 120, 40);
    changed(&mut driver, 0);
    driver.shows("was changed by another program");
    driver.reload(0, other);
    driver.shows("reloaded taskmaster-3.json").shows_not("was changed by another program");
}

#[test]
fn a_change_seen_while_the_file_is_saved_is_left_to_the_save() {
    let mut driver = Driver::demo("taskmaster-1.json", 120, 40);
    driver.press("3 g l ]").shows("●1 unsaved");
    let effects = driver.app.update(Msg::Key("C-s".parse().unwrap()));
    assert_eq!(effects, [Effect::Save { file: 0, changing_owner: false }]);
    changed(&mut driver, 0);
    driver.shows_not("was changed by another program");
    driver.tell(Msg::Changed { file: 0, saving: true });
    driver.shows("was changed by another program");
}

#[test]
fn a_file_that_comes_back_broken_says_where() {
    let (name, text) = demo("taskmaster-3.json");
    for (broken, why) in [
        (text.replacen("\"dlg-demo-tm3-03\"", "\"dlg-demo-tm3-03", 1), "malformed (line "),
        ("[{".to_owned(), "cannot be read: line 1, column "),
    ] {
        let mut driver = Driver::open(&[(name, text.clone())], 120, 40);
        driver.reload(0, broken);
        driver.shows("reloaded taskmaster-3.json").shows(why);
    }
}
