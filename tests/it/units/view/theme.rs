//! Tests of `src/view/theme.rs`.

use ratatui::style::Style;
use turnwise::app::pane::Ink;
use turnwise::app::settings::COLOURS;
use turnwise::dialog::Role;
use turnwise::view::theme::*;
use turnwise::view::*;

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
            .starts_with("line 2: unknown entry `plane`; the entries are labels, ")
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
