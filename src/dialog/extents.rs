//! Moves the places of the elements of a dialog, for a text that another one was made of.

use super::model::{Dialog, Extent, Field, Payload, Turn};

impl Dialog {
    /// Calls `change` with the place of each of its elements.
    pub fn each_place(&mut self, change: &impl Fn(&mut Extent)) {
        change(&mut self.at);
        fields(&mut self.fields, change);
        for turn in &mut self.turns {
            turn.each_place(change);
        }
    }
}

impl Turn {
    fn each_place(&mut self, change: &impl Fn(&mut Extent)) {
        change(&mut self.at);
        change(&mut self.exchange);
        fields(&mut self.fields, change);
        for segment in &mut self.segments {
            change(&mut segment.at);
            fields(&mut segment.fields, change);
            for label in &mut segment.labels {
                change(&mut label.at);
            }
        }
        for call in &mut self.calls {
            change(&mut call.at);
            fields(&mut call.fields, change);
            let payloads = call.arguments.iter_mut().chain(&mut call.response);
            for payload in payloads {
                match payload {
                    Payload::Fields(all) => fields(all, change),
                    Payload::Embedded { at, .. } | Payload::Text { at, .. } => change(at),
                }
            }
        }
        for act in &mut self.acts {
            change(&mut act.at);
        }
        for slot in self.state.iter_mut().flatten() {
            change(&mut slot.at);
        }
        for vote in &mut self.votes {
            change(&mut vote.at);
            fields(&mut vote.fields, change);
        }
    }
}

fn fields(fields: &mut [Field], change: &impl Fn(&mut Extent)) {
    for field in fields {
        change(&mut field.at);
    }
}
