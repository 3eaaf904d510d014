//! Taskmaster-3 (`TicketTalk`), in its released form and the earlier draft.
//!
//! Utterances may have `apis`: calls with `name`, `args` and `response`, whose keys are numbered
//! where a response lists several things (`time.showing_2`).

use crate::dialog::{
    ApiCall, Content, Dialog, Edit, EditError, EditKind, Extent, Field, Issue, Payload, Turn,
};
use crate::format::engine::edit::{append, object_of, remove_or_drop};
use crate::format::engine::read::{Reader, each, extent, members};
use crate::format::engine::shape::{any_has, is_empty};
use crate::format::engine::turns;
use crate::format::engine::values::{CallKeys, written_content};
use crate::format::families::taskmaster::{self, Variant, all_fields};
use crate::format::{EditedDialog, Format, Sign};
use crate::json::{Editor, NewValue, Splice, Tree, Value};

pub struct Taskmaster3;

static VARIANT: Variant = Variant {
    title: "Taskmaster-3",
    string_offsets: false,
    known: &[("vertical", false), ("scenario", false), ("instructions", true)],
    calls: Some("apis"),
    read_calls: apis,
    write_calls,
};

const KEYS: CallKeys = CallKeys { name: "name", arguments: "args", response: "response" };

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
        let own =
            ["vertical", "scenario", "instructions"].iter().any(|key| root.get(key).is_some());
        Some(Sign::new(
            "`vertical`, `scenario` or `instructions`, or `apis` in an utterance",
            own || any_has(root, taskmaster::TURNS, "apis", |_| true),
        ))
    }

    fn read_form(&self, tree: Tree<'_>) -> (Dialog, Vec<Issue>) {
        taskmaster::read(&VARIANT, tree)
    }

    fn has(&self) -> &'static [EditKind] {
        &[
            EditKind::Text,
            EditKind::Speaker,
            EditKind::Turns,
            EditKind::Fields,
            EditKind::Segments,
            EditKind::Calls,
        ]
    }

    fn complete(&self, edit: &Edit, after: &mut Dialog) {
        turns::number_first(edit, after);
        // A call has the number of its utterance.
        turns::number_calls(edit, after, "index");
        let Edit::AddCall { turn, .. } = edit else {
            return;
        };
        let index = |field: &Field| field.name == "index";
        let mut calls = after.turns.iter().flat_map(|turn| &turn.calls);
        let are_numbered = calls.any(|call| call.fields.iter().any(index));
        if are_numbered
            && let Some(turn) = after.turns.get_mut(*turn)
            && let Some((number, call)) = turn.index.zip(turn.calls.last_mut())
        {
            call.fields.push(Field {
                name: "index".into(),
                content: Content::Raw(number.to_string().into()),
                known: true,
                at: Extent::default(),
            });
        }
    }

    fn write(
        &self,
        editor: &Editor<'_>,
        edited: &EditedDialog<'_>,
    ) -> Result<Vec<Splice>, EditError> {
        taskmaster::write(&VARIANT, editor, edited)
    }

    fn write_turns(
        &self,
        editor: &Editor<'_>,
        edited: &EditedDialog<'_>,
    ) -> Result<Vec<Splice>, EditError> {
        taskmaster::write_turns(editor, edited)
    }
}

fn write_calls(editor: &Editor<'_>, edited: &EditedDialog<'_>) -> Result<Vec<Splice>, EditError> {
    let (before, after) = edited.turns();
    match edited.edit {
        Edit::AddCall { .. } => {
            let utterance = object_of(editor, before.at, "the utterance")?;
            let Some(call) = after.calls.last() else {
                return Ok(Vec::new());
            };
            let mut members = KEYS.new_call(call);
            let others = call.fields.iter();
            members.splice(
                0..0,
                others.map(|field| (field.name.to_string(), written_content(&field.content))),
            );
            let new = NewValue::Object(members);
            Ok(vec![append(editor, utterance, "apis", new)?])
        }
        Edit::RemoveCall { call, .. } => {
            let utterance = object_of(editor, before.at, "the utterance")?;
            let at = before.calls[*call].at;
            remove_or_drop(editor, utterance, "apis", at).map(|splice| vec![splice])
        }
        _ => KEYS.write(editor, edited.edit, &before.calls),
    }
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
        let content = crate::format::engine::read::content(index);
        let name = "index".into();
        call.fields.push(crate::dialog::Field { name, content, known: true, at: extent(index) });
    }
    call
}

fn payload(reader: &mut Reader, value: Value<'_>, field: &'static str) -> Payload {
    reader.is_object(value, field);
    Payload::Fields(all_fields(value))
}
