//! The texts of all turns of a dialog as one text in lower case.
//!
//! Several rules ask whether a value was mentioned before; searching one text answers them quickly.

use crate::dialog::{Dialog, Short};

/// The texts of a dialog in lower case, one line per turn.
#[derive(Debug, Default)]
pub struct LowercaseTranscript {
    text: String,
    /// The end of each turn in `text`, in bytes.
    ends: Vec<u32>,
}

impl LowercaseTranscript {
    pub fn new(dialog: &Dialog) -> Self {
        let length = dialog.turns.iter().map(|turn| turn.text.len() + 1).sum();
        let mut text = String::with_capacity(length);
        let mut ends = Vec::with_capacity(dialog.turns.len());
        for turn in &dialog.turns {
            push_lower(&mut text, &turn.text);
            ends.push(text.len() as u32);
            text.push('\n');
        }
        Self { text, ends }
    }

    /// Returns the whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text up to the end of `turn`.
    pub fn until(&self, turn: usize) -> &str {
        let end = self.ends.get(turn).map(|end| *end as usize);
        &self.text[..end.unwrap_or(self.text.len())]
    }

    /// Returns the text of `turn`.
    pub fn in_turn(&self, turn: usize) -> &str {
        let start = turn.checked_sub(1).map_or(0, |before| self.ends[before] + 1);
        &self.text[start as usize..self.ends[turn] as usize]
    }
}

/// Appends `more` in the form of [`lower`]. Nearly all text is ASCII, which is lowercased in place.
fn push_lower(text: &mut String, more: &str) {
    let start = text.len();
    let mut rest = more;
    while !rest.is_ascii() {
        let ascii = rest.bytes().take_while(u8::is_ascii).count();
        text.push_str(&rest[..ascii]);
        let mut chars = rest[ascii..].chars();
        text.extend(chars.next().map(plain).into_iter().flat_map(char::to_lowercase));
        rest = chars.as_str();
    }
    text.push_str(rest);
    text[start..].make_ascii_lowercase();
}

/// `text` in the form that searches compare: in lower case, with plain quotation marks.
pub fn lower(text: &str) -> Short {
    let mut lower = Short::from(text);
    if lower.is_ascii() {
        lower.make_ascii_lowercase();
        return lower;
    }
    lower.chars().map(plain).flat_map(char::to_lowercase).collect()
}

/// Replaces typographic quotation marks and apostrophes by those of a keyboard.
fn plain(char: char) -> char {
    match char {
        '‘' | '’' => '\'',
        '“' | '”' => '"',
        _ => char,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialog::Turn;
    use crate::text::Units;

    #[test]
    fn turns_are_found_again() {
        let mut dialog = Dialog::new(Units::CodePoints);
        dialog.turns = ["Café ÉTOILE", "It’s OK", ""]
            .map(|text| Turn { text: text.to_owned(), ..Turn::default() })
            .into();
        let said = LowercaseTranscript::new(&dialog);
        assert_eq!(said.in_turn(0), "café étoile");
        assert_eq!(said.in_turn(1), "it's ok");
        assert_eq!(said.in_turn(2), "");
        assert_eq!(said.until(1), "café étoile\nit's ok");
    }
}
