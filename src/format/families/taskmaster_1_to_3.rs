//! Reads Taskmaster-1 and -2, and Taskmaster-3 (`TicketTalk`) in its released form and the earlier draft.
//!
//! Their descriptions in `assets/formats` say the same. What is here reads the largest of all corpora
//! in half the time.

use crate::dialog::{ApiCall, Payload, Turn};
use crate::format::engine::read::{Reader, each, extent, known_field, members};
use crate::format::families::taskmaster::{self, Variant, all_fields};
use crate::format::family::Code;
use crate::json::Value;

static ONE_AND_TWO: Variant = Variant {
    string_offsets: false,
    known: &["instruction_id"],
    calls: None,
    read_calls: |_, _, _| {},
};

static THREE: Variant = Variant {
    string_offsets: false,
    known: &["vertical", "scenario", "instructions"],
    calls: Some("apis"),
    read_calls: apis,
};

pub fn code_1_2() -> Code {
    Code { read: Some(|_, tree| taskmaster::read(&ONE_AND_TWO, tree)), ..Code::default() }
}

pub fn code_3() -> Code {
    Code { read: Some(|_, tree| taskmaster::read(&THREE, tree)), ..Code::default() }
}

fn apis(reader: &mut Reader, value: Value<'_>, turn: &mut Turn) {
    let elements = reader.elements(value, "apis");
    turn.calls = each(elements, |value| api(reader, value));
}

fn api(reader: &mut Reader, value: Value<'_>) -> ApiCall {
    let mut call = ApiCall { at: extent(value), ..ApiCall::default() };
    if !reader.is_object_in(value, "apis") {
        return call;
    }
    let [name, arguments, response, index] =
        members(value, ["name", "args", "response", "index"], &mut call.fields);
    let name = reader.required(name, value, "the API call", "name");
    call.name = reader.text(name, "name");
    let arguments = reader.required(arguments, value, "the API call", "args");
    call.arguments = arguments.map(|v| payload(reader, v, "args"));
    call.response = response.map(|v| payload(reader, v, "response"));
    if let Some(index) = index {
        reader.index(Some(index), "index");
        call.fields.push(known_field("index", index));
    }
    call
}

fn payload(reader: &mut Reader, value: Value<'_>, field: &'static str) -> Payload {
    reader.is_object(value, field);
    Payload::Fields(all_fields(value))
}
