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

/// Keys without a character, and with one that would be hard to see in a keymap: the name in keymaps, the label on the
/// screen, and the label where arrows cannot be shown.
const NAMES: [(Code, &str, &str, &str); 19] = [
    (Code::Enter, "enter", "Enter", "Enter"),
    (Code::Esc, "esc", "Esc", "Esc"),
    (Code::Tab, "tab", "Tab", "Tab"),
    (Code::Backspace, "backspace", "Backspace", "Backspace"),
    (Code::Delete, "del", "Del", "Del"),
    (Code::Insert, "ins", "Ins", "Ins"),
    (Code::Up, "up", "↑", "Up"),
    (Code::Down, "down", "↓", "Down"),
    (Code::Left, "left", "←", "Left"),
    (Code::Right, "right", "→", "Right"),
    (Code::Home, "home", "Home", "Home"),
    (Code::End, "end", "End", "End"),
    (Code::PageUp, "pgup", "PgUp", "PgUp"),
    (Code::PageDown, "pgdn", "PgDn", "PgDn"),
    (Code::Char(' '), "space", "Space", "Space"),
    (Code::Char('-'), "minus", "-", "-"),
    (Code::Char('+'), "plus", "+", "+"),
    (Code::Char(','), "comma", ",", ","),
    (Code::Char('.'), "dot", ".", "."),
];

impl Key {
    pub fn plain(code: Code) -> Self {
        Self { code, ctrl: false, alt: false, shift: false }
    }

    /// True if a text area inserts a line break for it.
    pub fn breaks_line(self) -> bool {
        self.code == Code::Enter || self.ctrl && self.code == Code::Char('m')
    }

    /// True if it types a character.
    pub fn types(self) -> bool {
        matches!(self.code, Code::Char(_)) && !self.ctrl && !self.alt
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
            (Some(char @ 'A'..='Z'), None) if shown => Code::Char(char.to_ascii_lowercase()),
            (Some(char), None) if !char.is_control() && char != ' ' => {
                let arrow = NAMES.iter().find(|(_, _, sign, _)| *sign == rest);
                arrow.map_or(Code::Char(char), |(code, ..)| *code)
            }
            (Some('f' | 'F'), Some('0'..='9')) => {
                let number = rest[1..].parse().map_err(|_| bad())?;
                if !(1..=24).contains(&number) {
                    return Err(bad());
                }
                Code::F(number)
            }
            _ => {
                let own = NAMES.iter().map(|(code, name, ..)| (*name, *code));
                let mut all = own.chain(ALIASES);
                let named = all.find(|(name, _)| name.eq_ignore_ascii_case(rest));
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
                let name = NAMES.iter().find(|(other, ..)| *other == code);
                f.write_str(name.map_or("?", |(_, name, ..)| name))
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
            Code::Char(char) if self.ctrl && char != ' ' => shown.extend(char.to_uppercase()),
            Code::Char(char) if char != ' ' => shown.push(char),
            Code::F(number) => {
                shown.push('F');
                shown.push_str(&number.to_string());
            }
            code => {
                let label = NAMES.iter().find(|(other, ..)| *other == code);
                shown.push_str(match names {
                    KeyNames::Signs => label.map_or("?", |(_, _, sign, _)| sign),
                    KeyNames::Words => label.map_or("?", |(.., word)| word),
                });
            }
        }
        shown
    }
}
