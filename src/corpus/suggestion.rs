//! Suggested edits: records that may name their words by a quotation instead of offsets.

use std::str::FromStr;

use serde_json::{Map, Value};

use super::record::{BadRecord, Record};
use super::record_check;
use crate::dialog::{Edit, EditFields, Span};

/// A record whose edit may still need the place of a quotation.
pub type Suggestion = Record<Proposal>;

/// The change that a suggestion proposes.
#[derive(Clone, Debug, PartialEq)]
pub enum Proposal {
    Edit(Edit),
    Quoted(QuotedEdit),
}

/// An edit of a span that is given as a quotation of its words.
#[derive(Clone, Debug, PartialEq)]
pub struct QuotedEdit {
    pub quote: String,
    /// Which of several places in the text, counted from 0.
    pub nth: Option<usize>,
    /// The edit, with a span that does not count.
    edit: Edit,
}

impl QuotedEdit {
    pub fn turn(&self) -> usize {
        self.edit.turn()
    }

    /// Returns the edit, once the place of the quotation is known.
    pub fn at(&self, span: Span) -> Edit {
        let mut edit = self.edit.clone();
        edit.set_span(span);
        edit
    }
}

impl FromStr for Suggestion {
    type Err = BadRecord;

    fn from_str(line: &str) -> Result<Self, BadRecord> {
        let mut members = record_check::object(line)?;
        let kind = record_check::kind_of(&members)?;
        let dialog = members.remove("dialog").ok_or(BadRecord::NoDialog)?;
        let file = match members.remove("file") {
            None | Some(Value::Null) => None,
            Some(Value::String(file)) if !file.is_empty() => Some(file),
            Some(_) => return Err(BadRecord::BadFile),
        };
        let dialog_id = match members.remove("dialog_id") {
            None | Some(Value::Null) => None,
            Some(Value::String(id)) => Some(id),
            Some(_) => return Err(BadRecord::BadDialogId),
        };
        let on = match members.remove("on") {
            None | Some(Value::Null) => None,
            Some(on) => Some(serde_json::from_value(on).map_err(|_| BadRecord::BadBasis)?),
        };
        let reference = serde_json::from_value(dialog.clone());
        let dialog = reference.map_err(|_| BadRecord::BadDialog(dialog))?;
        let origin = record_check::origin(&mut members)?;
        let quotation = quotation(kind, &mut members)?;
        record_check::check(kind, &members)?;
        let edit = serde_json::from_value(Value::Object(members)).map_err(BadRecord::BadEdit)?;
        let edit = match quotation {
            Some((quote, nth)) => Proposal::Quoted(QuotedEdit { quote, nth, edit }),
            None => Proposal::Edit(edit),
        };
        Ok(Self { file, dialog, dialog_id, edit, on, origin })
    }
}

/// Takes a quotation out of the members, and puts offsets in its place so that they can be checked like
/// those of other records.
fn quotation(
    kind: &EditFields,
    members: &mut Map<String, Value>,
) -> Result<Option<(String, Option<usize>)>, BadRecord> {
    let nth = match members.remove("nth") {
        None | Some(Value::Null) => None,
        Some(nth) => match nth.as_u64() {
            Some(nth) => Some(nth as usize),
            None => return Err(record_check::bad("nth", "a non-negative integer", &nth)),
        },
    };
    let quote = match members.remove("quote") {
        None | Some(Value::Null) if nth.is_some() => return Err(BadRecord::NthWithoutQuote),
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(quote)) if !quote.trim().is_empty() => quote,
        Some(other) => return Err(record_check::bad("quote", "words of the turn", &other)),
    };
    if !matches!(kind.kind, "set_span" | "add_segment") {
        return Err(BadRecord::NoSpanToQuote(kind.kind));
    }
    for offset in ["start", "end"] {
        if members.insert(offset.to_owned(), Value::from(0)).is_some() {
            return Err(BadRecord::QuoteAndOffsets);
        }
    }
    Ok(Some((quote, nth)))
}
