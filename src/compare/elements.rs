//! The elements of a turn: what makes one likely to be what another has become, and a short form of each.

use super::list::Element;
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
    fn is_rival(&self, other: &Self) -> bool {
        self.span == other.span
    }

    fn said(&self) -> String {
        let labels: Vec<_> = self.labels.iter().map(|label| label.name.as_str()).collect();
        let span = self.span.map(|span| format!("{span} ")).unwrap_or_default();
        let quote = self.quote.as_ref().map(|quote| format!("{} ", quoted(quote)));
        format!("{span}{}{}", quote.unwrap_or_default(), labels.join(" + "))
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
    fn is_rival(&self, _: &Self) -> bool {
        false
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
    fn is_rival(&self, other: &Self) -> bool {
        self.slot == other.slot
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
    fn is_rival(&self, other: &Self) -> bool {
        self.likeness(other).is_some_and(|alike| alike > 1)
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
    fn is_rival(&self, other: &Self) -> bool {
        self.likeness(other).is_some()
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
    fn is_rival(&self, other: &Self) -> bool {
        self.slot == other.slot
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
    fn is_rival(&self, other: &Self) -> bool {
        self.name == other.name
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
