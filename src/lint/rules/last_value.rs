//! What an argument of a call should say, as far as the dialog tells.

use crate::dialog::{Content, Field};
use crate::lint::repair::meant;
use crate::lint::{Call, Subject};
use crate::ontology::without_number;

/// What was said or returned last under this name before the call, if that was one thing.
pub fn last_value(subject: &Subject<'_>, call: &Call<'_>, name: &str) -> Option<String> {
    if name == "attribute" {
        // The one argument that is the name of what is returned.
        let mut returned = call.response.fields().iter().map(|f| f.name.as_str());
        let name = returned.next()?;
        return Some(without_number(name).unwrap_or(name).to_owned());
    }
    let mut said = subject.labelled(name, call.turn).rev();
    if let Some((place, last)) = said.next() {
        return subject.last_said((name, place), || {
            let mut same_turn = said.take_while(|(_, m)| m.turn == last.turn);
            let value = without_signs(meant(subject, last)?);
            let is_same = |m| meant(subject, m).map(without_signs) == Some(value);
            same_turn.all(|(_, m)| is_same(m)).then(|| value.to_owned())
        });
    }
    let (call, field) = subject.returned().last(name, subject.place_of(call))?;
    match &subject.calls()[call].response.fields()[field].content {
        Content::Text(text) => Some(text.to_string()),
        Content::Raw(_) => None,
    }
}

/// What a segment says without the signs that edges often take along.
fn without_signs(text: &str) -> &str {
    text.trim_end_matches(['.', ':', ',', '!', '?'])
}

/// True if a field is called `name`, or is one of several.
pub fn is_of(field: &Field, name: &str) -> bool {
    field.name == name || without_number(&field.name) == Some(name)
}
