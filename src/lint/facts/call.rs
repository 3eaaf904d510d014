//! API calls as rules see them, however the corpus writes them: arguments and responses are names with values. Edits that
//! change calls, and the values that calls have returned.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::dialog::{ApiCall, CallPart, Content, Edit, EditValue, Extent, Field, Payload};
use crate::format::call_id;
use crate::json::{Editor, Escapes, NewValue, NodeKind, Parser, Patch, Position, Splice, Value};
use crate::lint::facts::subject::{Location, Subject};
use crate::lint::facts::value::{alike, telling, words};
use crate::ontology::{Api, without_number};

/// A call with its API.
#[derive(Debug)]
pub struct Call<'a> {
    pub turn: usize,
    /// Position in the turn.
    pub call: usize,
    pub of: &'a ApiCall,
    /// Its API in the ontology; None if the ontology does not have it.
    pub api: Option<&'a Api>,
    pub arguments: Values<'a>,
    pub response: Values<'a>,
}

/// The arguments or the response of a call.
#[derive(Debug)]
pub enum Values<'a> {
    /// The call does not have them.
    Missing,
    Fields(&'a [Field]),
    /// Read from JSON in a string. The position of every value is that of the string.
    Read(Vec<Field>),
    /// The string is JSON, but not an object; the kind of value it is.
    NoObject(&'static str),
    /// The string is not valid JSON; the reason, with line and column in the string.
    Broken(String),
}

impl<'a> Call<'a> {
    pub fn new(turn: usize, call: usize, of: &'a ApiCall, api: Option<&'a Api>) -> Self {
        Self {
            turn,
            call,
            of,
            api,
            arguments: Values::new(of.arguments.as_ref()),
            response: Values::new(of.response.as_ref()),
        }
    }

    /// True if the call names an API that the ontology does not have. A call without a name does not
    /// count.
    pub fn is_unknown(&self) -> bool {
        self.api.is_none() && !self.of.name.is_empty()
    }

    pub fn location(&self) -> Location {
        Location { turn: Some(self.turn), segment: None, at: self.of.at }
    }

    /// Returns its id, by which an answer names it.
    pub fn id(&self) -> Option<&'a str> {
        call_id(self.of)
    }

    /// Returns the arguments as JSON; None if it has none.
    pub fn json(&self) -> Option<Cow<'a, str>> {
        match self.of.arguments.as_ref()? {
            Payload::Embedded { text, .. } | Payload::Text { text, .. } => {
                Some(Cow::Borrowed(text))
            }
            Payload::Fields(fields) => {
                let quoted = |text: &str| serde_json::Value::from(text).to_string();
                let member =
                    |field: &Field| format!("{}: {}", quoted(&field.name), field.content.json());
                let members: Vec<_> = fields.iter().map(member).collect();
                Some(Cow::Owned(format!("{{{}}}", members.join(", "))))
            }
        }
    }

    /// Returns the argument named exactly `name`, without a number.
    pub fn argument(&self, name: &str) -> Option<&Field> {
        self.arguments.fields().iter().find(|f| f.name == name)
    }
}

impl<'a> Values<'a> {
    fn new(payload: Option<&'a Payload>) -> Self {
        match payload {
            None => Self::Missing,
            Some(Payload::Fields(fields)) => Self::Fields(fields),
            Some(Payload::Embedded { text, at }) => Self::read(text, *at),
            Some(Payload::Text { text, at }) => match Self::read(text, *at) {
                Self::Read(fields) => Self::Read(fields),
                // Words are as good an answer as JSON.
                _ => Self::Fields(&[]),
            },
        }
    }

    fn read(text: &str, at: Extent) -> Self {
        let mut parser = Parser::new();
        match parser.parse_str(text) {
            Ok(tree) if tree.root().kind() == NodeKind::Object => {
                let members = tree.root().members();
                Self::Read(members.map(|member| field(member, at)).collect())
            }
            Ok(tree) => Self::NoObject(tree.root().kind().name()),
            Err(error) => {
                let place = Position::of(text.as_bytes(), error.at);
                Self::Broken(format!("{error}, at {place}"))
            }
        }
    }

    /// Returns the names with their values; empty if they cannot be read.
    pub fn fields(&self) -> &[Field] {
        match self {
            Self::Fields(fields) => fields,
            Self::Read(fields) => fields,
            _ => &[],
        }
    }

    /// True if all names are known, so that any other name is definitely missing.
    pub fn is_whole(&self) -> bool {
        matches!(self, Self::Fields(_) | Self::Read(_))
    }
}

fn field((key, value): (Value<'_>, Value<'_>), at: Extent) -> Field {
    Field::known(key.as_str().unwrap_or_default(), Content::of(value), at)
}

impl Call<'_> {
    /// Sets the name of the call.
    pub fn set_api(&self, name: &str) -> Edit {
        Edit::SetApi { turn: self.turn, call: self.call, name: name.to_owned() }
    }

    /// Sets an argument, or a field of the response, adding it if necessary. A number stays one if the new
    /// value is one. None if the value cannot be written, or would replace a list or an object.
    pub fn set(&self, part: CallPart, name: &str, value: &str) -> Option<Edit> {
        let fields = self.values(part).fields();
        let old = fields.iter().find(|field| field.name == name);
        if self.of.payload(part).is_some_and(|p| p.text().is_some()) {
            return self.patch(part, |editor| {
                let object = editor.tree().root();
                let old = object.get(name);
                let raw = |old: Value<'_>| Content::Raw(old.raw().into());
                let is_text = |old: &Value<'_>| old.kind() == NodeKind::String;
                let like = old.filter(|old| !is_text(old)).map(raw);
                let new = match like {
                    Some(like) if like.is_container() => return None,
                    like => NewValue::from(&EditValue::like(like.as_ref(), value)),
                };
                Some(match old {
                    Some(old) => editor.replace(old, &new),
                    None => editor.add_member(object, name, &new, None),
                })
            });
        }
        let old = old.map(|field| &field.content);
        if old.is_some_and(Content::is_container) {
            return None;
        }
        let value = EditValue::like(old, value);
        Some(Edit::SetValue {
            turn: self.turn,
            call: self.call,
            part,
            name: name.to_owned(),
            value,
        })
    }

    /// Renames an argument, or a field of the response. None if it is inside another one, or the new name is already in
    /// use.
    pub fn rename(&self, part: CallPart, name: &str, to: &str) -> Option<Edit> {
        let has = |name: &str| self.values(part).fields().iter().any(|field| field.name == name);
        if !has(name) || has(to) {
            return None;
        }
        if self.of.payload(part).is_some_and(|p| p.text().is_some()) {
            return self.patch(part, |editor| {
                let (key, _) = editor.tree().root().member(name)?;
                Some(editor.set_string(key, to))
            });
        }
        Some(Edit::RenameValue {
            turn: self.turn,
            call: self.call,
            part,
            name: name.to_owned(),
            to: to.to_owned(),
        })
    }

    /// Replaces the string `old` in the arguments by `new`, in nested JSON too.
    pub fn replace_text(&self, name: &str, old: &str, new: &str) -> Option<Edit> {
        let plain = |field: &&crate::dialog::Field| {
            field.name == name && matches!(&field.content, Content::Text(text) if text == old)
        };
        if let Some(Payload::Embedded { .. }) = self.of.payload(CallPart::Arguments) {
            return self.patch(CallPart::Arguments, |editor| {
                let text = editor.tree().values().find(|value| value.is_text(old))?;
                Some(editor.set_string(text, new))
            });
        }
        self.arguments.fields().iter().find(plain)?;
        self.set(CallPart::Arguments, name, new)
    }

    /// Writes `new`, a JSON value, at the bytes `place` of the arguments, which hold the argument `name`. None if that is
    /// not possible.
    pub fn replace_at(&self, name: &str, place: &Range<usize>, new: &str) -> Option<Edit> {
        let part = CallPart::Arguments;
        let Some(Payload::Fields(fields)) = &self.of.arguments else {
            return self.patch(part, |editor| {
                let value = editor.tree().value_at(u32::try_from(place.start).ok()?)?;
                Some(editor.replace(value, &NewValue::Raw(new.to_owned())))
            });
        };
        fields.iter().find(|field| field.name == name)?;
        let mut parser = Parser::new();
        let tree = parser.parse_str(new).ok()?;
        let value = match tree.root().kind() {
            NodeKind::String => EditValue::Text(tree.root().as_str()?.into_owned()),
            _ => EditValue::Spelled { json: new.to_owned() },
        };
        let (turn, call, name) = (self.turn, self.call, name.to_owned());
        Some(Edit::SetValue { turn, call, part, name, value })
    }

    /// Replaces the whole JSON text in a string.
    pub fn set_json(&self, part: CallPart, text: String) -> Edit {
        Edit::SetJson { turn: self.turn, call: self.call, part, text }
    }

    pub fn values(&self, part: CallPart) -> &Values<'_> {
        match part {
            CallPart::Arguments => &self.arguments,
            CallPart::Response => &self.response,
        }
    }

    /// Changes one value in the JSON text of a string.
    fn patch(
        &self,
        part: CallPart,
        change: impl FnOnce(&Editor<'_>) -> Option<Splice>,
    ) -> Option<Edit> {
        let text = self.of.payload(part)?.text()?;
        let mut parser = Parser::new();
        let tree = parser.parse_str(text).ok()?;
        let editor = Editor::new(&tree, Escapes::seen_in(text));
        let patch = Patch::new(vec![change(&editor)?]).ok()?;
        Some(self.set_json(part, patch.apply(text)))
    }
}

impl<'a> Subject<'a> {
    /// Returns the fields that calls before the one at `before` returned, in order.
    fn returned(&self, before: usize) -> impl DoubleEndedIterator<Item = &Field> {
        self.calls()[..before].iter().flat_map(|call| call.response.fields())
    }

    /// Returns the last call before the one at `before` that returned a field with this name, with or without a number,
    /// and the first such field.
    pub fn last_returned(&self, name: &str, before: usize) -> Option<(&Call<'a>, &Field)> {
        let is_named =
            |field: &&Field| field.name == name || without_number(&field.name) == Some(name);
        let mut calls = self.calls()[..before].iter().rev();
        calls.find_map(|call| Some((call, call.response.fields().iter().find(is_named)?)))
    }

    /// True if a value was returned before a call, ignoring case.
    pub fn was_returned(&self, value: &str, before: usize) -> bool {
        self.returned(before).any(|field| field.content.as_str().eq_ignore_ascii_case(value))
    }

    /// True if a value that was returned before a call contains at least half of the distinctive words of a
    /// name; in doubt, there is one.
    pub fn was_half_returned(&self, name: &str, before: usize) -> bool {
        let telling = telling(name);
        self.returned(before).any(|field| {
            let value = field.content.as_str();
            let has = |word: &&&str| words(value).any(|other| alike(word, other));
            telling.iter().filter(has).count() * 2 >= telling.len()
                || self.said().effort.is_spent(value.len() * telling.len())
        })
    }

    /// True if a response before a call contains an id, as a text or between quotation marks in one.
    pub fn was_id_returned(&self, id: &str, before: usize) -> bool {
        let is_in = |json: &str| {
            let mut hits = json.match_indices(id);
            hits.any(|(at, _)| {
                json[..at].ends_with('"') && json[at + id.len()..].starts_with(['"', '\\'])
            })
        };
        let is_content = |field: &Field| match &field.content {
            Content::Text(text) => text == id,
            Content::Raw(raw) => is_in(raw),
        };
        let mut responses = self.calls()[..before].iter().filter_map(|c| c.of.response.as_ref());
        // Only ids can be distinguished from the text between two quoted texts.
        id.contains(['"', '\\'])
            || responses.any(|response| match response {
                // Even a broken text may contain the value.
                Payload::Embedded { text, .. } | Payload::Text { text, .. } => is_in(text),
                Payload::Fields(fields) => fields.iter().any(is_content),
            })
    }

    /// Returns the distinct ids that calls before the one at `before` returned as members called `name` of JSON texts, in
    /// alphabetical order.
    pub fn returned_ids(&self, name: &str, before: usize) -> BTreeSet<String> {
        let mut ids = BTreeSet::new();
        let responses = self.calls()[..before].iter().filter_map(|call| call.of.response.as_ref());
        for text in responses.filter_map(Payload::text).filter(|text| text.contains(name)) {
            let mut parser = Parser::new();
            if let Ok(tree) = parser.parse_str(text) {
                let named = tree.objects().filter_map(|object| object.get(name)?.as_str());
                ids.extend(named.map(Cow::into_owned));
            }
        }
        ids
    }
}
