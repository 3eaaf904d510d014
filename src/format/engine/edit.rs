//! The change that a format writes, and the splices that formats write texts, numbers and lists with.

use std::collections::HashMap;

use crate::dialog::{Dialog, Edit, EditError, Extent, Segment, Span, Turn};
use crate::json::{Editor, Escapes, NewValue, NodeKind, Splice, Value};
use crate::text::MappedSpan;

/// The slots of a corpus, as `domain.slot`, and whether the values of each are a closed list.
pub type SlotKinds = HashMap<String, bool>;

/// The habits of a file, and of the files beside it, that new text in one of its dialogs follows.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileStyle<'f> {
    pub escapes: Escapes,
    /// From the ontology beside the file.
    pub slots: Option<&'f SlotKinds>,
}

impl From<Escapes> for FileStyle<'_> {
    fn from(escapes: Escapes) -> Self {
        Self { escapes, slots: None }
    }
}

/// A dialog before and after an edit.
pub struct EditedDialog<'a> {
    pub edit: &'a Edit,
    pub before: &'a Dialog,
    pub after: &'a Dialog,
    /// The only turn that differs; None if others may, too.
    pub turn: Option<usize>,
    /// The slots of the corpus, if an ontology lists them.
    pub slots: Option<&'a SlotKinds>,
}

pub fn not_editable(what: &'static str, reason: &impl ToString) -> EditError {
    EditError::NotEditable { what, reason: reason.to_string() }
}

impl<'c> EditedDialog<'c> {
    /// Returns the edited turn before and after.
    pub fn turns(&self) -> (&'c Turn, &'c Turn) {
        let turn = self.edit.turn();
        (&self.before.turns[turn], &self.after.turns[turn])
    }

    /// Returns the position of a new segment in its turn, and the segment.
    pub fn new_segment(&self) -> Option<(usize, &'c Segment)> {
        let Edit::AddSegment { start, end, .. } = self.edit else {
            return None;
        };
        let (before, after) = self.turns();
        let place = before.place_of_segment(Span { start: *start, end: *end });
        Some((place, after.segments.get(place)?))
    }
}

/// Returns the value that an element was read from.
///
/// # Errors
/// If there is none, because a reader added the element in place of a missing one.
pub fn value_of<'a>(
    editor: &Editor<'a>,
    at: Extent,
    what: &'static str,
) -> Result<Value<'a>, EditError> {
    // Elements that are not in the text yet have no place there.
    let value = editor.tree().value_at(at.start).filter(|_| at.end > 0);
    value.ok_or_else(|| not_editable(what, &"it is not there"))
}

/// Like [`value_of`], for an element that must be an object.
///
/// # Errors
/// If it is not an object: readers replace any other value by an empty element.
pub fn object_of<'a>(
    editor: &Editor<'a>,
    at: Extent,
    what: &'static str,
) -> Result<Value<'a>, EditError> {
    let value = value_of(editor, at, what)?;
    match value.kind() {
        NodeKind::Object => Ok(value),
        other => Err(not_editable(what, &format!("it is {}", other.name()))),
    }
}

/// Sets the string under `key`, or adds it if it is missing.
pub fn set_text<'a>(editor: &Editor<'a>, object: Value<'a>, key: &str, text: &str) -> Splice {
    match object.get(key) {
        Some(value) if value.is_text(text) => Splice::new(0..0, ""),
        Some(value) => editor.replace(value, &NewValue::String(text.to_owned())),
        None => editor.add_member(
            object,
            key,
            &NewValue::String(text.to_owned()),
            editor.holder(key, object),
        ),
    }
}

/// Sets the integer under `key`, or adds it if it is missing. A string of digits stays one.
pub fn set_index<'a>(editor: &Editor<'a>, object: Value<'a>, key: &str, index: u32) -> Splice {
    match object.get(key) {
        Some(value) => editor.set_integer(value, i64::from(index)),
        None => {
            let new = NewValue::Integer(i64::from(index));
            editor.add_member(object, key, &new, editor.holder(key, object))
        }
    }
}

/// Appends `new` to the array under `key`, which is added if it is missing or null.
///
/// # Errors
/// If there is another value, which would be lost.
pub fn append<'a>(
    editor: &Editor<'a>,
    object: Value<'a>,
    key: &'static str,
    new: NewValue,
) -> Result<Splice, EditError> {
    append_all(editor, object, key, vec![new])
}

/// Like [`append`], for several values.
///
/// # Errors
/// As [`append`].
pub fn append_all<'a>(
    editor: &Editor<'a>,
    object: Value<'a>,
    key: &'static str,
    new: Vec<NewValue>,
) -> Result<Splice, EditError> {
    insert(editor, object, key, usize::MAX, new)
}

/// Like [`append_all`], at an index.
///
/// # Errors
/// As [`append`].
pub fn insert<'a>(
    editor: &Editor<'a>,
    object: Value<'a>,
    key: &'static str,
    index: usize,
    new: Vec<NewValue>,
) -> Result<Splice, EditError> {
    let Some(value) = object.get(key) else {
        let like = editor.holder(key, object);
        return Ok(editor.add_member(object, key, &NewValue::Array(new), like));
    };
    let like = editor.namesake(key, value);
    match value.kind() {
        NodeKind::Array => Ok(editor.insert(value, index, &new, like)),
        NodeKind::Null => Ok(editor.replace_like(value, &NewValue::Array(new), like)),
        other => Err(not_editable(key, &format!("it is {}", other.name()))),
    }
}

/// Sets a text of the whole dialog, in the string that it was read from.
///
/// # Errors
/// If it is not a string of the text.
pub fn write_field(
    editor: &Editor<'_>,
    before: &Dialog,
    name: &str,
    text: &str,
) -> Result<Vec<Splice>, EditError> {
    let field = before.fields.iter().find(|field| field.name == name);
    let at = field.map(|field| field.at).unwrap_or_default();
    let value = value_of(editor, at, "the field")?;
    if value.kind() != NodeKind::String {
        let found = value.kind().name();
        return Err(not_editable("the field", &format!("it is {found}")));
    }
    Ok(vec![editor.set_string(value, text)])
}

/// Writes the spans of a turn's segments that have `moved`, and deletes the segments that were cut. `span`
/// writes the changed span of one segment.
pub fn follow_segments<'a>(
    editor: &Editor<'a>,
    array: Option<Value<'a>>,
    before: &Turn,
    after: &Turn,
    moved: &[Option<MappedSpan>],
    span: impl Fn(&Segment, &Segment) -> Result<Vec<Splice>, EditError>,
) -> Result<Vec<Splice>, EditError> {
    let Some(array) = array else {
        return Ok(Vec::new());
    };
    let cut = |i: usize| moved[i] == Some(MappedSpan::Cut);
    let mut splices = Vec::new();
    let mut kept = after.segments.iter();
    let mut i = 0;
    while i < before.segments.len() {
        if cut(i) {
            let end = (i..moved.len()).find(|&j| !cut(j)).unwrap_or(moved.len());
            splices.push(editor.remove(array, i..end));
            i = end;
            continue;
        }
        if let Some(after) = kept.next()
            && (after.span != before.segments[i].span || after.quote != before.segments[i].quote)
        {
            splices.extend(span(&before.segments[i], after)?);
        }
        i += 1;
    }
    Ok(splices)
}
