//! The elements of a turn: what makes one likely to be what another has become, and how to merge three copies.

use super::list::{Element, Pick, Side};
use super::pairs::Paired;
use crate::dialog::{
    Act, ActSlot, ApiCall, Breakdown, Content, Extent, Field, Payload, Segment, Span, StateSlot,
    Vote,
};
use crate::text::quoted;

impl Paired for Segment {
    fn likeness(&self, new: &Self) -> Option<u32> {
        let has_labels = self.labels == new.labels;
        let overlap = match (self.span, new.span) {
            (Some(old), Some(new)) => shared(old, new),
            _ => 0,
        };
        match (self.span == new.span, has_labels) {
            (true, true) => Some(u32::MAX),
            (true, false) => Some(u32::MAX - 1),
            (false, true) => Some(1 + overlap.min(u32::MAX - 3)),
            (false, false) => (overlap > 0).then_some(0),
        }
    }
}

/// Returns how many units both spans cover.
fn shared(one: Span, other: Span) -> u32 {
    let end = one.end.min(other.end);
    end.saturating_sub(one.start.max(other.start))
}

impl Element for Segment {
    const NAME: &'static str = "segment";

    fn is_rival(&self, other: &Self) -> bool {
        self.span == other.span
    }

    fn merged(base: &Self, ours: &Self, theirs: &Self, prefer: Side) -> (Self, bool) {
        let mut pick = Pick::new(prefer);
        let span = pick.of(&base.span, &ours.span, &theirs.span);
        let merged = Self {
            // The quote follows the span.
            quote: match span {
                span if span == ours.span && span != theirs.span => ours.quote.clone(),
                span if span == theirs.span && span != ours.span => theirs.quote.clone(),
                _ => pick.of(&base.quote, &ours.quote, &theirs.quote),
            },
            span,
            has_misspelled_span: pick.of(
                &base.has_misspelled_span,
                &ours.has_misspelled_span,
                &theirs.has_misspelled_span,
            ),
            is_normalised: ours.is_normalised,
            labels: pick.of(&base.labels, &ours.labels, &theirs.labels),
            annotator: pick.of(&base.annotator, &ours.annotator, &theirs.annotator),
            fields: pick.list(&base.fields, &ours.fields, &theirs.fields),
            at: ours.at,
        };
        (merged, pick.is_conflict)
    }

    fn said(&self) -> String {
        let labels: Vec<_> = self.labels.iter().map(|label| label.name.as_str()).collect();
        let span = self.span.map(|span| format!("{span} ")).unwrap_or_default();
        let quote = self.quote.as_ref().map(|quote| format!("{} ", quoted(quote)));
        format!("{span}{}{}", quote.unwrap_or_default(), labels.join(" + "))
    }

    fn fields(&self) -> &[Field] {
        &self.fields
    }

    fn place(&self) -> Extent {
        self.at
    }
}

impl Paired for Act {
    fn likeness(&self, new: &Self) -> Option<u32> {
        let same_slots = self.slots.iter().filter(|slot| new.slots.contains(slot));
        let shared = u32::try_from(same_slots.count()).unwrap_or(u32::MAX);
        let name = u32::from(self.name == new.name);
        (shared + name > 0).then(|| shared.saturating_mul(2) + name)
    }
}

impl Element for Act {
    const NAME: &'static str = "act";

    fn is_rival(&self, _: &Self) -> bool {
        false
    }

    fn merged(base: &Self, ours: &Self, theirs: &Self, prefer: Side) -> (Self, bool) {
        let mut pick = Pick::new(prefer);
        let merged = Self {
            name: pick.of(&base.name, &ours.name, &theirs.name),
            slots: pick.list(&base.slots, &ours.slots, &theirs.slots),
            at: ours.at,
        };
        (merged, pick.is_conflict)
    }

    fn is_unread(&self) -> bool {
        self.name.is_empty()
    }

    fn said(&self) -> String {
        let slots: Vec<_> = self.slots.iter().map(Element::said).collect();
        format!("{}({})", self.name, slots.join(", "))
    }

    fn place(&self) -> Extent {
        self.at
    }
}

impl Paired for ActSlot {
    fn likeness(&self, new: &Self) -> Option<u32> {
        let has_slot = self.slot == new.slot;
        (has_slot || self.value == new.value).then(|| u32::from(has_slot))
    }
}

impl Element for ActSlot {
    const NAME: &'static str = "slot";
    const IS_ALONE: bool = true;

    fn is_rival(&self, other: &Self) -> bool {
        self.slot == other.slot
    }

    fn merged(base: &Self, ours: &Self, theirs: &Self, prefer: Side) -> (Self, bool) {
        let mut pick = Pick::new(prefer);
        let merged = Self {
            slot: pick.of(&base.slot, &ours.slot, &theirs.slot),
            value: pick.of(&base.value, &ours.value, &theirs.value),
        };
        (merged, pick.is_conflict)
    }

    fn said(&self) -> String {
        match &self.value {
            Some(value) => format!("{}={}", self.slot, value.as_str()),
            None => self.slot.to_string(),
        }
    }

    fn place(&self) -> Extent {
        Extent::default()
    }
}

/// Returns the id of a call, where a family knows it.
pub fn call_id(call: &ApiCall) -> Option<&str> {
    let mut fields = call.fields.iter();
    let id = fields.find(|field| field.known && field.name == "id")?;
    Some(id.content.as_str())
}

impl Paired for ApiCall {
    fn likeness(&self, new: &Self) -> Option<u32> {
        let alike = [
            self.name == new.name,
            self.arguments == new.arguments,
            self.response.is_some() && self.response == new.response,
            call_id(self).is_some() && call_id(self) == call_id(new),
        ];
        let alike = alike.into_iter().filter(|is| *is).count();
        (alike > 0).then_some(alike as u32)
    }
}

impl Element for ApiCall {
    const NAME: &'static str = "call";

    fn is_rival(&self, _: &Self) -> bool {
        false
    }

    fn merged(base: &Self, ours: &Self, theirs: &Self, prefer: Side) -> (Self, bool) {
        let mut pick = Pick::new(prefer);
        let mut payload = |of: fn(&Self) -> &Option<Payload>| match [of(base), of(ours), of(theirs)]
        {
            [
                Some(Payload::Fields(base)),
                Some(Payload::Fields(ours)),
                Some(Payload::Fields(theirs)),
            ] => Some(Payload::Fields(pick.list(base, ours, theirs))),
            [
                Some(Payload::Embedded { text: base, .. }),
                Some(Payload::Embedded { text: ours, at }),
                Some(Payload::Embedded { text: theirs, .. }),
            ] => Some(Payload::Embedded { text: pick.json(base, ours, theirs), at: *at }),
            [base, ours, theirs] => pick.of(base, ours, theirs),
        };
        let (arguments, response) = (payload(|of| &of.arguments), payload(|of| &of.response));
        let merged = Self {
            name: pick.of(&base.name, &ours.name, &theirs.name),
            answered_as: pick.of(&base.answered_as, &ours.answered_as, &theirs.answered_as),
            arguments,
            response,
            in_text: ours.in_text,
            is_awaited: ours.is_awaited,
            fields: pick.list(&base.fields, &ours.fields, &theirs.fields),
            at: ours.at,
        };
        (merged, pick.is_conflict)
    }

    fn said(&self) -> String {
        let payload = |payload: &Payload| match payload {
            Payload::Fields(fields) => {
                fields.iter().map(Element::said).collect::<Vec<_>>().join(", ")
            }
            Payload::Embedded { text, .. } | Payload::Text { text, .. } => text.to_string(),
        };
        let arguments = self.arguments.as_ref().map(payload).unwrap_or_default();
        let response = self.response.as_ref();
        let response = response.map(|response| format!(" → {}", payload(response)));
        format!("{}({arguments}){}", self.name, response.unwrap_or_default())
    }

    fn fields(&self) -> &[Field] {
        &self.fields
    }

    fn place(&self) -> Extent {
        self.at
    }
}

impl Paired for Vote {
    fn likeness(&self, new: &Self) -> Option<u32> {
        (!self.annotator.is_empty() && self.annotator == new.annotator).then_some(0)
    }
}

impl Element for Vote {
    const NAME: &'static str = "vote";
    const IS_ALONE: bool = true;

    fn is_rival(&self, other: &Self) -> bool {
        self.likeness(other).is_some()
    }

    fn merged(base: &Self, ours: &Self, theirs: &Self, prefer: Side) -> (Self, bool) {
        let mut pick = Pick::new(prefer);
        let mark = pick.of(&base.ungrammatical, &ours.ungrammatical, &theirs.ungrammatical);
        let merged = Self {
            annotator: ours.annotator.clone(),
            breakdown: pick.of(&base.breakdown, &ours.breakdown, &theirs.breakdown),
            comment: pick.of(&base.comment, &ours.comment, &theirs.comment),
            ungrammatical: mark,
            fields: pick.list(&base.fields, &ours.fields, &theirs.fields),
            at: ours.at,
        };
        (merged, pick.is_conflict)
    }

    fn is_unread(&self) -> bool {
        self.annotator.is_empty()
    }

    fn said(&self) -> String {
        let letter = self.breakdown.map_or("?", Breakdown::letter);
        let comment = Some(&self.comment).filter(|comment| !comment.is_empty());
        let comment = comment.map(|comment| format!(" {}", quoted(comment)));
        format!("{}: {letter}{}", self.annotator, comment.unwrap_or_default())
    }

    fn fields(&self) -> &[Field] {
        &self.fields
    }

    fn place(&self) -> Extent {
        self.at
    }
}

impl Paired for StateSlot {
    fn likeness(&self, new: &Self) -> Option<u32> {
        (self.slot == new.slot).then_some(0)
    }
}

impl Element for StateSlot {
    const NAME: &'static str = "state";
    const IS_ALONE: bool = true;

    fn is_rival(&self, other: &Self) -> bool {
        self.slot == other.slot
    }

    fn merged(base: &Self, ours: &Self, theirs: &Self, prefer: Side) -> (Self, bool) {
        let mut pick = Pick::new(prefer);
        let merged = Self {
            slot: ours.slot.clone(),
            value: pick.of(&base.value, &ours.value, &theirs.value),
            at: ours.at,
        };
        (merged, pick.is_conflict)
    }

    fn is_unread(&self) -> bool {
        self.slot.is_empty()
    }

    fn said(&self) -> String {
        format!("{}={}", self.slot, self.value.as_str())
    }

    fn place(&self) -> Extent {
        self.at
    }
}

impl Paired for Field {
    fn likeness(&self, new: &Self) -> Option<u32> {
        (self.name == new.name).then_some(0)
    }
}

impl Element for Field {
    const NAME: &'static str = "field";
    const IS_ALONE: bool = true;

    fn is_rival(&self, other: &Self) -> bool {
        self.name == other.name
    }

    fn merged(base: &Self, ours: &Self, theirs: &Self, prefer: Side) -> (Self, bool) {
        let mut pick = Pick::new(prefer);
        let content = match [&base.content, &ours.content, &theirs.content] {
            [Content::Raw(base), Content::Raw(ours), Content::Raw(theirs)] => {
                Content::Raw(pick.json(base, ours, theirs))
            }
            [base, ours, theirs] => pick.of(base, ours, theirs),
        };
        let merged = Self { content, ..ours.clone() };
        (merged, pick.is_conflict)
    }

    fn said(&self) -> String {
        let value = match &self.content {
            Content::Text(text) => quoted(text),
            Content::Raw(raw) => raw.to_string(),
        };
        format!("{}={value}", self.name)
    }

    fn place(&self) -> Extent {
        self.at
    }
}
