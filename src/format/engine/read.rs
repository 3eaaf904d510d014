//! Shared code of all readers: reads known members, reports issues, keeps everything else.

use std::borrow::Cow;

use crate::dialog::{Breakdown, Content, Dialog, Extent, Field, Issue, IssueKind, Short, Turn};
use crate::json::{Elements, NodeKind, Tree, Value};
use crate::text::{Units, cut};

/// Collects issues while a dialog is read.
#[derive(Default)]
pub struct Reader {
    issues: Vec<Issue>,
    /// The turn being read.
    pub turn: Option<usize>,
}

/// The most characters of a value in a message.
const SHOWN: usize = 40;

/// Returns a value for messages: the kind of a list or an object; any other as it is written, cut if it is long.
pub fn brief(value: Value<'_>) -> String {
    match value.kind() {
        NodeKind::Array | NodeKind::Object => value.kind().name().to_owned(),
        _ => cut(value.raw(), SHOWN),
    }
}

pub fn extent(value: Value<'_>) -> Extent {
    let range = value.range();
    Extent { start: range.start, end: range.end }
}

pub fn field(key: Value<'_>, value: Value<'_>, known: bool) -> Field {
    let name = key.as_str().unwrap_or_default().into();
    Field { name, content: Content::of(value), known, at: extent(value) }
}

/// Returns a field that the description has.
pub fn known_field(name: impl Into<Short>, value: Value<'_>) -> Field {
    Field::known(name, Content::of(value), extent(value))
}

/// Returns the members of an object with the names `keys`; appends the others to `unknown`. If a key is
/// repeated, the last one counts, as in every JSON reader.
pub fn members<'a, const N: usize>(
    object: Value<'a>,
    keys: [&str; N],
    unknown: &mut Vec<Field>,
) -> [Option<Value<'a>>; N] {
    let mut found = [None; N];
    // Objects of one kind have their members in one order, so the next key is usually the next of
    // `keys`, if these have the same order: one comparison each.
    let mut next = 0;
    for (key, value) in object.members() {
        let expected = next < N && key.is_text(keys[next]);
        let place = if expected { Some(next) } else { keys.iter().position(|k| key.is_text(k)) };
        match place {
            Some(position) => {
                found[position] = Some(value);
                next = position + 1;
            }
            None => unknown.push(field(key, value, false)),
        }
    }
    found
}

/// Reads each element or member into a list without spare room: `collect` makes room for four, and
/// most lists of a turn have one or two elements.
pub fn each<I: Iterator + Clone, T>(parts: I, read: impl FnMut(I::Item) -> T) -> Vec<T> {
    let mut all = Vec::with_capacity(parts.clone().count());
    all.extend(parts.map(read));
    all
}

/// The members in which a family writes the parts of every dialog.
pub struct Frame {
    pub id: &'static str,
    /// The array of its turns.
    pub turns: &'static str,
    /// Other members in its description; the flag says whether null is allowed.
    pub known: &'static [&'static str],
}

/// Reads the dialog in `tree`. `turn` reads one element of the array of turns, given with its position;
/// an element may become several turns or none.
pub fn dialog(
    tree: Tree<'_>,
    units: Units,
    frame: &Frame,
    mut turn: impl FnMut(&mut Reader, (u32, Value<'_>), &mut Vec<Turn>),
) -> (Dialog, Vec<Issue>) {
    let root = tree.root();
    dialog_of(root, units, |reader, dialog| {
        let [id, turns] = members(root, [frame.id, frame.turns], &mut dialog.fields);
        let id = reader.required(id, root, "the dialog", frame.id);
        dialog.id = reader.text(id, frame.id);
        know_fields(&mut dialog.fields, frame.known);
        if let Some(turns) = reader.required(turns, root, "the dialog", frame.turns) {
            let elements = reader.elements(turns, frame.turns);
            dialog.turns.reserve_exact(elements.size_hint().0);
            for element in (0..).zip(elements) {
                reader.turn = Some(dialog.turns.len());
                turn(reader, element, &mut dialog.turns);
            }
        }
    })
}

/// Returns the dialog that `read` reads from the object `root`.
pub fn dialog_of(
    root: Value<'_>,
    units: Units,
    read: impl FnOnce(&mut Reader, &mut Dialog),
) -> (Dialog, Vec<Issue>) {
    let mut reader = Reader::default();
    let mut dialog = Dialog::new(units);
    dialog.at = extent(root);
    if reader.is_object(root, "dialog") {
        read(&mut reader, &mut dialog);
    }
    (dialog, reader.finish())
}

/// Marks the fields that the corpus has as known.
fn know_fields(fields: &mut [Field], known: &[&str]) {
    for field in fields.iter_mut().filter(|field| known.contains(&field.name.as_str())) {
        field.known = true;
    }
}

impl Reader {
    pub fn finish(self) -> Vec<Issue> {
        self.issues
    }

    /// Reports that the value of the member `field` is not the expected one.
    #[cold]
    pub fn report(&mut self, value: Value<'_>, field: &'static str, expected: &'static str) {
        self.is_wrong(value, field, false, expected);
    }

    /// Reports that an item of the array in the member `field` is not the expected one.
    #[cold]
    pub fn report_item(&mut self, value: Value<'_>, field: &'static str, expected: &'static str) {
        self.is_wrong(value, field, true, expected);
    }

    fn is_wrong(
        &mut self,
        value: Value<'_>,
        field: &'static str,
        item: bool,
        expected: &'static str,
    ) {
        self.note(value, IssueKind::Wrong { field, item, expected, found: brief(value) });
    }

    #[cold]
    pub fn missing(&mut self, object: Value<'_>, name: &'static str, field: &'static str) {
        self.note(object, IssueKind::Missing { object: name, field });
    }

    fn note(&mut self, value: Value<'_>, problem: IssueKind) {
        self.issues.push(Issue { at: extent(value), turn: self.turn, problem });
    }

    /// Returns the member `field` of `object`, which is required.
    pub fn required<'a>(
        &mut self,
        found: Option<Value<'a>>,
        object: Value<'_>,
        name: &'static str,
        field: &'static str,
    ) -> Option<Value<'a>> {
        if found.is_none() {
            self.missing(object, name, field);
        }
        found
    }

    /// Returns a string; empty for any other value.
    #[inline]
    pub fn text<T>(&mut self, value: Option<Value<'_>>, field: &'static str) -> T
    where
        T: for<'t> From<&'t str> + From<String> + Default,
    {
        let Some(value) = value else {
            return T::default();
        };
        match value.as_str() {
            Some(Cow::Borrowed(text)) => text.into(),
            Some(Cow::Owned(text)) => text.into(),
            None => {
                self.report(value, field, "a string");
                T::default()
            }
        }
    }

    /// Returns an integer from 0 to 4,294,967,295.
    pub fn index(&mut self, value: Option<Value<'_>>, field: &'static str) -> Option<u32> {
        let value = value?;
        let integer = value.as_integer();
        let index = integer.and_then(|integer| u32::try_from(integer).ok());
        if index.is_none() {
            let expected = match integer {
                Some(0..) => "at most 4,294,967,295",
                _ => "a non-negative integer",
            };
            self.report(value, field, expected);
        }
        index
    }

    /// Returns the elements of an array; none for any other value.
    pub fn elements<'a>(&mut self, value: Value<'a>, field: &'static str) -> Elements<'a> {
        if value.kind() != NodeKind::Array {
            self.report(value, field, "an array");
        }
        value.elements()
    }

    /// True if `value`, an item of the array in the member `field`, is an object.
    pub fn is_object_in(&mut self, value: Value<'_>, field: &'static str) -> bool {
        let is = value.kind() == NodeKind::Object;
        if !is {
            self.report_item(value, field, "an object");
        }
        is
    }

    /// True if `value` is an object.
    pub fn is_object(&mut self, value: Value<'_>, field: &'static str) -> bool {
        let is = value.kind() == NodeKind::Object;
        if !is {
            self.report(value, field, "an object");
        }
        is
    }
}

/// O, T or X; None, with an issue, for anything else.
pub fn breakdown(reader: &mut Reader, value: Option<Value<'_>>) -> Option<Breakdown> {
    let value = value?;
    let breakdown = value.as_str().and_then(|text| Breakdown::from_letter(&text));
    if breakdown.is_none() {
        reader.report(value, "breakdown", "\"O\", \"T\" or \"X\"");
    }
    breakdown
}
