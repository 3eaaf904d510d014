//! The terminal's size changes, often and at odd moments.

use super::harness::Terminal;
use super::output::picture;
use super::setup::Setup;

fn open(columns: u16, rows: u16) -> Terminal {
    let mut terminal = Setup::demo("taskmaster-3.json").size(columns, rows).start();
    terminal.shows("dlg-demo-tm3-01").shows("? help").shows("▲2 problems").shows("15 ▲3");
    terminal.shows("14 ▲3");
    terminal
}

/// The first screen in a terminal of this size.
fn fresh(columns: u16, rows: u16) -> String {
    open(columns, rows).asked()
}

#[test]
fn five_hundred_sizes_end_in_the_picture_of_the_last() {
    let mut terminal = open(100, 30);
    terminal.asked();
    for step in 0..500_u16 {
        terminal.resize(20 + step * 37 % 180, 3 + step * 11 % 57);
    }
    let wanted = fresh(120, 34);
    terminal.resize(120, 34).shows_all_of(&wanted);
}

#[test]
fn screen_that_is_too_small_says_so_and_comes_back() {
    let mut terminal = open(100, 30);
    let before = terminal.asked();
    terminal.resize(39, 30).shows("turnwise needs 40 columns and 8 rows");
    terminal.resize(100, 7).shows("turnwise needs 40 columns and 8 rows");
    terminal.resize(1, 1).wait_for(|screen| picture(screen) == "t\n");
    terminal.resize(100, 30).shows_all_of(&before);
    // It may be too small from the start.
    let mut terminal = Setup::demo("taskmaster-3.json").size(30, 5).start();
    terminal.shows("turnwise needs 40 columns");
    let wanted = fresh(100, 30);
    terminal.resize(100, 30).shows("? help").keys("#");
    terminal.shows_all_of(&wanted);
}

#[test]
fn a_size_that_comes_back_at_once_is_painted_again() {
    let mut terminal = open(100, 30);
    let before = terminal.asked();
    for _ in 0..20 {
        // The terminal loses the text that was cut off, even if the program sees only the last size.
        terminal.resize(50, 10).resize(100, 30);
        terminal.shows_all_of(&before);
    }
}

#[test]
fn redraw_repairs_what_others_have_written() {
    let mut terminal = open(100, 30);
    let before = terminal.settled();
    terminal.scribble("\x1b[5;5Hwall: the system goes down\x1b[20;1H\x1b[J");
    terminal.shows("the system goes down").keys("\x0c");
    terminal.shows_all_of(&before);
}
