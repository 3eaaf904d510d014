//! Themes: a style for each meaning, read from a file.

use std::ops::Range;
use std::str::FromStr;

use ratatui::style::{Color, Modifier, Style};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Colours;
use crate::app::pane::{Ink, TextRun};
use crate::dialog::{Breakdown, Role};
use crate::json::BadText;

/// The styles of everything on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    pub styles: [Style; NAMES.len()],
    /// Styles for labels, chosen by their names.
    labels: Vec<Style>,
}

/// The elements that a theme styles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StyleKey {
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
pub const NAMES: [&str; 31] = [
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

impl Theme {
    /// Reads the theme `text` for a terminal with `colours`.
    ///
    /// # Errors
    /// If it is not valid TOML, or a name, a colour or a modifier in it is unknown.
    pub fn read(text: &str, colours: Colours) -> Result<Self, BadText> {
        let bad = |span: Range<usize>, reason: String| BadText::at(text, span.start, reason);
        let table = DeTable::parse(text).map_err(|error| BadText::in_toml(text, &error))?;
        let mut theme = Self { styles: [Style::new(); NAMES.len()], labels: Vec::new() };
        for (name, value) in table.get_ref() {
            let style = |value: &Spanned<DeValue<'_>>| {
                let written = value
                    .get_ref()
                    .as_str()
                    .ok_or_else(|| bad(value.span(), "a style should be a string".to_owned()))?;
                style(written, colours).map_err(|reason| bad(value.span(), reason))
            };
            match NAMES.iter().position(|known| *known == name.get_ref().as_ref()) {
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
            theme.labels.push(Style::new().add_modifier(Modifier::UNDERLINED));
        }
        Ok(theme)
    }

    fn look(&self, look: StyleKey) -> Style {
        self.styles[look as usize]
    }

    pub fn ink(&self, ink: Ink) -> Style {
        self.look(match ink {
            Ink::Label(number) => return self.label(number.into()),
            Ink::Barred(number) => {
                let mut style = self.label(number.into());
                style.add_modifier.remove(Modifier::UNDERLINED);
                return style;
            }
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

    /// Returns the style of a label's colour; past the last colour of the theme, the first ones come again with
    /// a second mark.
    fn label(&self, number: usize) -> Style {
        const MARKS: [Modifier; 4] = [
            Modifier::empty(),
            Modifier::BOLD,
            Modifier::ITALIC,
            Modifier::BOLD.union(Modifier::ITALIC),
        ];
        let (round, place) = (number / self.labels.len(), number % self.labels.len());
        self.labels[place].add_modifier(MARKS[round % MARKS.len()])
    }

    /// Returns the style of an ink in the current line, whose background stays.
    pub fn ink_on_current(&self, ink: Ink) -> Style {
        let (ink, current) = (self.ink(ink), self.current());
        Style { fg: ink.fg.or(current.fg), ..ink.patch(current) }
    }

    /// Returns the style of a text run.
    pub fn run(&self, run: &TextRun, current: bool) -> Style {
        let mut style = if current { self.ink_on_current(run.ink) } else { self.ink(run.ink) };
        if run.differs {
            let differs = Modifier::BOLD | Modifier::UNDERLINED;
            style = style.patch(self.look(StyleKey::Changed)).add_modifier(differs);
        }
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

    /// Returns the background of the current line.
    pub fn current(&self) -> Style {
        self.look(StyleKey::Current)
    }

    pub fn header(&self) -> Style {
        self.look(StyleKey::Header)
    }

    /// Returns the style of an ink in the header, whose background stays.
    pub fn on_header(&self, ink: Ink) -> Style {
        let (ink, header) = (self.ink(ink), self.header());
        Style { fg: ink.fg.or(header.fg), bg: header.bg, ..header.patch(ink) }
    }

    /// Returns the style of windows over the panes.
    pub fn window(&self) -> Style {
        self.look(StyleKey::Window)
    }

    pub fn title_bar(&self, focused: bool) -> Style {
        self.look(if focused { StyleKey::BarFocused } else { StyleKey::Bar })
    }

    pub fn tab(&self, focused: bool) -> Style {
        self.look(if focused { StyleKey::TabFocused } else { StyleKey::Tab })
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
        let colour = colours.nearest(colour);
        style = match (colour, background) {
            (None, _) => style,
            (Some(colour), true) => style.bg(colour),
            (Some(colour), false) => style.fg(colour),
        };
        background = false;
    }
    Ok(style)
}

/// The built-in themes: name and text.
pub static THEMES: &[(&str, &str)] = &[
    ("dark", include_str!("../../assets/themes/dark.toml")),
    ("light", include_str!("../../assets/themes/light.toml")),
    ("colour-blind-safe", include_str!("../../assets/themes/colour-blind-safe.toml")),
    ("colour-blind-safe-light", include_str!("../../assets/themes/colour-blind-safe-light.toml")),
    ("monochrome", include_str!("../../assets/themes/monochrome.toml")),
];
