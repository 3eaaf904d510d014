//! Applies edits of a call's name, arguments and response.

use super::apply::EditError;
use super::edit::{CallPart, Edit};
use super::model::{ApiCall, Content, Extent, Field, Payload, Turn};
use super::value::EditValue;

/// Applies an edit of calls; ignores other edits.
pub fn apply(edit: &Edit, turn: &mut Turn) -> Result<(), EditError> {
    match edit {
        Edit::SetApi {
            turn: at,
            call,
            name,
        } => {
            named(name, "API")?;
            let call = call_mut(turn, *at, *call)?;
            call.name = name.as_str().into();
            if let Some(again) = &mut call.answered_as {
                again.clone_from(&call.name);
            }
        }
        Edit::SetValue {
            turn: at,
            call,
            part,
            name,
            value,
        } => set_value(call_mut(turn, *at, *call)?, *part, name, value)?,
        Edit::RenameValue {
            turn: at,
            call,
            part,
            name,
            to,
        } => {
            named(to, "argument")?;
            let fields = fields_mut(call_mut(turn, *at, *call)?, *part)?;
            let field = required(fields, *part, name)?;
            if name != to && position(fields, to)?.is_some() {
                let name = to.clone();
                return Err(EditError::ValueExists {
                    part: part.name(),
                    name,
                });
            }
            fields[field].name = to.as_str().into();
        }
        Edit::RemoveValue {
            turn: at,
            call,
            part,
            name,
        } => {
            let fields = fields_mut(call_mut(turn, *at, *call)?, *part)?;
            let field = required(fields, *part, name)?;
            fields.remove(field);
        }
        Edit::SetJson {
            turn: at,
            call,
            part,
            text: new,
        } => set_json(call_mut(turn, *at, *call)?, *part, new)?,
        _ => {}
    }
    Ok(())
}

/// Changes JSON in a string. A call with such a response may be given a request.
fn set_json(call: &mut ApiCall, part: CallPart, new: &str) -> Result<(), EditError> {
    let embedded = call.response.as_ref().is_some_and(|r| r.text().is_some());
    let may_be_added = part == CallPart::Arguments && embedded && !call.name.is_empty();
    match payload_mut(call, part) {
        Some(Payload::Embedded { text, .. } | Payload::Text { text, .. }) => *text = new.into(),
        None if may_be_added => {
            call.arguments = Some(Payload::Embedded {
                text: new.into(),
                at: Extent::default(),
            });
        }
        _ => {
            return Err(EditError::NotEditable {
                what: part.name(),
                reason: "there is no JSON in a string".to_owned(),
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
    if payload_mut(call, part).is_none() {
        let empty = Some(Payload::Fields(Vec::new()));
        match part {
            CallPart::Arguments => call.arguments = empty,
            CallPart::Response => call.response = empty,
        }
    }
    let fields = fields_mut(call, part)?;
    let content = value.content();
    match position(fields, name)? {
        Some(field) => {
            is_single(&fields[field].content, name)?;
            fields[field].content = content;
        }
        None => fields.push(Field {
            name: name.into(),
            content,
            known: true,
            at: Extent::default(),
        }),
    }
    Ok(())
}

/// Checks that a value is not a list or an object, which a single value must not replace.
pub(super) fn is_single(content: &Content, name: &str) -> Result<(), EditError> {
    match content {
        Content::Raw(raw) if raw.starts_with(['[', '{']) => Err(EditError::SeveralIn {
            name: name.to_owned(),
        }),
        _ => Ok(()),
    }
}

pub(super) fn named(name: &str, what: &'static str) -> Result<(), EditError> {
    if name.is_empty() {
        return Err(EditError::EmptyName { what });
    }
    Ok(())
}

fn call_mut(turn: &mut Turn, at: usize, call: usize) -> Result<&mut ApiCall, EditError> {
    let count = turn.calls.len();
    turn.calls.get_mut(call).ok_or(EditError::NoCall {
        turn: at,
        call,
        count,
    })
}

fn payload_mut(call: &mut ApiCall, part: CallPart) -> Option<&mut Payload> {
    match part {
        CallPart::Arguments => call.arguments.as_mut(),
        CallPart::Response => call.response.as_mut(),
    }
}

fn fields_mut(call: &mut ApiCall, part: CallPart) -> Result<&mut Vec<Field>, EditError> {
    match payload_mut(call, part) {
        Some(Payload::Fields(fields)) => Ok(fields),
        Some(Payload::Embedded { .. } | Payload::Text { .. }) => Err(EditError::NotEditable {
            what: part.name(),
            reason: "it is JSON in a string; use set_json".to_owned(),
        }),
        None => Err(EditError::NotEditable {
            what: part.name(),
            reason: "the call has none".to_owned(),
        }),
    }
}

/// Position of the only field named `name`.
fn position(fields: &[Field], name: &str) -> Result<Option<usize>, EditError> {
    let mut same = fields.iter().enumerate().filter(|(_, f)| f.name == name);
    let first = same.next().map(|(position, _)| position);
    match same.count() {
        0 => Ok(first),
        more => Err(EditError::SeveralValues {
            name: name.to_owned(),
            count: more + 1,
        }),
    }
}

fn required(fields: &[Field], part: CallPart, name: &str) -> Result<usize, EditError> {
    position(fields, name)?.ok_or_else(|| EditError::NoValue {
        part: part.name(),
        name: name.to_owned(),
    })
}
