//! Applies edits of a call's name, arguments and response.

use super::apply::only;
use super::edit::{CallPart, Edit, NamedValue};
use super::error::EditError;
use super::model::{ApiCall, Content, Extent, Field, Payload, Turn};
use super::nested::Nested;
use super::value::EditValue;
use crate::json::{Editor, Escapes, NewValue, NodeKind, Parser, Patch};

/// Applies an edit of calls; ignores other edits.
pub fn apply(edit: &Edit, turn: &mut Turn) -> Result<(), EditError> {
    if let Some(in_string) = in_string(edit, turn)? {
        return apply(&in_string, turn);
    }
    match edit {
        Edit::SetApi { turn: at, call, name } => {
            named(name, "API")?;
            let call = call_mut(turn, *at, *call)?;
            call.name = name.as_str().into();
            if let Some(again) = &mut call.answered_as {
                again.clone_from(&call.name);
            }
        }
        Edit::SetValue { turn: at, call, part, name, value } => {
            set_value(call_mut(turn, *at, *call)?, *part, name, value)?
        }
        Edit::RenameValue { turn: at, call, part, name, to } => {
            named(to, "argument")?;
            let fields = fields_mut(call_mut(turn, *at, *call)?, *part)?;
            let field = required(fields, *part, name)?;
            if name != to && position(fields, to)?.is_some() {
                let name = to.clone();
                return Err(EditError::ValueExists { part: part.name(), name });
            }
            fields[field].name = to.as_str().into();
        }
        Edit::RemoveValue { turn: at, call, part, name } => {
            let fields = fields_mut(call_mut(turn, *at, *call)?, *part)?;
            let field = required(fields, *part, name)?;
            fields.remove(field);
        }
        Edit::SetJson { turn: at, call, part, text: new } => {
            set_json(call_mut(turn, *at, *call)?, *part, new)?
        }
        Edit::AddCall { name, arguments, response, .. } => {
            named(name, "API")?;
            let arguments = new_fields(arguments, CallPart::Arguments)?;
            let response = response.as_deref();
            let response = response.map(|values| new_fields(values, CallPart::Response));
            turn.calls.push(ApiCall {
                name: name.as_str().into(),
                arguments: Some(Payload::Fields(arguments)),
                response: response.transpose()?.map(Payload::Fields),
                ..ApiCall::default()
            });
        }
        Edit::RemoveCall { turn: at, call } => {
            call_mut(turn, *at, *call)?;
            turn.calls.remove(*call);
        }
        _ => {}
    }
    Ok(())
}

/// Returns the values of a new call.
fn new_fields(values: &[NamedValue], part: CallPart) -> Result<Vec<Field>, EditError> {
    let mut fields: Vec<Field> = Vec::new();
    for NamedValue { name, value } in values {
        named(name, "argument")?;
        if fields.iter().any(|field| field.name == *name) {
            return Err(EditError::ValueExists { part: part.name(), name: name.clone() });
        }
        fields.push(Field::known(name.as_str(), value.content(), Extent::default()));
    }
    Ok(fields)
}

/// Returns the edit of the whole text that an edit of one value amounts to, if the values are JSON in a string;
/// None for other edits. In the string only the bytes of that value differ.
///
/// # Errors
/// If the text is not an object in JSON, or the value in it cannot be changed.
fn in_string(edit: &Edit, turn: &Turn) -> Result<Option<Edit>, EditError> {
    let (at, call, part, name, change) = match edit {
        Edit::SetValue { turn, call, part, name, value } => {
            (*turn, *call, *part, name, ValueChange::Set(value))
        }
        Edit::RenameValue { turn, call, part, name, to } => {
            (*turn, *call, *part, name, ValueChange::Rename(to))
        }
        Edit::RemoveValue { turn, call, part, name } => {
            (*turn, *call, *part, name, ValueChange::Remove)
        }
        _ => return Ok(None),
    };
    let of = turn.calls.get(call);
    let Some(text) = of.and_then(|of| of.payload(part)?.text()) else {
        return Ok(None);
    };
    let text = changed_json(text, part, name, &change)?;
    Ok(Some(Edit::SetJson { turn: at, call, part, text }))
}

/// A change of one member of an object.
enum ValueChange<'c> {
    Set(&'c EditValue),
    Rename(&'c str),
    Remove,
}

/// Returns the JSON text of an object after the change of its member `name`.
fn changed_json(
    text: &str,
    part: CallPart,
    name: &str,
    change: &ValueChange<'_>,
) -> Result<String, EditError> {
    let refused = |reason: String| EditError::NotEditable { what: part.name(), reason };
    let mut parser = Parser::new();
    let tree = parser.parse_str(text).map_err(|error| {
        refused(format!(
            "the string is not valid JSON ({error}); to replace the whole string, use `set_json`"
        ))
    })?;
    let object = tree.root();
    if object.kind() != NodeKind::Object {
        return Err(refused(format!(
            "the string holds {}, not an object; to replace the whole string, use `set_json`",
            object.kind().name()
        )));
    }
    let places = |name: &str| {
        let members = object.members().enumerate();
        let same = members.filter(|(_, (key, _))| key.is_text(name));
        same.collect::<Vec<_>>()
    };
    let own = places(name);
    if own.len() > 1 {
        return Err(EditError::SeveralValues { name: name.to_owned(), count: own.len() });
    }
    let own = own.first().copied();
    let required =
        || own.ok_or_else(|| EditError::NoValue { part: part.name(), name: name.to_owned() });
    let editor = Editor::new(&tree, Escapes::seen_in(text));
    let splice = match change {
        ValueChange::Set(value) => {
            named(name, "argument")?;
            let new = NewValue::from(*value);
            match own {
                Some((_, (_, old))) => {
                    if old.is_container() {
                        return Err(EditError::SeveralIn { name: name.to_owned() });
                    }
                    editor.replace(old, &new)
                }
                None => {
                    let member = |name: &str| object.get(name).filter(|own| own.is_container());
                    match Nested::of(name, |name| member(name).is_some()) {
                        Some(nested) => {
                            let member = member(nested.member).unwrap_or(object);
                            editor.replace(nested.value(member)?, &new)
                        }
                        None => editor.add_member(object, name, &new, None),
                    }
                }
            }
        }
        ValueChange::Rename(to) => {
            named(to, "argument")?;
            let (_, (key, _)) = required()?;
            if *to != name && !places(to).is_empty() {
                return Err(EditError::ValueExists { part: part.name(), name: (*to).to_owned() });
            }
            editor.set_string(key, to)
        }
        ValueChange::Remove => {
            let (place, _) = required()?;
            editor.remove(object, place..place + 1)
        }
    };
    Ok(Patch::from(splice).apply(text))
}

/// Changes JSON in a string. A call with such a response may be given a request.
fn set_json(call: &mut ApiCall, part: CallPart, new: &str) -> Result<(), EditError> {
    let embedded = call.response.as_ref().is_some_and(|r| r.text().is_some());
    let may_be_added = part == CallPart::Arguments && embedded && !call.name.is_empty();
    match call.payload_mut(part) {
        Some(Payload::Embedded { text, .. } | Payload::Text { text, .. }) => *text = new.into(),
        None if may_be_added => {
            call.arguments = Some(Payload::Embedded { text: new.into(), at: Extent::default() });
        }
        _ => {
            return Err(EditError::NotEditable {
                what: part.name(),
                reason: "it is not stored as a string".to_owned(),
            });
        }
    }
    Ok(())
}

fn set_value(
    call: &mut ApiCall,
    part: CallPart,
    name: &str,
    value: &EditValue,
) -> Result<(), EditError> {
    named(name, "argument")?;
    call.payload_mut(part).get_or_insert_with(|| Payload::Fields(Vec::new()));
    let fields = fields_mut(call, part)?;
    let content = value.content();
    match position(fields, name)? {
        Some(field) => {
            is_single(&fields[field].content, name)?;
            fields[field].content = content;
        }
        None => {
            let container = |name: &str| position(fields, name).ok().flatten();
            let container =
                |name: &str| container(name).filter(|field| fields[*field].content.is_container());
            let nested = Nested::of(name, |name| container(name).is_some());
            match nested.and_then(|nested| Some((nested, container(nested.member)?))) {
                Some((nested, field)) => set_nested(&mut fields[field], nested, value)?,
                None => fields.push(Field::known(name, content, Extent::default())),
            }
        }
    }
    Ok(())
}

/// Sets a value inside that of a field.
fn set_nested(field: &mut Field, nested: Nested<'_>, value: &EditValue) -> Result<(), EditError> {
    let text = field.content.as_str();
    let mut parser = Parser::new();
    let tree = parser
        .parse_str(text)
        .map_err(|_| EditError::SeveralIn { name: field.name.to_string() })?;
    let editor = Editor::new(&tree, Escapes::seen_in(text));
    let splice = editor.replace(nested.value(tree.root())?, &value.into());
    field.content = Content::Raw(Patch::from(splice).apply(text).into());
    Ok(())
}

/// Checks that a value is not a list or an object, which a single value must not replace.
pub(super) fn is_single(content: &Content, name: &str) -> Result<(), EditError> {
    if content.is_container() {
        return Err(EditError::SeveralIn { name: name.to_owned() });
    }
    Ok(())
}

pub(super) fn named(name: &str, what: &'static str) -> Result<(), EditError> {
    if name.is_empty() {
        return Err(EditError::EmptyName { what });
    }
    Ok(())
}

fn call_mut(turn: &mut Turn, at: usize, call: usize) -> Result<&mut ApiCall, EditError> {
    let count = turn.calls.len();
    turn.calls.get_mut(call).ok_or(EditError::NoCall { turn: at, call, count })
}

fn fields_mut(call: &mut ApiCall, part: CallPart) -> Result<&mut Vec<Field>, EditError> {
    match call.payload_mut(part) {
        Some(Payload::Fields(fields)) => Ok(fields),
        Some(Payload::Embedded { .. } | Payload::Text { .. }) | None => {
            Err(EditError::NotEditable {
                what: part.name(),
                reason: "the call lacks this part".to_owned(),
            })
        }
    }
}

/// Position of the only field named `name`.
fn position(fields: &[Field], name: &str) -> Result<Option<usize>, EditError> {
    only(fields.iter().map(|field| &field.name), name)
}

fn required(fields: &[Field], part: CallPart, name: &str) -> Result<usize, EditError> {
    position(fields, name)?
        .ok_or_else(|| EditError::NoValue { part: part.name(), name: name.to_owned() })
}
