//! Everything that is said in a dialog, as one text in lower case.
//!
//! Several rules ask whether something was said before; one text answers with one search.

use crate::dialog::Dialog;

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

/// Appends `more` in lower case. Nearly all of it is ASCII, which is lowered where it lies.
fn push_lower(text: &mut String, more: &str) {
    let start = text.len();
    let mut rest = more;
    while let Some(at) = rest.bytes().position(|byte| !byte.is_ascii()) {
        text.push_str(&rest[..at]);
        let mut chars = rest[at..].chars();
        if let Some(char) = chars.next() {
            text.extend(plain(char).to_lowercase());
        }
        rest = chars.as_str();
    }
    text.push_str(rest);
    text[start..].make_ascii_lowercase();
}

/// Quotation marks and apostrophes of typographers, as a keyboard has them.
pub fn plain(char: char) -> char {
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
