//! The part of the plan that is about calls, acts, intents and state.

use turnwise::dialog::{
    ApiCall, CallPart, Content, Dialog, Edit, EditValue, Field, NamedValue, Payload, Role,
    SlotValue,
};
use turnwise::format::call_id;

fn said(text: &str) -> EditValue {
    EditValue::Text(text.to_owned())
}

/// Calls added with and without arguments and a response, and removed, where the family says how.
pub fn whole_calls(family: &str, dialog: &Dialog, turn: usize) -> Vec<Edit> {
    let at = &dialog.turns[turn];
    let is_chat = family == "messages";
    let is_known = is_chat || ["taskmaster-3", "taskmaster-4"].contains(&family);
    // Answers without ids belong to the next call without an answer.
    let calls = dialog.turns.iter().flat_map(|turn| &turn.calls);
    let is_linked = is_chat && calls.clone().any(|call| call_id(call).is_none());
    if !is_known || is_linked || is_chat && at.speaker.role != Role::System {
        return Vec::new();
    }
    let value = |name: &str, value| NamedValue { name: name.to_owned(), value };
    let add = |arguments: &[NamedValue], response: Option<&[NamedValue]>| Edit::AddCall {
        turn,
        name: "new_api".to_owned(),
        arguments: arguments.to_vec(),
        response: response.map(<[NamedValue]>::to_vec),
    };
    let some = [value("new.café", said("a \"new\" one")), value("n", EditValue::Whole(3))];
    let mut edits = vec![add(&[], None), add(&some, None)];
    if !is_chat {
        edits.extend([add(&some, Some(&[])), add(&[], Some(&some))]);
    }
    let count = at.calls.len();
    let mut removed = vec![0, count / 2, count.saturating_sub(1)];
    removed.dedup();
    // The message that answers a call would answer nothing.
    let is_free = |call: &ApiCall| !is_chat || call.response.is_none();
    removed.retain(|call| at.calls.get(*call).is_some_and(is_free));
    edits.extend(removed.into_iter().map(|call| Edit::RemoveCall { turn, call }));
    edits
}

pub fn calls(dialog: &Dialog, turn: usize) -> Vec<Edit> {
    let calls = &dialog.turns[turn].calls;
    let mut ends: Vec<_> = [0, calls.len().saturating_sub(1)].into();
    ends.dedup();
    ends.retain(|call| *call < calls.len());
    ends.into_iter().flat_map(|call| of_call(turn, call, &calls[call])).collect()
}

fn of_call(turn: usize, call: usize, of: &ApiCall) -> Vec<Edit> {
    let mut edits = Vec::new();
    if !of.name.is_empty() {
        let name = "new_api".to_owned();
        edits.push(Edit::SetApi { turn, call, name });
    }
    let parts = [(CallPart::Arguments, &of.arguments), (CallPart::Response, &of.response)];
    for (part, payload) in parts {
        match payload {
            Some(Payload::Embedded { .. } | Payload::Text { .. }) => {
                let set = |text: &str| Edit::SetJson { turn, call, part, text: text.to_owned() };
                edits.extend([set("{\"a\": \"é\"}"), set("not JSON")]);
            }
            Some(Payload::Fields(fields)) => edits.extend(values(turn, call, part, fields)),
            None => {}
        }
    }
    edits
}

fn values(turn: usize, call: usize, part: CallPart, fields: &[Field]) -> Vec<Edit> {
    let set = |name: &str, value| Edit::SetValue { turn, call, part, name: name.to_owned(), value };
    let mut edits =
        vec![set("new.café", said("a \"new\" one")), set("new.number", EditValue::Whole(3))];
    let single = |f: &&Field| {
        let same = fields.iter().filter(|other| other.name == f.name).count();
        let list = matches!(&f.content, Content::Raw(raw) if raw.starts_with(['[', '{']));
        same == 1 && !list && !f.name.is_empty()
    };
    for field in [fields.first(), fields.last()].into_iter().flatten().filter(single) {
        let name = field.name.to_string();
        edits.push(set(&name, said("née §")));
        edits.push(Edit::RenameValue {
            turn,
            call,
            part,
            name: name.clone(),
            to: format!("{name}_2é"),
        });
        edits.push(Edit::RemoveValue { turn, call, part, name });
    }
    edits
}

pub fn exchange(family: &str, dialog: &Dialog, turn: usize) -> Vec<Edit> {
    let at = &dialog.turns[turn];
    let mapped = family == "sim-gen";
    let last = dialog.turns.get(turn + 1).is_none_or(|next| next.index != at.index);
    let slot = |slot: &str, value: Option<EditValue>| SlotValue { slot: slot.to_owned(), value };
    let mut shapes = vec![Vec::new(), vec![slot("new_slot", Some(said("né")))]];
    if mapped {
        shapes.push(vec![slot("a", Some(said("x"))), slot("b", Some(EditValue::Whole(2)))]);
    } else {
        shapes.push(vec![slot("date", None)]);
    }
    // The first of several slots renamed, and all of them turned round.
    let act = at.acts.last().filter(|act| mapped && act.slots.len() > 1);
    if let Some(act) = act {
        let slots = act.slots.iter().map(|s| slot(&s.slot, Some(said("v"))));
        let mut slots: Vec<_> = slots.collect();
        shapes.push(slots.iter().cloned().rev().collect());
        "renamed".clone_into(&mut slots[0].slot);
        shapes.push(slots);
    }
    let mut edits = Vec::new();
    // If an exchange has only a system turn, its acts and the user's are in one list.
    let own = at.speaker.role == Role::User || !last;
    for slots in shapes.iter().filter(|_| own) {
        let (name, slots) = ("NEW".to_owned(), slots.clone());
        if !at.acts.is_empty() {
            edits.push(Edit::SetAct {
                turn,
                act: at.acts.len() - 1,
                name: name.clone(),
                slots: slots.clone(),
            });
        }
        edits.push(Edit::AddAct { turn, name, slots });
    }
    if own {
        let ends = [0, at.acts.len().saturating_sub(1)].into_iter();
        let ends = ends.filter(|act| *act < at.acts.len());
        edits.extend(ends.map(|act| Edit::RemoveAct { turn, act }));
    }
    if !last {
        return edits;
    }
    if !mapped {
        for intents in [vec!["NEW"], vec!["A", "B"], vec![]] {
            let intents: Vec<_> = intents.into_iter().map(str::to_owned).collect();
            if !intents.is_empty() || !at.intents.is_empty() {
                edits.push(Edit::SetIntents { turn, intents });
            }
        }
    }
    if let Some(state) = &at.state {
        let set =
            |slot: &str| Edit::SetState { turn, slot: slot.to_owned(), value: said("§ \"x\"") };
        edits.push(set("new_slot"));
        for known in [state.first(), state.last()].into_iter().flatten() {
            let slot = known.slot.to_string();
            edits.push(set(&slot));
            edits.push(Edit::RenameState { turn, slot: slot.clone(), to: "renamed_ä".to_owned() });
            edits.push(Edit::RemoveState { turn, slot, value: None });
        }
    }
    edits
}
