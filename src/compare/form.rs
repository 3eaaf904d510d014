//! Writes what one copy says in the form of another: its line breaks, indentation and spaces.

use super::canonical::is_same_json;
use super::list::Side;
use super::tree::Trees;
use crate::json::{Editor, Escapes, NewValue, NodeKind, Parser, Patch, Splice, Value};

/// True if two values are written in one form, going by how they begin. Values without children have any form.
pub fn has_form_of(one: Value<'_>, other: Value<'_>) -> bool {
    match (beginning(one), beginning(other)) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    }
}

/// As [`has_form_of`], of two dialogs as they are written. Texts that are not JSON have any form.
fn is_of_one_form(one: &str, other: &str) -> bool {
    let (mut own, mut others) = (Parser::new(), Parser::new());
    let trees = (own.parse_piece_str(one), others.parse_piece_str(other));
    let (Ok(one), Ok(other)) = trees else {
        return true;
    };
    has_form_of(one.root(), other.root())
}

/// Returns what is between the beginning of a value and its first child; of lines, that of the first one.
fn beginning(value: Value<'_>) -> Option<&str> {
    if value.is_lines() {
        return beginning(value.elements().next()?);
    }
    let (key, element) = (value.members().next(), value.elements().next());
    let first = key.map(|(key, _)| key).or(element)?;
    let start = value.range().start as usize + 1;
    value.tree().text().get(start..first.range().start as usize)
}

/// Returns a value as one to write in the form of where it comes to be. Texts and numbers stay as they are spelled.
pub fn unformed(value: Value<'_>) -> NewValue {
    match value.kind() {
        NodeKind::Object => NewValue::Map(
            value
                .members()
                .map(|(key, value)| {
                    let key = key.as_str().unwrap_or_default().into_owned();
                    (key, unformed(value))
                })
                .collect(),
        ),
        NodeKind::Array => NewValue::Array(value.elements().map(unformed).collect()),
        _ => NewValue::Raw(value.raw().to_owned()),
    }
}

/// Returns the text of a value as one to write: in the form of where it comes to be, or as it is if it `has_form`.
pub fn to_write(text: String, has_form: bool) -> NewValue {
    let mut parser = Parser::new();
    match parser.parse_str(&text) {
        Ok(tree) if !has_form => unformed(tree.root()),
        _ => NewValue::Raw(text),
    }
}

/// Returns a dialog of theirs as it is if it has the form of ours, and else in our form, as far as possible.
pub fn in_our_form(ours: &str, theirs: String) -> String {
    if is_of_one_form(ours, &theirs) {
        return theirs;
    }
    let merged = Trees::of_json(ours, ours, &theirs).merged(&|_| Side::Theirs);
    let text = merged.map(|merged| merged.text).filter(|text| is_same_json(text, &theirs));
    text.or_else(|| in_form_beside(&theirs, ours)).unwrap_or(theirs)
}

/// Returns a dialog, as it is written, in the form of another one. None if one of them is not JSON.
pub fn in_form_beside(text: &str, like: &str) -> Option<String> {
    let (mut own, mut others) = (Parser::new(), Parser::new());
    let new = own.parse_piece_str(text).ok()?;
    let like = others.parse_piece_str(like).ok()?;
    let root = like.root();
    if has_form_of(new.root(), root) || new.root().is_lines() || root.is_lines() {
        return Some(text.to_owned());
    }
    let editor = Editor::new(&like, Escapes::default());
    let mut splices = vec![editor.replace_like(root, &unformed(new.root()), Some(root))];
    if let (Some(key), Some(now)) = (new.key(), like.key()) {
        splices.push(Splice::new(now.range().bytes(), key.raw()));
    }
    Some(Patch::new(splices).ok()?.apply(like.text()))
}
