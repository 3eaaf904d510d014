//! Excludes dialogs from a search by their bytes, which is much faster than parsing them.

use aho_corasick::{AhoCorasick, AhoCorasickBuilder};

use super::{Pattern, Query};
use crate::dialog::Role;

/// The most bytes of a pattern to search for.
const NEEDLE: usize = 64;

/// Finds the dialogs that cannot have a hit.
#[derive(Clone, Debug)]
pub struct Prefilter {
    /// Texts that must all occur in the dialog.
    needles: Vec<AhoCorasick>,
}

impl Prefilter {
    pub fn new(query: &Query) -> Self {
        // turnwise names the roles itself; a file need not contain these names.
        let is_in_file = |query: &&Query| match query {
            Query::Speaker(p) => ![Role::User, Role::System].iter().any(|r| p.is_in(r.name())),
            _ => true,
        };
        let parts = query.parts().iter().filter(is_in_file);
        let needles = parts
            .filter_map(Query::pattern)
            .filter_map(needle)
            .collect();
        Self { needles }
    }

    /// False only if the dialog with these bytes cannot have a hit.
    pub fn may_hit(&self, bytes: &[u8]) -> bool {
        self.needles.iter().all(|needle| needle.is_match(bytes))
            // Any letter may also be written as an escape, though files hardly ever do that.
            || memchr::memmem::find(bytes, b"\\u00").is_some()
    }
}

/// The longest part of the pattern that a file must write literally, or with `\u00`.
fn needle(pattern: &Pattern) -> Option<AhoCorasick> {
    let plain = |c: char| c.is_ascii_alphanumeric() || " .,:;-_!?".contains(c);
    let longest = pattern
        .as_str()
        .split(|c| !plain(c))
        .max_by_key(|part| part.len())?;
    // Some characters beyond ASCII have an ASCII letter as lower case: the Kelvin sign's is k.
    let folds = !pattern.is_exact() && longest.contains(['k', 'K']);
    if longest.len() < 2 || folds && longest.len() < 3 {
        return None;
    }
    let longest = if folds {
        longest.split(['k', 'K']).max_by_key(|part| part.len())?
    } else {
        longest
    };
    if longest.is_empty() {
        return None;
    }
    // All of it is ASCII. A longer needle excludes hardly more dialogs and takes long to prepare.
    let longest = &longest[..longest.len().min(NEEDLE)];
    AhoCorasickBuilder::new()
        .ascii_case_insensitive(!pattern.is_exact())
        .build([longest])
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_cannot_hit_is_ruled_out() {
        let may = |query: &str, bytes: &str| {
            let Ok(query) = query.parse();
            Prefilter::new(&query).may_hit(bytes.as_bytes())
        };
        assert!(may("two tick", r#"{"text":"Two tickets"}"#));
        assert!(!may("two tick", r#"{"text":"three tickets"}"#));
        assert!(!may("Two", r#"{"text":"two"}"#));
        assert!(may("Two", r#"{"text":"\u0054wo"}"#));
        assert!(may("été", r#"{"text":"\u00c9T\u00c9"}"#));
        assert!(may("世界", r#"{"text":"\u4e16\u754c"}"#));
        assert!(may("kelvin", "{\"text\":\"\u{212a}elvin\"}"));
        assert!(may("problem:", "{}"));
        let both = "speaker:user two";
        assert!(may(both, r#"{"speaker":"user","text":"Two"}"#));
        assert!(!may(both, r#"{"speaker":"user","text":"three"}"#));
        // A file may use any name for its users.
        assert!(may(both, r#"{"speaker":"U","text":"two"}"#));
        assert!(!may(
            "speaker:agent two",
            r#"{"speaker":"user","text":"two"}"#
        ));
        assert!(may(both, r#"{"speaker":"user","text":"\u0054wo"}"#));
    }
}
