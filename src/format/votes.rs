//! The form of a breakdown judgement, shared by logs and detector output.

use super::read::Reader;
use crate::dialog::Breakdown;
use crate::json::Value;

/// O, T or X; None, with an issue, for anything else.
pub fn breakdown(reader: &mut Reader, value: Option<Value<'_>>) -> Option<Breakdown> {
    let value = value?;
    let breakdown = value
        .as_str()
        .and_then(|text| Breakdown::from_letter(&text));
    if breakdown.is_none() {
        reader.report(value, "breakdown", "\"O\", \"T\" or \"X\"");
    }
    breakdown
}
