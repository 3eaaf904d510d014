//! Lines that are too long for their window.

use super::Driver;

/// The lines in the window at the bottom.
fn inside(driver: &Driver) -> Vec<String> {
    let screen = driver.screen();
    let lines = screen.lines().map(|line| line.trim_end_matches('│'));
    let lines = lines.filter(|line| line.starts_with('│'));
    lines.map(|line| line.trim_end().to_owned()).collect()
}

#[test]
fn rows_of_the_palette_end_in_an_ellipsis_or_a_key() {
    let mut driver = Driver::demo("dbdc/demo_001.log.json", 80, 24);
    driver.press("f6 :").type_text("list_fold");
    driver.shows("list_fold").shows("…  ←");
    driver.press("esc esc :").type_text("adjudicate");
    driver.shows("adjudicator mode on or off: decide the gold…  =");
}

#[test]
fn fixes_are_cut_with_an_ellipsis() {
    for columns in [40, 60, 80] {
        let mut driver = Driver::demo("taskmaster-1.json", columns, 10);
        driver.press("n f").shows("end at");
        let wide = turnwise::text::width;
        for line in inside(&driver) {
            let whole = wide(&line) + 1 < usize::from(columns);
            assert!(whole || line.ends_with('…'), "{}", driver.screen());
        }
    }
    let mut driver = Driver::demo("taskmaster-1.json", 40, 10);
    driver.press("n f").shows_end("…");
}
