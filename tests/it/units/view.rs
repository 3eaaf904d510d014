//! Themes and colours.

use ratatui::style::{Color, Modifier, Style};
use turnwise::app::pane::{Ink, TextRun};
use turnwise::app::settings::COLOURS;
use turnwise::dialog::{Breakdown, Role};
use turnwise::view::theme::*;
use turnwise::view::*;

#[test]
fn colours_come_down_to_what_the_terminal_has() {
    let shown = |colours: Colours| colours.nearest(Color::Rgb(240, 80, 80));
    assert_eq!(shown(Colours::Basic16), Some(Color::LightRed));
    assert_eq!(shown(Colours::Indexed256), Some(Color::Indexed(16 + 36 * 5 + 6 + 1)));
    assert_eq!(shown(Colours::None), None);
}

#[test]
fn each_label_differs_from_other_labels_and_from_speakers() {
    for (name, text) in THEMES.iter().filter(|(name, _)| *name != "monochrome") {
        let theme = Theme::read(text, Colours::True).expect("good");
        let labels: Vec<_> = (0..COLOURS).map(|n| theme.ink(Ink::Label(n))).collect();
        for (number, label) in labels.iter().enumerate() {
            assert!(!labels[..number].contains(label), "{name}: {number}");
            for other in [Role::User, Role::System, Role::Other].map(Ink::Speaker) {
                assert_ne!(theme.ink(other).fg, label.fg, "{name}: {number} {other:?}");
            }
            for other in [Ink::Error, Ink::Warning, Ink::Call, Ink::Good] {
                assert_ne!(theme.ink(other).fg, label.fg, "{name}: {number} {other:?}");
            }
        }
    }
}

#[test]
fn mistakes_are_named_with_their_line() {
    let why = |text: &str| Theme::read(text, Colours::True).expect_err(text).to_string();
    assert!(
        why("\nplane = \"red\"")
            .starts_with("2:1: unknown entry `plane`; the entries are labels, ")
    );
    assert!(why("plain = \"blurple\"").contains("`blurple` is neither a colour"));
    assert!(why("labels = \"red\"").contains("a list"));
}

#[test]
fn names_are_in_the_order_of_looks() {
    let look = |look: StyleKey| NAMES[look as usize];
    assert_eq!((look(StyleKey::VoteX), look(StyleKey::Window)), ("vote-x", "window"));
    for (at, name) in NAMES.iter().enumerate() {
        let theme = Theme::read(&format!("{name} = \"bold\""), Colours::True).expect("good");
        assert_eq!(theme.styles.iter().position(|style| *style != Style::new()), Some(at));
    }
}

#[test]
fn every_theme_names_everything_for_every_terminal() {
    for (name, text) in THEMES {
        for colours in [Colours::True, Colours::Indexed256, Colours::Basic16, Colours::None] {
            Theme::read(text, colours).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        for known in NAMES {
            assert!(text.contains(&format!("\n{known} = ")), "{name} says nothing of {known}");
        }
    }
}

/// Every ink but those of labels.
#[rustfmt::skip]
const INKS: [Ink; 22] = [
    Ink::Plain, Ink::Dim, Ink::Strong, Ink::Title, Ink::Call, Ink::Key, Ink::Name, Ink::Text,
    Ink::Speaker(Role::User), Ink::Speaker(Role::System), Ink::Speaker(Role::Other),
    Ink::Speaker(Role::Context), Ink::Vote(Breakdown::O), Ink::Vote(Breakdown::T),
    Ink::Vote(Breakdown::X), Ink::Error, Ink::Warning, Ink::Good, Ink::Added, Ink::Changed,
    Ink::Removed, Ink::Number,
];

fn luminance(colour: Color) -> f64 {
    let channel = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let [r, g, b] = match colour {
        Color::Rgb(r, g, b) => [r, g, b],
        Color::Indexed(index) => indexed(index),
        other => panic!("{other}"),
    };
    0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)
}

fn contrast(one: Color, other: Color) -> f64 {
    let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
    one.max(other) / one.min(other)
}

/// Returns the text and the background of a style on a terminal with these colours of its own.
fn shown(style: Style, (text, ground): (Color, Color)) -> (Color, Color) {
    let (fg, bg) = (style.fg.unwrap_or(text), style.bg.unwrap_or(ground));
    if style.add_modifier.contains(Modifier::REVERSED) { (bg, fg) } else { (fg, bg) }
}

/// Returns every style of a text in a theme, with its description.
fn styles(theme: &Theme) -> Vec<(Style, String)> {
    let labels = (0..COLOURS).map(Ink::Label);
    let mut styles = Vec::new();
    for ink in labels.chain(INKS) {
        for (place, ground) in
            [("panes", theme.plain()), ("windows", theme.plain().patch(theme.window()))]
        {
            for current in [false, true] {
                let row = if current { ground.patch(theme.current()) } else { ground };
                // Only the text of turns and the strip of votes are selected.
                let can_be_selected = matches!(
                    ink,
                    Ink::Label(_)
                        | Ink::Barred(_)
                        | Ink::Plain
                        | Ink::Vote(_)
                        | Ink::Dim
                        | Ink::Title
                );
                for selected in [false, true] {
                    if selected && !can_be_selected {
                        continue;
                    }
                    for hit in [false, true] {
                        let run = TextRun { ink, hit, selected, ..TextRun::default() };
                        let what = format!(
                            "{ink:?} in {place}, current: {current}, selected: {selected}, hit: {hit}"
                        );
                        styles.push((row.patch(theme.run(&run, current)), what));
                    }
                }
            }
        }
    }
    for focused in [false, true] {
        for (what, style) in [
            ("title bar", theme.title_bar(focused)),
            ("tab", theme.title_bar(focused).patch(theme.tab(focused))),
        ] {
            styles.push((style, format!("{what}, focused: {focused}")));
        }
    }
    for ink in [Ink::Plain, Ink::Dim, Ink::Error, Ink::Warning, Ink::Changed, Ink::Good] {
        let style = theme.on_header(ink);
        styles.push((style, format!("{ink:?} in the header")));
    }
    styles
}

#[test]
fn each_text_can_be_read_on_each_background() {
    let grey = |value: u8| Color::Rgb(value, value, value);
    let mut weak = Vec::new();
    for (name, text) in THEMES {
        let terminals = if name.contains("light") {
            [(grey(0x40), grey(0xf8)), (grey(0x40), grey(0xff))]
        } else {
            [(grey(0xbf), grey(0)), (grey(0xbf), grey(0x1e))]
        };
        for colours in [Colours::True, Colours::Indexed256] {
            let theme = Theme::read(text, colours).unwrap();
            for (style, what) in styles(&theme) {
                assert!(
                    !style.add_modifier.contains(Modifier::DIM),
                    "{name}: no terminal says how faint faint is: {what}"
                );
                for terminal in terminals {
                    let (fg, bg) = shown(style, terminal);
                    let contrast = contrast(fg, bg);
                    if contrast < 4.5 {
                        weak.push(format!(
                            "{name} {colours:?}: {what}: {fg} on {bg}: {contrast:.2}"
                        ));
                    }
                }
            }
        }
    }
    weak.dedup();
    assert!(weak.is_empty(), "{}\n{}", weak.len(), weak.join("\n"));
}
