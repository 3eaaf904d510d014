//! The value that an argument of a call should have, according to the dialog.

use crate::dialog::{Content, Field};
use crate::lint::facts::{Call, Subject};
use crate::lint::repair::meant;
use crate::ontology::without_number;

/// The value that was mentioned or returned last under this name before the call; None if there are
/// several.
pub fn last_value(subject: &Subject<'_>, call: &Call<'_>, name: &str) -> Option<String> {
    if name == "attribute" {
        // The only argument whose value is the name of a returned field.
        let mut returned = call.response.fields().iter().map(|f| f.name.as_str());
        let name = returned.next()?;
        return Some(without_number(name).unwrap_or(name).to_owned());
    }
    let mut said = subject.labelled(name, call.turn).rev();
    if let Some((place, last)) = said.next() {
        return subject.last_said((name, place), || {
            let mut same_turn = said.take_while(|(_, m)| m.turn == last.turn);
            let value = without_punctuation(meant(subject, last)?);
            let is_same = |m| meant(subject, m).map(without_punctuation) == Some(value);
            same_turn.all(|(_, m)| is_same(m)).then(|| value.to_owned())
        });
    }
    let (call, field) = subject.returned().last(name, subject.place_of(call))?;
    match &subject.calls()[call].response.fields()[field].content {
        Content::Text(text) => Some(text.to_string()),
        Content::Raw(_) => None,
    }
}

/// The text of a segment without the punctuation that edges often include.
fn without_punctuation(text: &str) -> &str {
    text.trim_end_matches(['.', ':', ',', '!', '?'])
}

/// True if a field is named `name`, or `name` with a number.
pub fn is_of(field: &Field, name: &str) -> bool {
    field.name == name || without_number(&field.name) == Some(name)
}
