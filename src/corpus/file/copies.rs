//! Finds copies of what an edit took out in the parts of a session that are not edited.

use std::ops::Range;

use memchr::memmem;

use super::{Change, CorpusFile};
use crate::dialog::{Field, UnreadParts};
use crate::json::Splice;

/// The least number of bytes of a text whose copies are worth a word.
const LEAST: usize = 6;
/// The least number of bytes of a word, such as a password, of a longer text.
const LEAST_OF_WORD: usize = 8;

/// A text that a change took out, and the member of an object that held it, if that was taken out as well.
#[derive(Clone, Copy, Default)]
struct Removed<'c> {
    text: &'c str,
    member: &'c str,
}

impl CorpusFile {
    /// Returns a sentence that names the fields of session `position` in which a text still is that these changes of it
    /// took out, such as a password; None if there are none. Sessions repeat texts in fields that are not edited.
    pub fn copies<'c>(
        &self,
        position: usize,
        changes: impl IntoIterator<Item = &'c Change>,
    ) -> Option<String> {
        self.format().filter(|format| format.is_session())?;
        let removed: Vec<_> = changes.into_iter().flat_map(removed).collect();
        if removed.is_empty() {
            return None;
        }
        let text = self.text(position).ok()?;
        let dialog = self.dialog_at(position)?;
        let calls = dialog.turns.iter().flat_map(|turn| &turn.calls);
        let of_turns = dialog.turns.iter().flat_map(|turn| &turn.fields);
        let fields = of_turns.chain(calls.flat_map(|call| &call.fields));
        let has_copy = |field: &&Field| {
            let own = text.get(field.at.start as usize..field.at.end as usize);
            own.is_some_and(|own| {
                // Other turns have members of that name, too, such as their time.
                let mut removed = removed.iter().filter(|taken| taken.member != &*field.name);
                removed.any(|taken| memmem::find(own.as_bytes(), taken.text.as_bytes()).is_some())
            })
        };
        let mut found = UnreadParts::default();
        for field in fields.chain(&dialog.fields).filter(has_copy) {
            found.add(field.name.clone(), 1);
        }
        let count: u64 = found.kinds().map(|(_, count)| count).sum();
        let fields = if count == 1 { "a field" } else { "fields" };
        let names = found.names();
        (count > 0).then(|| {
            format!("the old text still occurs in {fields} that turnwise cannot edit: {names}")
        })
    }
}

/// Returns the whole words that a change took out.
fn removed(change: &Change) -> impl Iterator<Item = Removed<'_>> {
    let (new, old) = (change.patch.splices(), change.inverse.splices());
    new.iter().zip(old).flat_map(|(new, old)| {
        let (new, old) = (new.text.as_str(), old.text.as_str());
        let Range { start, end } = Splice::between(old, new).range;
        let is_edge = |char: char| char.is_whitespace() || char == '"';
        let start = old[..start].rfind(is_edge).map_or(0, |at| at + 1);
        let end = old[end..].find(is_edge).map_or(old.len(), |at| end + at);
        texts(old.get(start..end).unwrap_or_default())
    })
}

/// Returns the longest text in JSON that may begin and end anywhere, without what is escaped, as copies may escape that
/// otherwise; and the words of the others, which copies may have without what is around them.
fn texts(json: &str) -> Vec<Removed<'_>> {
    let mut found: Vec<Removed<'_>> = Vec::new();
    let mut member = "";
    let mut pieces = json.split('"').peekable();
    while let Some(piece) = pieces.next() {
        let next = pieces.peek();
        if next.is_some_and(|next| next.trim_start().starts_with(':')) {
            member = piece;
            continue;
        }
        let is_mark = |char: char| char.is_whitespace() || ":,{}[]".contains(char);
        for (number, part) in piece.split('\\').enumerate() {
            let escape = match part.chars().next() {
                _ if number == 0 => 0,
                Some('u') => 5,
                first => first.map_or(0, char::len_utf8),
            };
            // Some tools number the lines of a file so.
            for text in part.get(escape..).unwrap_or_default().split('→') {
                let text = text.trim_matches(is_mark);
                found.push(Removed { text, member });
            }
        }
    }
    let longest = found.iter().map(|taken| taken.text.len()).max().unwrap_or(0);
    found.retain(|Removed { text, member }| {
        // Members, such as ids, are in other places for reasons of their own.
        let is_word = member.is_empty() && !text.contains(char::is_whitespace);
        let is_word = is_word && text.len() >= LEAST_OF_WORD;
        text.len() >= LEAST && (text.len() == longest || is_word)
    });
    found
}
