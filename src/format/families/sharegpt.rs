//! Chat logs as `ShareGPT` and LLaMA-Factory write them: `conversations` of messages with `from` and `value`.
//!
//! A message from `function_call` holds one call or a list of calls, as JSON in its value; the messages
//! after it from `observation` are the answers, in the order of the calls. See [`crate::format::families::chat`].

use crate::dialog::{Dialog, Turn};
use crate::format::Sign;
use crate::format::answers::{Answer, Answers};
use crate::format::declared::{Description, Hooks, Place};
use crate::format::engine::read::{Reader, dialog_of, extent, field, members};
use crate::format::engine::shape::{any_has, has_objects, is_empty};
use crate::format::families::chat::{self, ChatForm, ChatRole};
use crate::format::families::messages::id;
use crate::format::family::{Code, Family, ReadDialog};
use crate::format::texts::json::calls_in;
use crate::format::texts::{self, reasoning, tags};
use crate::json::{Tree, Value};
use crate::text::Units;

/// The role of a message that holds calls.
pub const CALLS: &str = "function_call";

/// The schema of the form with its usual names.
pub const SCHEMA: &str = include_str!("../../../assets/schemas/sharegpt.schema.json");

static FORM: ChatForm = ChatForm {
    roles: &[
        ("system", ChatRole::Instructions),
        ("human", ChatRole::User),
        ("user", ChatRole::User),
        ("gpt", ChatRole::Assistant),
        ("assistant", ChatRole::Assistant),
        ("model", ChatRole::Assistant),
        ("chatgpt", ChatRole::Assistant),
        ("bing", ChatRole::Assistant),
        ("bard", ChatRole::Assistant),
        (CALLS, ChatRole::Assistant),
        ("observation", ChatRole::Tool),
        ("tool", ChatRole::Tool),
        ("function_response", ChatRole::Tool),
    ],
    role_key: "from",
    tools_key: "tools",
    call_role: Some(CALLS),
    is_prompt: |_| false,
};

/// The form with its usual names.
pub fn code() -> Code {
    Code {
        read: Some(read),
        read_other_side: Some(read_other_side),
        schema: Some(SCHEMA),
        signs: Some(signs),
        chat: Some(&FORM),
        follow: Some(|family, before, after, turn| {
            texts::follow(form(family), before, &mut after.turns[turn]);
        }),
        hooks: Hooks {
            turns: Some(places),
            // It would be a message of its own.
            new_call: Some(|_, _, _, _, _| None),
            has_calls_in_texts: true,
            ..Hooks::default()
        },
        ..Code::default()
    }
}

/// Its description.
pub const TOML: &str = include_str!("sharegpt.toml");

/// The members with the id of a dialog.
const IDS: [&str; 1] = ["id"];

fn form(family: &Family) -> &'static ChatForm {
    family.chat().unwrap_or(&FORM)
}

/// The names of a corpus of this form.
struct Names {
    /// The member with the messages of a dialog.
    turns: &'static str,
    /// The member with the words of a message.
    value: &'static str,
    form: &'static ChatForm,
}

impl Names {
    fn of(family: &'static Family) -> Self {
        let turn = &family.description().turn.0[0];
        let (turns, value) = (turn.at.last_name(), turn.text.at().last_name());
        Self { turns, value, form: form(family) }
    }
}

fn signs(family: &'static Family, root: Value<'_>) -> Vec<Sign> {
    let Names { turns, form, .. } = Names::of(family);
    let is_known = |from: Value<'_>| {
        let from = from.as_str();
        from.is_some_and(|from| form.role(&from) != ChatRole::Unknown)
    };
    let known = any_has(root, turns, form.role_key, is_known);
    vec![
        Sign::new(
            "`conversations`, an array of objects",
            has_objects(root, turns) && !is_empty(root, turns),
        ),
        Sign::new("`from`, such as \"human\", in its messages", known),
    ]
}

fn read(family: &'static Family, tree: Tree<'_>) -> ReadDialog {
    Names::of(family).read(tree.root(), 0)
}

fn read_other_side(family: &'static Family, tree: Tree<'_>) -> Option<ReadDialog> {
    let (names, root) = (Names::of(family), tree.root());
    chat::continuations(root, root.get(names.turns)?, names.form.role_key)?;
    Some(names.read(root, 1))
}

impl Names {
    /// Reads a dialog; if it has two sides, with the first or the second as its turns.
    fn read(&self, root: Value<'_>, side: usize) -> ReadDialog {
        dialog_of(root, Units::CodePoints, |reader, dialog| {
            self.read_dialog(reader, root, side, dialog);
        })
    }

    fn read_dialog(&self, reader: &mut Reader, root: Value<'_>, side: usize, dialog: &mut Dialog) {
        let id = id(root, &IDS);
        let list = root.get(self.turns);
        let sides = list.and_then(|list| chat::continuations(root, list, self.form.role_key));
        let own = sides.map(|sides| sides[side]);
        let is_read = |key: Value<'_>| {
            let is_own = key.is_text(self.turns) || own.is_some_and(|(name, _)| key.is_text(name));
            is_own || id.as_ref().is_some_and(|(name, _)| key.is_text(name))
        };
        for (key, value) in root.members().filter(|(key, _)| !is_read(*key)) {
            let known = ["tools", "system"].iter().chain(&chat::PREFERRED);
            let known = known.into_iter().any(|name| key.is_text(name));
            dialog.fields.push(field(key, value, known));
        }
        if let Some((_, id)) = id {
            dialog.id = id.into_owned();
        }
        dialog.sides = sides.map(|sides| {
            let [own, other] = [sides[side], sides[1 - side]];
            chat::in_dialog([own.0, other.0])
        });
        chat::note_unread_sides(root, dialog);
        let Some(list) = reader.required(list, root, "the dialog", self.turns) else {
            return;
        };
        let elements = reader.elements(list, self.turns);
        dialog.turns.reserve_exact(elements.size_hint().0);
        let mut answers = Answers::default();
        let own = own.into_iter().flat_map(|(_, side)| chat::messages_in(side));
        for element in elements.chain(own) {
            reader.turn = Some(dialog.turns.len());
            let turn = self.message(reader, element, &mut answers, &mut dialog.turns);
            dialog.turns.push(turn);
        }
        answers.end(&mut dialog.turns);
    }

    fn message(
        &self,
        reader: &mut Reader,
        value: Value<'_>,
        answers: &mut Answers<'_>,
        turns: &mut [Turn],
    ) -> Turn {
        let mut turn = Turn { at: extent(value), ..Turn::default() };
        if !reader.is_object_in(value, self.turns) {
            return turn;
        }
        let [from, said] = members(value, [self.form.role_key, self.value], &mut turn.fields);
        let from = reader.required(from, value, "the message", self.form.role_key);
        let (speaker, role) = self.form.speaker(reader.text(from, self.form.role_key));
        turn.speaker = speaker;
        let said = reader.required(said, value, "the message", self.value);
        turn.text = reader.text(said, self.value);
        let at = said.map_or(turn.at, extent);
        if tags::take_answers(&mut turn, role, at, turns.len(), answers) {
            return turn;
        }
        answers.on_message(role, turns);
        reasoning::take(&mut turn, at);
        if self.form.call_role == Some(&turn.speaker.name) {
            turn.calls = calls_in(&turn.text, Some(at));
        }
        let has_calls = !turn.calls.is_empty();
        if has_calls {
            turn.text.clear();
        }
        texts::read_calls(&mut turn, role, at, has_calls);
        tags::expect_answers(&turn, turns, answers);
        if role == ChatRole::Tool {
            answers.on_answer(Answer { turn: turns.len(), at, tells: true, ..Answer::default() });
        }
        turn
    }
}

/// Returns the places of the messages of a dialog, with those of its better side.
fn places(description: &Description, root: Value<'_>) -> Vec<Place> {
    let rule = &description.turn.0[0];
    let role = rule.speaker.as_ref().map(Place::last_name).unwrap_or_default();
    let list = root.get(rule.at.last_name());
    let sides = list.and_then(|list| chat::continuations(root, list, role));
    let side = sides.map(|[(key, side), _]| chat::place(key, side));
    std::iter::once(rule.at.clone()).chain(side).collect()
}
