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

/// Returns the tags of a note: its words with a number sign, without punctuation after them.
pub fn tags_in_note(note: &str) -> impl Iterator<Item = &str> {
    let words = note.split_whitespace();
    let words = words.filter_map(|word| Some(tag_of_word(word.strip_prefix('#')?)));
    words.filter(|word| !word.is_empty())
}

/// Returns a word without punctuation and spaces after it.
fn tag_of_word(word: &str) -> &str {
    word.trim_end_matches(|char: char| !char.is_alphanumeric())
}

/// The scheme of judgements that define codes.
const CODES: &str = "codes";

impl Judgement {
    /// Returns a judgement of no dialog that says what `by` means by a code.
    pub fn defining(code: &str, text: &str, by: &str) -> Self {
        Self {
            scheme: CODES.to_owned(),
            question: code.to_owned(),
            note: text.to_owned(),
            by: by.to_owned(),
            ..Self::default()
        }
    }

    /// True if it judges no dialog, but says what a code means.
    pub fn is_definition(&self) -> bool {
        self.dialog.is_empty() && self.scheme == CODES
    }

    /// Returns it with the tag `to` in place of those in `from`, also where its note has them.
    #[must_use]
    pub fn with_tag(&self, from: &[String], to: &str) -> Self {
        let renamed = |tags: &[String]| {
            let mut new: Vec<String> = Vec::new();
            for tag in tags {
                let tag = if from.contains(tag) { to } else { tag };
                if !new.iter().any(|known| known == tag) {
                    new.push(tag.to_owned());
                }
            }
            new
        };
        let folded: Vec<String> = from.iter().map(|tag| folded_tag(tag)).collect();
        let note = self.note.split_inclusive(char::is_whitespace).map(|word| {
            let tag = word.strip_prefix('#').map(tag_of_word);
            match tag.filter(|tag| folded.contains(&folded_tag(tag))) {
                Some(tag) => format!("#{to}{}", &word[1 + tag.len()..]),
                None => word.to_owned(),
            }
        });
        Self {
            tags: renamed(&self.tags),
            value: match &self.value {
                Some(Answer::Several(tags)) => Some(Answer::Several(renamed(tags))),
                other => other.clone(),
            },
            note: note.collect(),
            ..self.clone()
        }
    }

    /// Returns its tags: those beside a note, and those that answer a question.
    pub fn all_tags(&self) -> impl Iterator<Item = &String> {
        let answers = match &self.value {
            Some(Answer::Several(tags)) => tags.as_slice(),
            _ => &[],
        };
        self.tags.iter().chain(answers)
    }
}
