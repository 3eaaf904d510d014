//! Tests of `src/app/settings.rs`.

use turnwise::app::settings::*;

#[test]
fn good_settings_hold_and_bad_ones_are_reported() {
    let (settings, wrong) =
        Settings::read("theme = \"light\"\nmouse = 1\ncolour = true\nannotator = \"mk\"\n");
    assert_eq!(
        (settings.theme.as_str(), settings.annotator.as_str(), settings.mouse),
        ("light", "mk", true)
    );
    assert_eq!(wrong.len(), 2);
    assert_eq!(wrong[0], "line 2: `mouse`: invalid type: integer `1`, expected a boolean");
    assert!(wrong[1].starts_with("line 3: `colour`: unknown field `colour`, expected one of"));
    assert_eq!(Settings::read("").0, Settings::default());
    for nobody in ["crowd", "a\\nb"] {
        let (settings, wrong) = Settings::read(&format!("annotator = \"{nobody}\""));
        assert_eq!(settings.annotator, "");
        let expected =
            "line 1: `annotator`: should be an id of visible characters, but not `crowd`";
        assert_eq!(wrong, [expected]);
    }
    assert_eq!(Settings::read("annotator = \" mk \"").0.annotator, "mk");
    assert!(!Settings::read("theme = ").1.is_empty());
}

#[test]
fn columns_are_named_and_unknown_ones_reported_with_their_line() {
    let text = "[list]\ncolumns = [\n  \"reward\",\n  'votes',\n]\n";
    let (settings, wrong) = Settings::read(text);
    assert_eq!(wrong, Vec::<String>::new());
    let shown = |settings: &Settings| {
        let list = SETTINGS.iter().find(|setting| setting.name == "list");
        list.map(|list| list.shown(settings)).unwrap_or_default()
    };
    assert_eq!(shown(&settings), "{ columns = [\"reward\", \"votes\"] }");
    let again = format!("list = {}", shown(&settings));
    assert_eq!(shown(&Settings::read(&again).0), shown(&settings));
    let mut list = settings.list;
    list.locate("settings.toml", text);
    let places: Vec<_> = list.iter().map(|column| column.place.as_str()).collect();
    assert_eq!(places, ["settings.toml: line 3", "settings.toml: line 4"]);
    for (value, message) in [
        ("columns = [\n\"turns\"]", "line 2: `list`: `turns` should be a column that"),
        ("columns = [\" x\"]", "line 2: `list`: ` x` should be `votes`, `segments`, "),
        ("columns = \"votes\"", "line 2: `list`: invalid type: string"),
        ("columns = [1]", "line 2: `list`: invalid type: integer"),
        ("\nrows = 3", "line 3: `list`: unknown field `rows`"),
    ] {
        let (settings, wrong) = Settings::read(&format!("[list]\n{value}"));
        assert_eq!(settings, Settings::default(), "{value}");
        assert!(wrong.len() == 1 && wrong[0].starts_with(message), "{wrong:?}");
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
