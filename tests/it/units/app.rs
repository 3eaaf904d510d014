//! Parts of the screen by themselves: fields, keys, the manual, panes, settings.

use std::ops::Range;

use ratatui::layout::Size;
use turnwise::app::input::*;
use turnwise::app::manual::*;
use turnwise::app::pane::line::*;
use turnwise::app::pane::scrolling::*;
use turnwise::app::pane::transcript::marks::*;
use turnwise::app::pane::transcript::ranges::*;
use turnwise::app::pane::*;
use turnwise::app::settings::*;
use turnwise::query::Query;
use turnwise::shell::KEYMAPS;
use turnwise::text::lanes;

#[test]
fn rows_are_those_of_the_wrapped_text() {
    let mut field = TextField::new("one two three\n\n日本語👨‍👩‍👧x four");
    let mut walk = |by| {
        field.step_row(8, by, false);
        let text = field.text();
        let byte = field.cursor_byte();
        text[byte..].chars().take(3).collect::<String>()
    };
    assert_eq!(walk(-1), "👨‍👩");
    assert_eq!(walk(-1), "\n日本");
    assert_eq!(walk(-1), "thr");
    assert_eq!(walk(-1), "one");
    assert_eq!(walk(-1), "one");
    assert_eq!(walk(9), "x f");
}

#[test]
fn steps_select_what_they_pass() {
    let mut field = TextField::new("one\ntwo");
    field.step_row(8, -1, true);
    assert_eq!(field.selection(), Some(3..7));
    field.step_row(8, 1, false);
    assert_eq!(field.selection(), None);
}

#[test]
fn keys_can_be_read_as_they_are_written_and_shown() {
    for text in [
        "a", "A", "?", "C-p", "A-x", "C-A-x", "S-tab", "pgdn", "space", "f12", "é", "C-left", "-",
        "C--", "#", "up", "enter", "del", "ins",
    ] {
        let key: Key = text.parse().expect(text);
        assert_eq!(key.to_string().parse(), Ok(key), "{text}");
        for names in [KeyNames::Signs, KeyNames::Words] {
            assert_eq!(key.shown(names).parse(), Ok(key), "{text}");
        }
    }
}

#[test]
fn case_matters_only_in_a_letter_by_itself() {
    for (text, same) in [
        ("ctrl-x", "C-x"),
        ("CTRL-X", "C-x"),
        ("ctrl-alt-x", "C-A-x"),
        ("alt-x", "A-x"),
        ("alt-X", "A-X"),
        ("C-P", "C-P"),
        ("shift-tab", "S-tab"),
        ("SHIFT-F5", "S-f5"),
        ("PGDN", "pgdn"),
        ("ctrl-left", "C-left"),
        ("Ctrl+X", "C-x"),
        ("ctrl+alt+left", "C-A-left"),
        ("PageDown", "pgdn"),
        ("Escape", "esc"),
    ] {
        let key: Key = text.parse().expect(text);
        assert_eq!(key.to_string(), same, "{text}");
    }
}

#[test]
fn names_of_unknown_keys_are_refused() {
    for text in [
        "", "ab", "C-", "S-a", "f0", "f25", "f1x", " ", "ctrl-", "ctrl a", "C-C-a", "C-ctrl-a",
        "Returned",
    ] {
        assert!(text.parse::<Key>().is_err(), "{text}");
    }
}

fn why(text: &str) -> String {
    Keymap::read(text).expect_err(text).to_string()
}

#[test]
fn mistakes_are_named_with_their_line() {
    assert!(why("[nowhere]\n").starts_with("1:2: there is no scope `nowhere`"));
    assert_eq!(why("[help]\n\nfly = \"x\"\n"), "3:1: there is no command `fly`");
    assert!(why("[help]\nquit = \"ctrl x\"\n").starts_with("2:8: `ctrl` is not a key"));
    let twice = "[dialogs]\nquit = \"x\"\nhelp = [\"y\", \"x\"]\n";
    assert!(why(twice).contains("`x` is bound to both"));
    assert!(why("[dialogs]\nquit = \"g\"\nhelp = \"g g\"\n").contains("to both"));
    assert!(why("[help\n").starts_with("1:"));
    assert!(why("[help]\nquit = 3\n").starts_with("2:"));
}

#[test]
fn keys_from_which_nobody_gets_out_are_refused() {
    for (keys, lacking) in [
        (
            "[everywhere]\nquit = []\npalette = []\n",
            "`quit` or `palette` needs a key in [everywhere]",
        ),
        ("[question]\nanswer_later = []\n", "`answer_later` needs a key in [question]"),
        (
            "[review]\nreview_apply = [\"esc\", \"q\", \"C-c\"]\n",
            "`review_close` needs a key in [review]",
        ),
    ] {
        let mut keymap = Keymap::read(KEYMAPS[0].1).unwrap();
        keymap.merge(keys).unwrap();
        assert!(keymap.lacks().unwrap().starts_with(lacking), "{:?}", keymap.lacks());
    }
}

#[test]
fn old_names_of_commands_still_work() {
    let keymap = Keymap::read("[question]\nanswer_harmless = \"x\"\n").unwrap();
    assert_eq!(keymap.shown(Command::AnswerLater), "x");
    assert_eq!(keymap.old_names["answer_harmless"], Command::AnswerLater);
    // Two commands have become one, which keeps the keys of the other.
    let mut keymap = Keymap::read(KEYMAPS[0].1).unwrap();
    keymap.merge("[question]\nanswer_safe = \"x\"\n").unwrap();
    let keys = keymap.keys_of(Command::AnswerLater, &[Scope::Question]);
    assert_eq!(keys.collect::<Vec<_>>(), ["Esc", "Enter", "Ctrl-C", "x"]);
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

fn shown(text: &str, columns: usize) -> Vec<String> {
    let page = page(text, columns, usize::MAX);
    page.lines.iter().map(|line| line.text().trim_end().to_owned()).collect()
}

#[test]
fn paragraphs_lists_and_code_are_wrapped() {
    let text = "# Title\n\nOne two\nthree `four` <!--x-->five.\n\n- a b c d e f\n- **g**\n\n```sh\nturnwise demo   # not wrapped\n```\nend";
    let expected = "Title\n\nOne two\nthree four\nfive.\n\n• a b c d e\n  f\n• g\n\n  \
                    turnwise demo   # not wrapped\n\nend";
    assert_eq!(shown(text, 12).join("\n"), expected);
}

#[test]
fn lines_end_before_code() {
    let text = "one `:two`, `.three` four";
    assert_eq!(shown(text, 10), ["one :two,", ".three", "four"]);
}

#[test]
fn a_table_takes_what_room_there_is() {
    let text =
        "| key | what it does |\n|---|---|\n| `a` | adds one more of them |\n| `\\|` | b |\n";
    assert_eq!(
        shown(text, 18),
        ["key  what it does", "a    adds one more", "     of them", "|    b"]
    );
    assert_eq!(shown("| | |\n|---|---|\n| a | b |\n", 18), ["a  b"]);
}

#[test]
fn links_lead_to_chapters() {
    let page = page("one\n\nsee my [teams](teams.md#x) and [x](y.md)", 8, 80);
    let links: Vec<_> = page.links.iter().map(|(at, to)| (*at, to.name)).collect();
    // In the second row of the paragraph.
    assert_eq!(links, [(3, "teams")]);
}

#[test]
fn texts_are_marked_over_the_ends_of_lines() {
    let sought = |text: &str| text.parse::<Query>().unwrap().sought();
    let lines = |text: &str| wrapped(Line::of(Ink::Dim, "  → "), Ink::Plain, text, 14);
    let marked = |lines: &[Line]| -> Vec<String> {
        let runs = lines.iter().flat_map(|line| &line.runs);
        let hits = runs.filter(|run| run.hit);
        hits.map(|run| run.text.to_string()).collect()
    };
    let mut two = lines("one two three four five");
    assert_eq!(mark_found(&mut two, &sought("two three")), [0]);
    assert_eq!(marked(&two), ["two", "three"]);
    let mut three = lines("one two three four one");
    assert_eq!(mark_found(&mut three, &sought("four")), [1]);
    assert_eq!(marked(&three), ["four"]);
    let text: String = three[1].runs.iter().map(|run| run.text.as_str()).collect();
    assert_eq!(text, "    three four");
    let mut long = lines("abcdefghijklmnopqrst");
    assert_eq!(mark_found(&mut long, &sought("ijkl")), [0]);
    assert_eq!(marked(&long), ["ij", "kl"]);
    assert!(mark_found(&mut long, &sought("→")).is_empty());
    let mut all = lines("one two three four one two one");
    assert_eq!(mark_found(&mut all, &sought("one")), [0, 2, 3]);
}

#[test]
fn panes_never_overlap_and_never_leave_the_screen() {
    for columns in 40..230 {
        for focus in Focus::ALL {
            for side in [Focus::Dialogs, Focus::Details] {
                let size = Size::new(columns, 20);
                let side = if focus == Focus::Transcript { side } else { focus };
                let layout = Layout::new(size, focus, side, true).expect("room");
                let panes = [layout.dialogs, layout.transcript, layout.details];
                let mut used = 0;
                for pane in panes.into_iter().filter(|pane| !pane.is_empty()) {
                    assert!(pane.x >= used, "{columns} {focus:?}");
                    used = pane.right();
                    assert!(used <= columns);
                }
                assert!(!layout.pane(focus).is_empty());
            }
        }
    }
    assert_eq!(Layout::new(Size::new(39, 20), Focus::Dialogs, Focus::Dialogs, true), None);
}

#[test]
fn long_texts_are_cut_with_a_mark() {
    assert_eq!(truncated("plain", 5), "plain");
    assert_eq!(truncated("plain text", 5), "plai…");
    assert_eq!(truncated("plain te\u{301}xt", 5), "plai…");
    assert_eq!(truncated("plaine\u{301}", 6), "plaine\u{301}");
    assert_eq!(truncated("世界世界", 5), "世界…");
    assert_eq!(truncated("a\tb", 3), "a→b");
    assert_eq!(elided("dlg-demo-tm4-02", 10), "dlg-…m4-02");
    assert_eq!(elided("dlg-1", 10), "dlg-1");
    assert_eq!(path_end("a/b.json", 8), "a/b.json");
    assert_eq!(path_end("folder/below/b.json", 12), "…elow/b.json");
    assert_eq!(path_end("世界/世界/b.json", 12), "…世界/b.json");
    assert_eq!(path_end("folder/corpus.json", 10), "corp….json");
    assert_eq!(path_end("folder/corpus.json", 11), "corpus.json");
}

#[test]
fn names_are_wrapped_between_their_parts() {
    let lines = wrapped_name(
        Line::of(Ink::Dim, "  "),
        Ink::Plain,
        "time.reservation.averyverylongpart",
        14,
    );
    let texts: Vec<_> = lines.iter().map(Line::text).collect();
    assert_eq!(texts, ["  time.", "  reservation.", "  averyverylon", "  gpart"]);
}

#[test]
fn wrapped_lines_hang_under_the_first() {
    let lines = wrapped(Line::of(Ink::Dim, "ab "), Ink::Plain, "one two three\nfour", 11);
    let texts: Vec<_> = lines.iter().map(Line::text).collect();
    assert_eq!(texts, ["ab one two", "   three", "   four"]);
}

/// The heights of blocks.
struct Heights(Vec<usize>);

impl Blocks for Heights {
    type Block = usize;

    fn below(&mut self, block: usize) -> Option<usize> {
        Some(block + 1).filter(|below| *below < self.0.len())
    }

    fn above(&mut self, block: usize) -> Option<usize> {
        block.checked_sub(1)
    }

    fn height(&mut self, block: usize) -> usize {
        self.0[block]
    }
}

#[test]
fn a_walk_goes_from_line_to_line() {
    let mut heights = Heights(vec![2, 0, 1, 3, 0]);
    let lines: Vec<_> = [(0, 0), (0, 1), (2, 0), (3, 0), (3, 1), (3, 2)]
        .map(|(block, line)| LinePosition { block, line })
        .into();
    for (number, from) in lines.iter().enumerate() {
        for by in -9..9 {
            let to = number.saturating_add_signed(by).min(lines.len() - 1);
            assert_eq!(heights.walk(*from, by), lines[to], "{from:?} {by}");
        }
        assert_eq!(heights.page(*from, 9), lines[number..]);
        assert_eq!(heights.page(*from, 1), lines[number..=number]);
    }
}

/// Returns the lines under `text` in `room` columns, for segments of these bytes with these names.
fn drawn(text: &str, segments: &[(std::ops::Range<usize>, &str)], room: usize) -> Vec<String> {
    let (ranges, names): (Vec<_>, Vec<_>) = segments.iter().cloned().unzip();
    let name = |text: &str| MarkName { text: text.to_owned(), worst: None };
    let names: Vec<_> = names.into_iter().map(name).collect();
    let lanes = lanes(text, &(0..text.len()), &ranges, |_| 0);
    let look = |item: usize| (Ink::Plain, &names[item], false);
    let lines = mark_lines(&lanes, &names, room);
    let lines = lines.iter().map(|line| mark_line(line, look, 0).text());
    lines.collect()
}

#[test]
fn names_without_room_are_below_their_bars() {
    let text = "We are 8 people at 7 pm near the park.";
    assert_eq!(
        drawn(text, &[(7..8, "guests.number"), (9..15, "guests.kind"), (19..23, "time")], 40),
        ["       ▔ ▔▔▔▔▔▔    ▔▔▔▔ time", "       │ └ guests.kind", "       └ guests.number",]
    );
}

#[test]
fn short_bars_of_one_label_in_a_row_have_its_name_once_with_their_number() {
    let text = "5:45pm, 7:50pm and 10:15pm for two";
    assert_eq!(
        drawn(text, &[(0..6, "time"), (8..14, "time"), (19..26, "time"), (31..34, "seats")], 50),
        ["▔▔▔▔▔▔  ▔▔▔▔▔▔     ▔▔▔▔▔▔▔     ▔▔▔ seats", "└ time  └ time     └ time",]
    );
    let letters = "a b c d e f g h i j k l m";
    let all: Vec<_> = (0..13).map(|i| (2 * i..2 * i + 1, "a.b")).collect();
    assert_eq!(drawn(letters, &all, 40), ["▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ a.b ×13"]);
    let edge = ["▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔ ▔", "                a.b ×13 ┘"];
    assert_eq!(drawn(letters, &all, 25), edge);
    // Of two, both have it unless it is beside the second.
    let pair = [(0..3, "seats"), (4..7, "seats"), (8..12, "movie")];
    assert_eq!(drawn("two for Dune", &pair, 40), ["▔▔▔ ▔▔▔ ▔▔▔▔ movie", "│   └ seats", "└ seats"]);
    assert_eq!(drawn("two for Dune", &pair[..2], 40), ["▔▔▔ ▔▔▔ seats ×2"]);
    assert_eq!(
        drawn("two for Dune at Odeon", &[(0..12, "at"), (13..21, "at")], 40),
        ["▔▔▔▔▔▔▔▔▔▔▔▔ ▔▔▔▔▔▔▔▔ at", "└ at"]
    );
}

#[test]
fn overlapping_bars_have_lines_of_their_own() {
    assert_eq!(
        drawn("two for Dune", &[(0..12, "all"), (8..12, "movie")], 20),
        ["▔▔▔▔▔▔▔▔▔▔▔▔ all", "        ▔▔▔▔ movie"]
    );
}

#[test]
fn stretches_that_touch_a_row_are_found_by_where_they_begin() {
    let ranges = Ranges::new([8..12, 0..30, 2..4, 12..14, 6..6].into_iter());
    let touching = |row: Range<usize>| ranges.touching(&row);
    assert_eq!(touching(12..13), [(0..30, 1), (12..14, 3)]);
    assert_eq!(touching(0..2), [(0..30, 1)]);
    assert_eq!(touching(5..9), [(0..30, 1), (8..12, 0)]);
    assert!(touching(30..40).is_empty());
    assert!(Ranges::default().touching(&(0..9)).is_empty());
    assert!(ranges.overlap());
    assert!(!Ranges::new([4..8, 0..4, 2..2].into_iter()).overlap());
}

#[test]
fn a_long_stretch_hides_none_of_many() {
    let words = (0..5_000).map(|i| 5 * i..5 * i + 4);
    let ranges = Ranges::new(std::iter::once(0..25_000).chain(words));
    for row in [0..20, 12_340..12_380, 24_980..25_000] {
        let numbers: Vec<_> = ranges.touching(&row).into_iter().map(|(_, i)| i).collect();
        let first = 1 + row.start / 5;
        let expected: Vec<_> = std::iter::once(0).chain(first..first + row.len() / 5).collect();
        assert_eq!(numbers, expected);
    }
}

#[test]
fn good_settings_hold_and_bad_ones_are_reported() {
    let (settings, wrong) =
        Settings::read("theme = \"light\"\nmouse = 1\ncolour = true\nannotator = \"mk\"\n");
    assert_eq!(
        (settings.theme.as_str(), settings.annotator.as_str(), settings.mouse),
        ("light", "mk", true)
    );
    assert_eq!(wrong.len(), 2);
    assert_eq!(wrong[0].to_string(), "2:9: `mouse`: invalid type: integer `1`, expected a boolean");
    assert!(
        wrong[1].to_string().starts_with("3:1: `colour`: unknown field `colour`, expected one of")
    );
    assert_eq!(Settings::read("").0, Settings::default());
    for nobody in ["crowd", "a\\nb"] {
        let (settings, wrong) = Settings::read(&format!("annotator = \"{nobody}\""));
        assert_eq!(settings.annotator, "");
        let expected = "`annotator`: should be an id of visible characters, but not `crowd`";
        assert_eq!((wrong.len(), wrong[0].reason.as_str()), (1, expected));
    }
    assert_eq!(Settings::read("annotator = \" mk \"").0.annotator, "mk");
    assert!(!Settings::read("theme = ").1.is_empty());
}

#[test]
fn columns_are_named_and_unknown_ones_reported_with_their_line() {
    let text = "[list]\ncolumns = [\n  \"reward\",\n  'votes',\n]\n";
    let (settings, wrong) = Settings::read(text);
    assert_eq!(wrong, Vec::new());
    let shown = |settings: &Settings| {
        let list = SETTINGS.iter().find(|setting| setting.name == "list");
        list.map(|list| list.shown(settings)).unwrap_or_default()
    };
    assert_eq!(shown(&settings), "{ columns = [\"reward\", \"votes\"] }");
    let again = format!("list = {}", shown(&settings));
    assert_eq!(shown(&Settings::read(&again).0), shown(&settings));
    for (value, message) in [
        ("columns = [\n\"turns\"]", "`list`: `turns` should be a column other than"),
        ("columns = [\" x\"]", "`list`: ` x` should be `votes`, `segments`, "),
        ("columns = \"votes\"", "`list`: invalid type: string"),
        ("columns = [1]", "`list`: invalid type: integer"),
        ("\nrows = 3", "`list`: unknown field `rows`"),
    ] {
        let (settings, wrong) = Settings::read(&format!("[list]\n{value}"));
        assert_eq!(settings, Settings::default(), "{value}");
        assert!(wrong.len() == 1 && wrong[0].reason.starts_with(message), "{wrong:?}");
    }
}

#[test]
fn printed_settings_can_be_read() {
    let settings = Settings {
        annotator: "m \"k\"".to_owned(),
        mouse: false,
        reveal: Reveal::Dialog,
        autosave: Autosave::Off,
        labels: toml::from_str("a = { digit = 1 }\n'b.c' = { colour = 3, digit = 2 }").unwrap(),
        queries: toml::from_str("\"long ones\" = 'turns>20 \"a b\"'").unwrap(),
        ..Settings::default()
    };
    let shown = |s: &Setting| format!("{} = {}\n", s.name, s.shown(&settings));
    let text: String = SETTINGS.iter().map(shown).collect();
    assert_eq!(Settings::read(&text), (settings, Vec::new()));
}
