//! Suggested edits: records that may name their words by a quotation instead of offsets.

use std::str::FromStr;

use serde_json::{Map, Value};

use super::record::{BadRecord, DialogRef, Origin, Record};
use super::record_check;
use crate::dialog::{Edit, EditContext, EditFields, Span};

/// A record whose edit may still need the place of a quotation.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The end of the path of the file, if ids alone are ambiguous.
    pub file: Option<String>,
    pub dialog: DialogRef,
    /// The id of the dialog beside its position: a dialog at another position that has the id is meant.
    pub dialog_id: Option<String>,
    pub proposal: Proposal,
    /// The context for which it was made; the edit is refused if that has changed.
    pub on: Option<EditContext>,
    pub origin: Origin,
}

/// The change that a suggestion proposes.
#[derive(Clone, Debug, PartialEq)]
pub enum Proposal {
    Edit(Edit),
    Quoted(QuotedEdit),
}

/// An edit of a span that is given as a quotation of its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuotedEdit {
    pub turn: usize,
    pub quote: String,
    /// Which of several places in the text, counted from 0.
    pub nth: Option<usize>,
    change: QuotedChange,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum QuotedChange {
    Move { segment: usize },
    Add { labels: Vec<String> },
}

impl QuotedEdit {
    /// Returns the edit, once the place of the quotation is known.
    pub fn at(&self, Span { start, end }: Span) -> Edit {
        let turn = self.turn;
        match &self.change {
            QuotedChange::Move { segment } => Edit::SetSpan { turn, segment: *segment, start, end },
            QuotedChange::Add { labels } => {
                Edit::AddSegment { turn, start, end, labels: labels.clone() }
            }
        }
    }
}

impl Suggestion {
    /// Returns the record with its edit, once that is known.
    pub fn with(self, edit: Edit) -> Record {
        Record {
            file: self.file,
            dialog: self.dialog,
            dialog_id: self.dialog_id,
            edit,
            on: self.on,
            origin: self.origin,
        }
    }
}

impl From<Record> for Suggestion {
    fn from(record: Record) -> Self {
        Self {
            file: record.file,
            dialog: record.dialog,
            dialog_id: record.dialog_id,
            proposal: Proposal::Edit(record.edit),
            on: record.on,
            origin: record.origin,
        }
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
        let proposal = match quotation {
            Some((quote, nth)) => quoted(edit, quote, nth),
            None => Proposal::Edit(edit),
        };
        Ok(Self { file, dialog, dialog_id, proposal, on, origin })
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
            None => return Err(record_check::bad("nth", "a number from 0 on", &nth)),
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

fn quoted(edit: Edit, quote: String, nth: Option<usize>) -> Proposal {
    let (turn, change) = match edit {
        Edit::SetSpan { turn, segment, .. } => (turn, QuotedChange::Move { segment }),
        Edit::AddSegment { turn, labels, .. } => (turn, QuotedChange::Add { labels }),
        other => return Proposal::Edit(other),
    };
    Proposal::Quoted(QuotedEdit { turn, quote, nth, change })
}
