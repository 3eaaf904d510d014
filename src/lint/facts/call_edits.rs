//! Edits that change calls, however the corpus writes their arguments and responses.

use super::call::{Call, Values};
use crate::dialog::{CallPart, Content, Edit, EditValue, Payload};
use crate::json::{Editor, Escapes, NewValue, NodeKind, Parser, Patch, Splice, Value};

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
        if self.payload(part).is_some_and(|p| p.text().is_some()) {
            return self.patch(part, |editor| {
                let object = editor.tree().root();
                let old = object.get(name);
                let raw = |old: Value<'_>| Content::Raw(old.raw().into());
                let is_text = |old: &Value<'_>| old.kind() == NodeKind::String;
                let like = old.filter(|old| !is_text(old)).map(raw);
                let new = match like {
                    Some(like) if is_several(&like) => return None,
                    like => match EditValue::like(like.as_ref(), value).content() {
                        Content::Text(text) => NewValue::String(text.into()),
                        Content::Raw(raw) => NewValue::Raw(raw.into()),
                    },
                };
                Some(match old {
                    Some(old) => editor.replace(old, &new),
                    None => editor.add_member(object, name, &new, None),
                })
            });
        }
        let old = old.map(|field| &field.content);
        if old.is_some_and(is_several) {
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

    /// Renames an argument, or a field of the response. None if the new name is already in use.
    pub fn rename(&self, part: CallPart, name: &str, to: &str) -> Option<Edit> {
        let fields = self.values(part).fields();
        if fields.iter().any(|field| field.name == to) {
            return None;
        }
        if self.payload(part).is_some_and(|p| p.text().is_some()) {
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
        if let Some(Payload::Embedded { .. }) = self.payload(CallPart::Arguments) {
            return self.patch(CallPart::Arguments, |editor| {
                let text = editor.tree().values().find(|value| value.is_text(old))?;
                Some(editor.set_string(text, new))
            });
        }
        self.arguments.fields().iter().find(plain)?;
        self.set(CallPart::Arguments, name, new)
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

    pub fn payload(&self, part: CallPart) -> Option<&Payload> {
        match part {
            CallPart::Arguments => self.of.arguments.as_ref(),
            CallPart::Response => self.of.response.as_ref(),
        }
    }

    /// Changes one value in the JSON text of a string.
    fn patch(
        &self,
        part: CallPart,
        change: impl FnOnce(&Editor<'_>) -> Option<Splice>,
    ) -> Option<Edit> {
        let text = self.payload(part)?.text()?;
        let mut parser = Parser::new();
        let tree = parser.parse_str(text).ok()?;
        let editor = Editor::new(&tree, Escapes::seen_in(text));
        let patch = Patch::new(vec![change(&editor)?]).ok()?;
        Some(self.set_json(part, patch.apply(text)))
    }
}

/// True for a list or an object, which a text does not replace.
fn is_several(content: &Content) -> bool {
    matches!(content, Content::Raw(raw) if raw.starts_with(['[', '{']))
}
