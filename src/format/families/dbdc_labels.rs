//! Output of a breakdown detector: a label and probabilities for each system turn.
//!
//! A `.labels.json` file belongs to the log with the same dialogue id and is shown together with it. The
//! form is that of the challenge's submissions. An adjudicator's gold labels have the same form, see
//! [`crate::format::families::gold`]; only these can be edited.

use crate::dialog::{Detection, Role, Short, Speaker, Turn};
use crate::format::Sign;
use crate::format::engine::read::breakdown;
use crate::format::engine::read::{self, Frame, Reader, each, extent, members};
use crate::format::engine::shape::{any_has, has_objects, is_empty};
use crate::format::families::gold;
use crate::format::family::{Code, Family, ReadDialog};
use crate::json::{Tree, Value};
use crate::text::Units;

/// Its description.
pub const TOML: &str = include_str!("dbdc_labels.toml");

/// Its functions beside the description.
pub fn code() -> Code {
    Code {
        read: Some(read),
        schema: Some(include_str!("../../../assets/schemas/dbdc-labels.schema.json")),
        signs: Some(signs),
        // A file without labels is one of labels, too.
        has_turns: Some(|_| true),
        has_text: Some(|_| true),
        // Nobody says labels.
        follow: Some(|_, _, _, _| {}),
        write_labels: Some(gold::write),
        ..Code::default()
    }
}

const FRAME: Frame = Frame { id: "dialogue-id", turns: "turns", known: &[] };

fn signs(_: &'static Family, root: Value<'_>) -> Vec<Sign> {
    let index = any_has(root, FRAME.turns, "turn-index", |_| true);
    let labels = any_has(root, FRAME.turns, "labels", |_| true);
    let none = root.get(gold::MARK).is_some() && is_empty(root, FRAME.turns);
    vec![
        Sign::new("`turns`, an array of objects", has_objects(root, FRAME.turns)),
        Sign::new("`turn-index` in its turns", index || none),
        Sign::new("`labels` in its turns", labels || none),
    ]
}

fn read(_: &'static Family, tree: Tree<'_>) -> ReadDialog {
    read::dialog(tree, Units::CodePoints, &FRAME, |reader, (_, value), turns| {
        turns.push(turn(reader, value));
    })
}

fn turn(reader: &mut Reader, value: Value<'_>) -> Turn {
    let speaker = Speaker { role: Role::System, name: Short::default() };
    let mut turn = Turn { speaker, at: extent(value), ..Turn::default() };
    if !reader.is_object_in(value, "turns") {
        return turn;
    }
    let [index, labels] = members(value, ["turn-index", "labels"], &mut turn.fields);
    let index = reader.required(index, value, "the turn", "turn-index");
    turn.index = reader.index(index, "turn-index");
    if let Some(labels) = reader.required(labels, value, "the turn", "labels") {
        let elements = reader.elements(labels, "labels");
        turn.detections = each(elements, |value| detection(reader, value));
        if turn.detections.is_empty() && labels.kind() == crate::json::NodeKind::Array {
            reader.report(labels, "labels", "an array with at least one label");
        }
    }
    turn
}

fn detection(reader: &mut Reader, value: Value<'_>) -> Detection {
    let mut detection = Detection { at: extent(value), ..Detection::default() };
    if !reader.is_object_in(value, "labels") {
        return detection;
    }
    let label = reader.required(value.get("breakdown"), value, "the label", "breakdown");
    let comment = value.get(gold::COMMENT).and_then(Value::as_str);
    detection.comment = comment.unwrap_or_default().into();
    detection.breakdown = breakdown(reader, label);
    let keys = ["prob-O", "prob-T", "prob-X"];
    detection.probabilities = keys.map(|key| {
        let found = reader.required(value.get(key), value, "the label", key)?;
        probability(reader, found, key)
    });
    detection
}

/// Reads a probability. Also accepts a number outside 0 to 1, because sums of rounded numbers can exceed
/// 1, and a number in a string, because the challenge's evaluation script accepts both.
fn probability(reader: &mut Reader, value: Value<'_>, field: &'static str) -> Option<f64> {
    let number = value.as_number();
    if !number.is_some_and(|number| (0.0..=1.0).contains(&number)) {
        reader.report(value, field, "a number from 0 to 1");
    }
    let number = number.or_else(|| value.as_str()?.trim().parse().ok());
    number.filter(|number| number.is_finite())
}
