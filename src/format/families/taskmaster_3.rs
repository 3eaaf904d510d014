//! Taskmaster-3 (`TicketTalk`), in its released form and the earlier draft.
//!
//! Utterances may have `apis`: calls with `name`, `args` and `response`, whose keys are numbered
//! where a response lists several things (`time.showing_2`).

use crate::dialog::{ApiCall, Dialog, EditError, EditKind, Issue, Payload, Turn};
use crate::format::engine::read::{Reader, each, extent, members};
use crate::format::engine::shape::{any_has, is_empty};
use crate::format::engine::values::CallKeys;
use crate::format::families::taskmaster::{self, Variant, all_fields};
use crate::format::{EditCheck, Format, Sign};
use crate::json::{Editor, Splice, Tree, Value};

pub struct Taskmaster3;

static VARIANT: Variant = Variant {
    title: "Taskmaster-3",
    string_offsets: false,
    known: &[
        ("vertical", false),
        ("scenario", false),
        ("instructions", true),
    ],
    calls: Some("apis"),
    read_calls: apis,
    write_calls: |editor, changed| KEYS.write(editor, changed.edit, &changed.turns().0.calls),
};

const KEYS: CallKeys = CallKeys {
    name: "name",
    arguments: "args",
    response: "response",
};

impl Format for Taskmaster3 {
    fn name(&self) -> &'static str {
        "taskmaster-3"
    }

    fn title(&self) -> &'static str {
        VARIANT.title
    }

    fn holds(&self) -> &'static str {
        "utterances with segments (offsets in code points) and API calls, vertical, scenario, instructions"
    }

    fn id_key(&self) -> &'static str {
        taskmaster::ID
    }

    fn schema(&self) -> &'static str {
        include_str!("../../../assets/schemas/taskmaster-3.schema.json")
    }

    fn signs(&self, root: Value<'_>) -> Vec<Sign> {
        taskmaster::signs(root)
    }

    fn has_turns(&self, root: Value<'_>) -> bool {
        !is_empty(root, taskmaster::TURNS)
    }

    fn own_sign(&self, root: Value<'_>) -> Option<Sign> {
        let own = ["vertical", "scenario", "instructions"]
            .iter()
            .any(|key| root.get(key).is_some());
        Some(Sign::new(
            "`vertical`, `scenario` or `instructions`, or `apis` in an utterance",
            own || any_has(root, taskmaster::TURNS, "apis", |_| true),
        ))
    }

    fn read(&self, tree: Tree<'_>) -> (Dialog, Vec<Issue>) {
        taskmaster::read(&VARIANT, tree)
    }

    fn has(&self) -> &'static [EditKind] {
        &[
            EditKind::Text,
            EditKind::Speaker,
            EditKind::Segments,
            EditKind::Calls,
        ]
    }

    fn write(
        &self,
        editor: &Editor<'_>,
        changed: &EditCheck<'_>,
    ) -> Result<Vec<Splice>, EditError> {
        taskmaster::write(&VARIANT, editor, changed)
    }
}

fn apis(reader: &mut Reader, value: Value<'_>, turn: &mut Turn) {
    let elements = reader.elements(value, "apis");
    turn.calls = each(elements, |value| api(reader, value));
}

fn api(reader: &mut Reader, value: Value<'_>) -> ApiCall {
    let mut call = ApiCall {
        at: extent(value),
        ..ApiCall::default()
    };
    if !reader.is_object_in(value, "apis") {
        return call;
    }
    let [name, arguments, response, index] = members(
        value,
        ["name", "args", "response", "index"],
        &mut call.fields,
    );
    let name = reader.required(name, value, "the API call", "name");
    call.name = reader.text(name, "name");
    let arguments = reader.required(arguments, value, "the API call", "args");
    call.arguments = arguments.map(|v| payload(reader, v, "args"));
    call.response = response.map(|v| payload(reader, v, "response"));
    if let Some(index) = index {
        reader.index(Some(index), "index");
        let content = crate::format::engine::read::content(index);
        let name = "index".into();
        call.fields.push(crate::dialog::Field {
            name,
            content,
            known: true,
            at: extent(index),
        });
    }
    call
}

fn payload(reader: &mut Reader, value: Value<'_>, field: &'static str) -> Payload {
    reader.is_object(value, field);
    Payload::Fields(all_fields(value))
}
