//! Themes: a style for each meaning, read from a file.

use std::str::FromStr;

use ratatui::style::{Color, Modifier, Style};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::app::pane::{Ink, TextRun};
use crate::dialog::{Breakdown, Role};

/// The styles of everything on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    styles: [Style; NAMES.len()],
    /// Styles for labels, chosen by their names.
    labels: Vec<Style>,
}

/// The colours that a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// Any red, green and blue.
    True,
    Indexed256,
    Basic16,
    None,
}

/// The elements that a theme styles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StyleKey {
    Plain,
    Dim,
    Strong,
    Title,
    User,
    System,
    Other,
    Call,
    Error,
    Warning,
    Good,
    Added,
    Changed,
    Removed,
    VoteO,
    VoteT,
    VoteX,
    Key,
    Name,
    Text,
    Number,
    Current,
    Selected,
    Hit,
    Bar,
    BarFocused,
    Tab,
    TabFocused,
    Edge,
    Header,
    Window,
}

/// The names of styles in a theme file, in the order of [`StyleKey`].
const NAMES: [&str; 31] = [
    "plain",
    "dim",
    "strong",
    "title",
    "user",
    "system",
    "other",
    "call",
    "error",
    "warning",
    "good",
    "added",
    "changed",
    "removed",
    "vote-o",
    "vote-t",
    "vote-x",
    "key",
    "name",
    "text",
    "number",
    "current",
    "selected",
    "hit",
    "bar",
    "bar-focused",
    "tab",
    "tab-focused",
    "edge",
    "header",
    "window",
];

/// The reason why a theme cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct BadTheme {
    /// From 1.
    pub line: usize,
    pub reason: String,
}

impl Theme {
    /// Reads the theme `text` for a terminal with `colours`.
    ///
    /// # Errors
    /// If it is not valid TOML, or a name, a colour or a modifier in it is unknown.
    pub fn read(text: &str, colours: Colours) -> Result<Self, BadTheme> {
        let bad = |span: std::ops::Range<usize>, reason: String| BadTheme {
            line: 1 + text[..span.start.min(text.len())].matches('\n').count(),
            reason,
        };
        let read = DeTable::parse(text);
        let table = read.map_err(|e| bad(e.span().unwrap_or(0..0), e.message().to_owned()))?;
        let mut theme = Self {
            styles: [Style::new(); NAMES.len()],
            labels: Vec::new(),
        };
        for (name, value) in table.get_ref() {
            let style = |value: &Spanned<DeValue<'_>>| {
                let written = value
                    .get_ref()
                    .as_str()
                    .ok_or_else(|| bad(value.span(), "a style should be a string".to_owned()))?;
                style(written, colours).map_err(|reason| bad(value.span(), reason))
            };
            match NAMES
                .iter()
                .position(|known| *known == name.get_ref().as_ref())
            {
                Some(place) => theme.styles[place] = style(value)?,
                None if name.get_ref() == "labels" => {
                    let all = value.get_ref().as_array();
                    let all = all
                        .ok_or_else(|| bad(value.span(), "`labels` should be a list".to_owned()))?;
                    theme.labels = all.iter().map(style).collect::<Result<_, _>>()?;
                }
                None => {
                    let reason = format!(
                        "unknown entry `{}`; the entries are labels, {}",
                        name.get_ref(),
                        NAMES.join(", ")
                    );
                    return Err(bad(name.span(), reason));
                }
            }
        }
        if theme.labels.is_empty() {
            theme
                .labels
                .push(Style::new().add_modifier(Modifier::UNDERLINED));
        }
        Ok(theme)
    }

    fn look(&self, look: StyleKey) -> Style {
        self.styles[look as usize]
    }

    pub fn ink(&self, ink: Ink) -> Style {
        self.look(match ink {
            Ink::Label(number) => return self.labels[usize::from(number) % self.labels.len()],
            Ink::Plain => StyleKey::Plain,
            Ink::Dim => StyleKey::Dim,
            Ink::Strong => StyleKey::Strong,
            Ink::Title => StyleKey::Title,
            Ink::Speaker(Role::User) => StyleKey::User,
            Ink::Speaker(Role::System) => StyleKey::System,
            Ink::Speaker(Role::Context | Role::Other) => StyleKey::Other,
            Ink::Call => StyleKey::Call,
            Ink::Error => StyleKey::Error,
            Ink::Warning => StyleKey::Warning,
            Ink::Good => StyleKey::Good,
            Ink::Added => StyleKey::Added,
            Ink::Changed => StyleKey::Changed,
            Ink::Removed => StyleKey::Removed,
            Ink::Vote(Breakdown::O) => StyleKey::VoteO,
            Ink::Vote(Breakdown::T) => StyleKey::VoteT,
            Ink::Vote(Breakdown::X) => StyleKey::VoteX,
            Ink::Key => StyleKey::Key,
            Ink::Name => StyleKey::Name,
            Ink::Text => StyleKey::Text,
            Ink::Number => StyleKey::Number,
        })
    }

    /// The style of an ink in the current line, whose background stays.
    pub fn ink_on_current(&self, ink: Ink) -> Style {
        let (ink, current) = (self.ink(ink), self.current());
        Style {
            fg: ink.fg.or(current.fg),
            ..ink.patch(current)
        }
    }

    /// The style of a text run.
    pub fn run(&self, run: &TextRun, current: bool) -> Style {
        let mut style = if current {
            self.ink_on_current(run.ink)
        } else {
            self.ink(run.ink)
        };
        if run.selected {
            style = style.patch(self.look(StyleKey::Selected));
        }
        if run.hit {
            style = style.patch(self.look(StyleKey::Hit));
        }
        if run.caret {
            style = style.add_modifier(Modifier::REVERSED);
        }
        style
    }

    pub fn plain(&self) -> Style {
        self.look(StyleKey::Plain)
    }

    pub fn dim(&self) -> Style {
        self.look(StyleKey::Dim)
    }

    /// The background of the current line.
    pub fn current(&self) -> Style {
        self.look(StyleKey::Current)
    }

    pub fn hit(&self) -> Style {
        self.look(StyleKey::Hit)
    }

    pub fn header(&self) -> Style {
        self.look(StyleKey::Header)
    }

    /// The style of windows over the panes.
    pub fn window(&self) -> Style {
        self.look(StyleKey::Window)
    }

    pub fn title_bar(&self, focused: bool) -> Style {
        self.look(if focused {
            StyleKey::BarFocused
        } else {
            StyleKey::Bar
        })
    }

    pub fn tab(&self, focused: bool) -> Style {
        self.look(if focused {
            StyleKey::TabFocused
        } else {
            StyleKey::Tab
        })
    }

    pub fn edge(&self) -> Style {
        self.look(StyleKey::Edge)
    }
}

/// Parses a style: a colour, `on` a colour, and modifiers, in this order.
fn style(written: &str, colours: Colours) -> Result<Style, String> {
    let mut style = Style::new();
    let mut background = false;
    for word in written.split_whitespace() {
        let emphasis = match word {
            "on" => {
                background = true;
                continue;
            }
            "bold" => Some(Modifier::BOLD),
            "dim" => Some(Modifier::DIM),
            "italic" => Some(Modifier::ITALIC),
            "underline" => Some(Modifier::UNDERLINED),
            "reverse" => Some(Modifier::REVERSED),
            _ => None,
        };
        if let Some(emphasis) = emphasis {
            style = style.add_modifier(emphasis);
            continue;
        }
        let colour = Color::from_str(word).map_err(|_| {
            format!("`{word}` is neither a colour nor an emphasis; use #rrggbb, a name such as blue, or bold, dim, italic, underline, reverse")
        })?;
        let colour = shown_as(colour, colours);
        style = match (colour, background) {
            (None, _) => style,
            (Some(colour), true) => style.bg(colour),
            (Some(colour), false) => style.fg(colour),
        };
        background = false;
    }
    Ok(style)
}

/// The nearest colour that the terminal can show.
fn shown_as(colour: Color, colours: Colours) -> Option<Color> {
    let Color::Rgb(r, g, b) = colour else {
        return (colours != Colours::None).then_some(colour);
    };
    match colours {
        Colours::True => Some(colour),
        Colours::None => None,
        Colours::Indexed256 => {
            let level = |c: u8| (u16::from(c) * 5 + 127) / 255;
            let grey = r.abs_diff(g) < 12 && g.abs_diff(b) < 12;
            let index = if grey {
                let step = (u16::from(r).saturating_sub(8) + 5) / 10;
                232 + step.min(23)
            } else {
                16 + 36 * level(r) + 6 * level(g) + level(b)
            };
            Some(Color::Indexed(index as u8))
        }
        Colours::Basic16 => {
            let distance = |(_, [x, y, z]): &(Color, [u8; 3])| {
                let d = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
                d(r, *x) + d(g, *y) + d(b, *z)
            };
            BASIC
                .iter()
                .min_by_key(|basic| distance(basic))
                .map(|(colour, _)| *colour)
        }
    }
}

/// The sixteen colours, approximately as terminals show them.
const BASIC: [(Color, [u8; 3]); 16] = [
    (Color::Black, [0, 0, 0]),
    (Color::Red, [205, 49, 49]),
    (Color::Green, [13, 188, 121]),
    (Color::Yellow, [190, 150, 16]),
    (Color::Blue, [36, 114, 200]),
    (Color::Magenta, [188, 63, 188]),
    (Color::Cyan, [17, 168, 205]),
    (Color::Gray, [204, 204, 204]),
    (Color::DarkGray, [102, 102, 102]),
    (Color::LightRed, [241, 76, 76]),
    (Color::LightGreen, [35, 209, 139]),
    (Color::LightYellow, [245, 245, 67]),
    (Color::LightBlue, [59, 142, 234]),
    (Color::LightMagenta, [214, 112, 214]),
    (Color::LightCyan, [41, 184, 219]),
    (Color::White, [255, 255, 255]),
];

/// The built-in themes: name and text.
pub static THEMES: &[(&str, &str)] = &[
    ("dark", include_str!("../../assets/themes/dark.toml")),
    ("light", include_str!("../../assets/themes/light.toml")),
    (
        "colour-blind-safe",
        include_str!("../../assets/themes/colour-blind-safe.toml"),
    ),
    (
        "colour-blind-safe-light",
        include_str!("../../assets/themes/colour-blind-safe-light.toml"),
    ),
    (
        "monochrome",
        include_str!("../../assets/themes/monochrome.toml"),
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_theme_names_everything_for_every_terminal() {
        for (name, text) in THEMES {
            for colours in [
                Colours::True,
                Colours::Indexed256,
                Colours::Basic16,
                Colours::None,
            ] {
                Theme::read(text, colours).unwrap_or_else(|error| panic!("{name}: {error}"));
            }
            for known in NAMES {
                assert!(
                    text.contains(&format!("\n{known} = ")),
                    "{name} says nothing of {known}"
                );
            }
        }
    }

    #[test]
    fn names_are_in_the_order_of_looks() {
        let look = |look: StyleKey| NAMES[look as usize];
        assert_eq!(
            (look(StyleKey::VoteX), look(StyleKey::Window)),
            ("vote-x", "window")
        );
        for (at, name) in NAMES.iter().enumerate() {
            let theme = Theme::read(&format!("{name} = \"bold\""), Colours::True).expect("good");
            assert_eq!(
                theme.styles.iter().position(|style| *style != Style::new()),
                Some(at)
            );
        }
    }

    /// The contrast that the Web Content Accessibility Guidelines require for text: 4.5 to 1.
    #[test]
    fn everything_can_be_read() {
        let channel = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.040_45 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        let luminance = |colour: Color| match colour {
            Color::Rgb(r, g, b) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b),
            other => panic!("{other}"),
        };
        for (name, text) in THEMES {
            let ground = if name.contains("light") { 255 } else { 0 };
            let ground = Color::Rgb(ground, ground, ground);
            let theme = Theme::read(text, Colours::True).expect("good");
            let styles = theme.styles.iter().zip(NAMES);
            let labels = theme.labels.iter().map(|style| (style, "labels"));
            for (style, what) in styles.chain(labels).filter(|(_, what)| *what != "edge") {
                let (Some(fg), bg) = (style.fg, style.bg.unwrap_or(ground)) else {
                    continue;
                };
                let (one, other) = (luminance(fg) + 0.05, luminance(bg) + 0.05);
                let contrast = one.max(other) / one.min(other);
                assert!(contrast >= 4.5, "{what} in {name}: {contrast:.2}");
            }
        }
    }

    #[test]
    fn the_monochrome_theme_has_no_colour() {
        let (_, text) = THEMES.last().expect("there is one");
        let theme = Theme::read(text, Colours::True).expect("good");
        for style in theme.styles.iter().chain(&theme.labels) {
            assert_eq!((style.fg, style.bg), (None, None));
        }
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let why = |text: &str| {
            Theme::read(text, Colours::True)
                .expect_err(text)
                .to_string()
        };
        assert!(
            why("\nplane = \"red\"")
                .starts_with("line 2: unknown entry `plane`; the entries are labels, ")
        );
        assert!(why("plain = \"blurple\"").contains("`blurple` is neither a colour"));
        assert!(why("labels = \"red\"").contains("a list"));
    }

    #[test]
    fn colours_come_down_to_what_the_terminal_has() {
        let shown = |colours| shown_as(Color::Rgb(240, 80, 80), colours);
        assert_eq!(shown(Colours::Basic16), Some(Color::LightRed));
        assert_eq!(
            shown(Colours::Indexed256),
            Some(Color::Indexed(16 + 36 * 5 + 12 + 2))
        );
        assert_eq!(shown(Colours::None), None);
    }
}
