//! Starting and leaving: the terminal is taken over, asked, given back, and the place remembered.

use std::path::Path;

use super::corpora::numbered;
use super::harness::outcome;
use super::setup::Setup;

#[test]
fn first_dialog_of_a_corpus_is_on_the_screen_and_q_leaves() {
    let mut terminal = Setup::demo("taskmaster-3.json").start();
    terminal.shows("taskmaster-3.json  dlg-demo-tm3-01  1 of 3");
    terminal.shows("Transcript  turn 0 · 16 turns").shows("? help");
    assert!(!terminal.is_cooked());
    terminal.look(|screen| {
        assert!(screen.alternate_screen());
        assert!(screen.hide_cursor());
        assert!(screen.bracketed_paste());
    });
    assert_eq!(outcome(terminal.keys("q").ends()), "exit 0");
    assert_eq!(terminal.is_restored().picture().trim(), "");
}

#[test]
fn demo_tells_where_what_was_saved_stays() {
    let setup = Setup::new().auto_theme().argument("demo").argument("--theme");
    let setup = setup.argument("dark").annotator("mk");
    let mut terminal = setup.size(120, 40).start();
    terminal.shows("judged 0/").keys("@demo_001.log\r").shows("turn 1 ·");
    terminal.keys("o").shows("O on turn 1");
    terminal.keys("\x13").shows("saved dbdc/demo_001.log.json");
    assert_eq!(outcome(terminal.keys("q").ends()), "exit 0");
    let said = terminal.picture();
    let kept = said.trim().strip_prefix("your changes to the demo are in ").expect(&said);
    let log = Path::new(kept).join("dbdc/demo_001.log.json");
    assert!(std::fs::read_to_string(log).unwrap().contains("\"mk\""));
    std::fs::remove_dir_all(kept).unwrap();
}

#[test]
fn without_files_it_offers_the_folder_or_the_demo() {
    let here = || Setup::new().auto_theme().variable("COLORFGBG", "15;0");
    let mut terminal = here().start();
    terminal.shows("There are no JSON files in this folder. Open the demo?").keys("q\n");
    assert_eq!(outcome(terminal.ends()), "exit 0");
    for (answer, shown) in [("\n", "some.json"), ("d\n", "taskmaster-1.json")] {
        let mut terminal = here().file("some.json", numbered(1, 2)).start();
        terminal.shows("Open the JSON files in this folder, or the demo?").keys(answer);
        terminal.shows(shown).shows("? help");
        assert_eq!(outcome(terminal.keys("q").ends()), "exit 0");
    }
}

#[test]
fn files_of_one_name_are_distinguished_by_their_folders() {
    let mut setup = Setup::new();
    for folder in ["a/one", "a/two", "b/one"] {
        setup = setup.file(&format!("{folder}/dev.json"), numbered(1, 2)).argument(folder);
    }
    let mut terminal = setup.file("a/two/test.json", numbered(1, 2)).start();
    // One file is read after the other.
    terminal.shows("1 of 4").shows("a/one/dev.json  dlg-0");
    terminal.keys("J").shows("two/dev.json  dlg-0");
    terminal.keys("J").shows(" test.json  dlg-0");
    terminal.keys("J").shows("b/one/dev.json  dlg-0");
}

#[test]
fn session_in_which_nothing_could_be_read_forgets_no_place() {
    let corpus = numbered(5, 30);
    let mut terminal = Setup::text("corpus.json", &corpus).start();
    terminal.shows("  1 of 5").keys("JJ12g").shows("turn 12 ·");
    let path = terminal.folder().join("corpus.json");
    terminal.keys("q").ends();
    std::fs::write(&path, "").unwrap();
    let mut terminal = terminal.again();
    terminal.shows("there are no dialogs here").keys("q").ends();
    let path = terminal.folder().join("corpus.json");
    std::fs::write(path, corpus).unwrap();
    terminal.again().shows("  3 of 5").shows("turn 12 ·");
}

/// Every cell with its colours; nobody sees the foreground of a space.
pub fn painted(screen: &vt100::Screen) -> Vec<(String, Option<vt100::Color>, vt100::Color)> {
    let (rows, columns) = screen.size();
    let (rows, columns) = (rows.get(), columns.get());
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let cells = places.filter_map(|(row, column)| screen.cell(row, column));
    let painted = cells.map(|cell| {
        let text = cell.contents().trim();
        let ink = (!text.is_empty()).then(|| cell.fgcolor());
        (text.to_owned(), ink, cell.bgcolor())
    });
    painted.collect()
}

#[test]
fn background_that_the_terminal_tells_chooses_the_theme() {
    let (black, white) = ("0000/0000/0000", "ffff/ffff/ffff");
    for (colours, theme) in [([black, white], "light"), ([white, black], "dark")] {
        // Nothing is wrong with it, so that no mark comes later.
        let corpus = || Setup::text("corpus.json", numbered(2, 4)).auto_theme();
        let mut asked = corpus().answers(colours).start();
        let setup = corpus();
        let mut told = setup.argument("--theme").argument(theme).start();
        for terminal in [&mut asked, &mut told] {
            terminal.shows("dlg-1").asked();
        }
        assert_eq!(asked.look(painted), told.look(painted));
        let bytes = asked.bytes();
        assert!(bytes.windows(6).any(|bytes| bytes == b"\x1b]11;?"));
    }
}

#[test]
fn a_failed_start_is_reported_on_the_plain_screen() {
    let wrong_theme = Setup::demo("sim-m.json").auto_theme().argument("--theme");
    let no_way_out = "[review]\nreview_apply = [\"esc\", \"q\", \"C-c\"]\n";
    for (setup, told) in [
        (Setup::new().argument("gone.json"), "gone.json: cannot be opened"),
        (
            Setup::new().argument("--keymap=default").argument("keys"),
            "put the options after keys: ",
        ),
        (Setup::new().argument("."), "no .json, .jsonl or .ndjson file"),
        (wrong_theme.argument("purple"), "unknown theme purple; use one of"),
        (
            Setup::demo("sim-m.json").configured("keys.toml", no_way_out),
            "keys.toml: `review_close` needs a key in [review]",
        ),
    ] {
        let mut terminal = setup.size(200, 10).start();
        assert_eq!(outcome(terminal.ends()), "exit 2");
        terminal.shows(told).is_restored();
    }
}

#[test]
fn settings_with_unknown_names_are_reported_and_stop_nothing() {
    let setup = Setup::demo("sim-m.json").auto_theme().size(160, 20);
    let settings = "keymap = \"violet\"\ntheme = \"purple\"\n";
    let mut terminal = setup.configured("settings.toml", settings).start();
    terminal.shows("settings.toml: unknown keymap violet; use one of: default, annotator");
    terminal.keys("j").shows("turn 1 ·");
    assert_eq!(outcome(terminal.keys("q").ends()), "exit 0");
}

#[test]
fn a_user_without_a_home_can_read() {
    let setup = Setup::demo("sim-m.json").variable("HOME", "/dev/null");
    let setup = setup.variable("XDG_CONFIG_HOME", "/dev/null");
    let mut terminal = setup.variable("XDG_STATE_HOME", "/dev/null").start();
    terminal.shows("dlg-demo-simm-01").keys("j").shows("turn 1 ·").shows_not("/dev/null");
    assert_eq!(outcome(terminal.keys("q").ends()), "exit 0");
}

#[test]
fn dumb_terminal_gets_what_a_pipe_gets() {
    let setup = Setup::demo("sim-m.json").auto_theme();
    let mut terminal = setup.variable("TERM", "dumb").size(100, 200).start();
    assert_eq!(outcome(terminal.ends()), "exit 0");
    let bytes = terminal.bytes();
    assert!(!bytes.contains(&b'\x1b'), "nothing is painted");
    terminal.shows("dlg-demo-simm-01");
}

#[test]
fn a_locale_that_shows_only_ascii_is_reported() {
    for (name, locale) in [("LC_ALL", "C"), ("LANG", "de_DE.ISO-8859-1")] {
        let setup = Setup::demo("sim-m.json").variable(name, locale);
        let mut terminal = setup.start();
        let told =
            format!("{name}={locale}: only ASCII is shown; set C.UTF-8 to show all characters");
        terminal.shows(&told).shows("dlg-demo-simm-01");
        terminal.keys("j").shows("Transcript  turn 1").shows_not(&told);
    }
}
