//! Tags, which are also called codes: short names that annotators give to what they find.

use unicode_normalization::UnicodeNormalization as _;

use super::judgement::{Answer, Judgement};

/// Returns what the spellings of a tag have in common: case, Unicode form, and hyphens for spaces do not matter.
pub fn folded_tag(tag: &str) -> String {
    joined_tag(&tag.nfkc().collect::<String>()).to_lowercase()
}

/// Returns a tag with hyphens in place of spaces.
pub fn joined_tag(tag: &str) -> String {
    tag.split_whitespace().collect::<Vec<_>>().join("-")
}

/// Returns `tag` as one of the `known` tags spells it, the first ones first; otherwise with hyphens for spaces.
pub fn spelled_tag(tag: &str, known: &[String]) -> String {
    let folded = folded_tag(tag);
    let mut same = known.iter().filter(|known| folded_tag(known) == folded);
    same.next().cloned().unwrap_or_else(|| joined_tag(tag))
}

impl Judgement {
    /// Returns its tags: those beside a note, and those that answer a question.
    pub fn all_tags(&self) -> impl Iterator<Item = &String> {
        let answers = match &self.value {
            Some(Answer::Several(tags)) => tags.as_slice(),
            _ => &[],
        };
        self.tags.iter().chain(answers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_tag_are_one() {
        let known = ["Größe".to_owned(), "wrong tool".to_owned()];
        assert_eq!(spelled_tag("gro\u{308}ße", &known), "Größe");
        assert_eq!(spelled_tag("Wrong-Tool", &known), "wrong tool");
        assert_eq!(spelled_tag(" Too  slow ", &known), "Too-slow");
    }
}
