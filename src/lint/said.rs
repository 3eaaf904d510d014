//! Everything that is said in a dialog, as one text in lower case.
//!
//! Several rules ask whether something was said before; one text answers with one search.

use crate::dialog::{Dialog, Short};

/// What is said, a line a turn.
#[derive(Debug, Default)]
pub struct Said {
    text: String,
    /// Where each turn ends in it.
    ends: Vec<u32>,
}

impl Said {
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

    /// All of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What is said up to the end of `turn`.
    pub fn until(&self, turn: usize) -> &str {
        let end = self.ends.get(turn).map(|end| *end as usize);
        &self.text[..end.unwrap_or(self.text.len())]
    }

    /// What is said in `turn`.
    pub fn in_turn(&self, turn: usize) -> &str {
        let start = turn
            .checked_sub(1)
            .map_or(0, |before| self.ends[before] + 1);
        &self.text[start as usize..self.ends[turn] as usize]
    }
}

/// Appends `more` as it is looked for: in lower case, with the keyboard's quotation marks. Nearly all
/// of it is ASCII, which is lowered where it lies.
fn push_lower(text: &mut String, more: &str) {
    let start = text.len();
    let mut rest = more;
    while !rest.is_ascii() {
        let ascii = rest.bytes().take_while(u8::is_ascii).count();
        text.push_str(&rest[..ascii]);
        let mut chars = rest[ascii..].chars();
        text.extend(
            chars
                .next()
                .map(plain)
                .into_iter()
                .flat_map(char::to_lowercase),
        );
        rest = chars.as_str();
    }
    text.push_str(rest);
    text[start..].make_ascii_lowercase();
}

/// A text as it is looked for in what is said.
pub fn lower(text: &str) -> Short {
    let mut lower = Short::from(text);
    if lower.is_ascii() {
        lower.make_ascii_lowercase();
        return lower;
    }
    lower
        .chars()
        .map(plain)
        .flat_map(char::to_lowercase)
        .collect()
}

/// Quotation marks and apostrophes of typographers, as a keyboard has them.
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
            .map(|text| Turn {
                text: text.to_owned(),
                ..Turn::default()
            })
            .into();
        let said = Said::new(&dialog);
        assert_eq!(said.in_turn(0), "café étoile");
        assert_eq!(said.in_turn(1), "it's ok");
        assert_eq!(said.in_turn(2), "");
        assert_eq!(said.until(1), "café étoile\nit's ok");
    }
}
