//! Keys, and how they are written: `a`, `A`, `C-p`, `A-x`, `S-tab`, `pgdn`.

use std::fmt;
use std::str::FromStr;

/// A key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub code: Code,
    pub ctrl: bool,
    pub alt: bool,
    /// Never set for characters: a capital letter is another character.
    pub shift: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    Char(char),
    Enter,
    Esc,
    Tab,
    Backspace,
    Delete,
    Insert,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    F(u8),
}

/// Names of keys without a character, and of characters that would be hard to see.
const NAMES: [(&str, Code); 19] = [
    ("enter", Code::Enter),
    ("esc", Code::Esc),
    ("tab", Code::Tab),
    ("backspace", Code::Backspace),
    ("del", Code::Delete),
    ("ins", Code::Insert),
    ("up", Code::Up),
    ("down", Code::Down),
    ("left", Code::Left),
    ("right", Code::Right),
    ("home", Code::Home),
    ("end", Code::End),
    ("pgup", Code::PageUp),
    ("pgdn", Code::PageDown),
    ("space", Code::Char(' ')),
    ("minus", Code::Char('-')),
    ("plus", Code::Char('+')),
    ("comma", Code::Char(',')),
    ("dot", Code::Char('.')),
];

impl Key {
    pub fn plain(code: Code) -> Self {
        Self { code, ctrl: false, alt: false, shift: false }
    }

    /// True if a text area inserts a line break for it.
    pub fn breaks_line(self) -> bool {
        self.code == Code::Enter || self.ctrl && self.code == Code::Char('m')
    }

    /// Returns its digit, if it is one without modifiers.
    pub fn digit(self) -> Option<usize> {
        match self.code {
            Code::Char(char) if !self.ctrl && !self.alt => char.to_digit(10).map(|d| d as usize),
            _ => None,
        }
    }
}

/// How keys are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyNames {
    /// Arrow keys as arrows.
    #[default]
    Signs,
    /// Arrow keys as words, for terminals that cannot show arrows.
    Words,
}

/// Modifiers: as keymaps write them, as the screen shows them, and as other programs write them.
const HELD: [(&str, &str, &str); 3] =
    [("C-", "Ctrl-", "Ctrl+"), ("A-", "Alt-", "Alt+"), ("S-", "Shift-", "Shift+")];

/// Names of keys in other programs.
const ALIASES: [(&str, Code); 6] = [
    ("escape", Code::Esc),
    ("return", Code::Enter),
    ("delete", Code::Delete),
    ("insert", Code::Insert),
    ("pageup", Code::PageUp),
    ("pagedown", Code::PageDown),
];

/// The error for a text that does not name a key.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a key; write keys like a, A, Ctrl-P, Alt-x, Shift-Tab, PgDn, Space, F5")]
pub struct BadKey(String);

impl FromStr for Key {
    type Err = BadKey;

    fn from_str(text: &str) -> Result<Self, BadKey> {
        let mut key = Self::plain(Code::Esc);
        let mut rest = text;
        let held = |rest: &str| {
            let mut all = HELD.iter().enumerate();
            all.find_map(|(which, (short, long, other))| {
                let longer = || without(rest, long).or_else(|| without(rest, other));
                let more = rest.strip_prefix(short).or_else(longer)?;
                (!more.is_empty()).then_some((which, more.len()))
            })
        };
        // In the shown form (`Ctrl-P`), the letter is a capital, as on the keyboard.
        let mut shown = false;
        while let Some((which, left)) = held(rest) {
            shown |= which == 0 && rest.strip_prefix(HELD[0].0).is_none();
            let held = [&mut key.ctrl, &mut key.alt, &mut key.shift];
            if std::mem::replace(held[which], true) {
                return Err(BadKey(text.to_owned()));
            }
            rest = &rest[rest.len() - left..];
        }
        let bad = || BadKey(text.to_owned());
        let mut chars = rest.chars();
        key.code = match (chars.next(), chars.next()) {
            (Some('↑'), None) => Code::Up,
            (Some('↓'), None) => Code::Down,
            (Some('←'), None) => Code::Left,
            (Some('→'), None) => Code::Right,
            (Some(char @ 'A'..='Z'), None) if shown => Code::Char(char.to_ascii_lowercase()),
            (Some(char), None) if !char.is_control() && char != ' ' => Code::Char(char),
            (Some('f' | 'F'), Some('0'..='9')) => {
                let number = rest[1..].parse().map_err(|_| bad())?;
                if !(1..=24).contains(&number) {
                    return Err(bad());
                }
                Code::F(number)
            }
            _ => {
                let is_it = |(name, _): &&(&str, Code)| name.eq_ignore_ascii_case(rest);
                let named = NAMES.iter().chain(&ALIASES).find(is_it);
                named.ok_or_else(bad)?.1
            }
        };
        if key.shift
            && let Code::Char(_) = key.code
        {
            return Err(bad());
        }
        Ok(key)
    }
}

/// Removes the prefix `start`, ignoring case; None if `text` does not begin with it.
fn without<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    let (before, behind) = text.split_at_checked(start.len())?;
    before.eq_ignore_ascii_case(start).then_some(behind)
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (held, prefix) in [(self.ctrl, "C-"), (self.alt, "A-"), (self.shift, "S-")] {
            if held {
                f.write_str(prefix)?;
            }
        }
        match self.code {
            Code::F(number) => write!(f, "f{number}"),
            Code::Char(char) if char != ' ' => write!(f, "{char}"),
            code => {
                let name = NAMES.iter().find(|(_, other)| *other == code);
                f.write_str(name.map_or("?", |(name, _)| name))
            }
        }
    }
}

impl Key {
    /// Returns the key as keyboards label it: `↓`, `Ctrl-P`, `Enter`.
    pub fn shown(self, names: KeyNames) -> String {
        let held = [(self.ctrl, "Ctrl-"), (self.alt, "Alt-"), (self.shift, "Shift-")];
        let mut shown = String::new();
        for (_, name) in held.iter().filter(|(held, _)| *held) {
            shown.push_str(name);
        }
        match self.code {
            Code::Char(' ') => shown.push_str("Space"),
            Code::Char(char) if self.ctrl => shown.extend(char.to_uppercase()),
            Code::Char(char) => shown.push(char),
            Code::F(number) => {
                shown.push('F');
                shown.push_str(&number.to_string());
            }
            code => shown.push_str(code.shown(names == KeyNames::Words)),
        }
        shown
    }
}

impl Code {
    /// Returns the label of a key without a character; arrow keys as words if `words`.
    fn shown(self, words: bool) -> &'static str {
        match self {
            Self::Up if words => "Up",
            Self::Down if words => "Down",
            Self::Left if words => "Left",
            Self::Right if words => "Right",
            Self::Up => "↑",
            Self::Down => "↓",
            Self::Left => "←",
            Self::Right => "→",
            Self::Enter => "Enter",
            Self::Esc => "Esc",
            Self::Tab => "Tab",
            Self::PageUp => "PgUp",
            Self::PageDown => "PgDn",
            Self::Home => "Home",
            Self::End => "End",
            Self::Insert => "Ins",
            Self::Delete => "Del",
            Self::Backspace => "Backspace",
            Self::Char(_) | Self::F(_) => "?",
        }
    }
}
