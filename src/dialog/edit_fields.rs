//! The kinds of edits in records, and the fields of each.

use super::edit::Edit;

/// A kind of edit, with its fields other than `edit`, which names it, and `turn`.
#[derive(Clone, Copy, Debug)]
pub struct EditFields {
    pub kind: &'static str,
    /// False if it changes a field of the dialog, and has no `turn`.
    pub is_of_turn: bool,
    pub required: &'static [&'static str],
    pub optional: &'static [&'static str],
}

impl EditFields {
    const fn new(
        kind: &'static str,
        required: &'static [&'static str],
        optional: &'static [&'static str],
    ) -> Self {
        Self { kind, is_of_turn: true, required, optional }
    }

    /// Returns the names of all its fields, the required ones first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.all_required().chain(self.optional.iter().copied())
    }

    /// Returns the names of the required fields.
    pub fn all_required(&self) -> impl Iterator<Item = &'static str> {
        let turn = self.is_of_turn.then_some("turn");
        turn.into_iter().chain(self.required.iter().copied())
    }
}

impl Edit {
    /// Every kind of edit.
    pub const FIELDS: &'static [EditFields] = &[
        EditFields::new("set_span", &["segment", "start", "end"], &[]),
        EditFields::new("add_segment", &["start", "end", "labels"], &[]),
        EditFields::new("remove_segment", &["segment"], &[]),
        EditFields::new("set_labels", &["segment", "labels"], &[]),
        EditFields::new("set_quote", &["segment"], &["text"]),
        EditFields::new("set_text", &["text"], &["shrink", "drop"]),
        EditFields::new("set_speaker", &["speaker"], &[]),
        EditFields::new("set_tokens", &["tokens"], &[]),
        EditFields::new("cast_vote", &["annotator", "breakdown"], &["comment", "ungrammatical"]),
        EditFields::new("withdraw_vote", &["annotator"], &[]),
        EditFields::new("set_gold", &["breakdown"], &["comment"]),
        EditFields::new("remove_gold", &[], &[]),
        EditFields::new("set_api", &["call", "name"], &[]),
        EditFields::new("set_value", &["call", "part", "name", "value"], &[]),
        EditFields::new("rename_value", &["call", "part", "name", "to"], &[]),
        EditFields::new("remove_value", &["call", "part", "name"], &[]),
        EditFields::new("set_json", &["call", "part", "text"], &[]),
        EditFields::new("add_call", &["name"], &["arguments", "response"]),
        EditFields::new("remove_call", &["call"], &[]),
        EditFields::new("set_act", &["act", "name"], &["slots"]),
        EditFields::new("add_act", &["name"], &["slots"]),
        EditFields::new("remove_act", &["act"], &[]),
        EditFields::new("set_intents", &["intents"], &[]),
        EditFields::new("set_state", &["slot", "value"], &[]),
        EditFields::new("rename_state", &["slot", "to"], &[]),
        EditFields::new("remove_state", &["slot"], &["value"]),
        EditFields::new("remove_turn", &[], &[]),
        EditFields::new("add_turn", &["speaker", "text"], &[]),
        EditFields { is_of_turn: false, ..EditFields::new("set_field", &["name", "text"], &[]) },
        EditFields {
            is_of_turn: false,
            ..EditFields::new("put", &["path"], &["turn", "was", "json"])
        },
        EditFields { is_of_turn: false, ..EditFields::new("judge", &["judgement"], &[]) },
    ];

    /// Returns the names of the kinds of edits in records.
    pub fn kinds() -> impl Iterator<Item = &'static str> {
        Self::FIELDS.iter().map(|fields| fields.kind)
    }
}
