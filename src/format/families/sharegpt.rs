//! Chat logs as `ShareGPT` and LLaMA-Factory write them: `conversations` of messages with `from` and `value`.
//!
//! A message from `function_call` holds one call or a list of calls, as JSON in its value; the messages
//! after it from `observation` are the answers, in the order of the calls. See [`crate::format::families::chat`].

use crate::dialog::{CallPart, Dialog, Edit, EditError, EditKind, Issue, Turn};
use crate::format::engine::edit::{EditedDialog, not_editable, object_of, set_text};
use crate::format::engine::read::{Reader, extent, field, members};
use crate::format::engine::shape::{any_has, has_objects, is_empty};
use crate::format::engine::turns::{self, NewPlace};
use crate::format::families::calls_in_text::{self, calls_in, edited_json, with_answer};
use crate::format::families::chat::{
    self, Answer, Answers, ChatForm, ChatRole, answer_place, answering, no_answer, refuse_answer,
};
use crate::format::families::messages::id;
use crate::format::families::reasoning_in_text::{self, said_in, with_said};
use crate::format::{Format, Sign};
use crate::json::{Editor, NewValue, Splice, Tree, Value};
use crate::text::Units;

/// Chats in this form, with the names of one corpus.
pub struct ShareGpt {
    /// The name of the format.
    pub name: &'static str,
    /// The member with the messages of a dialog.
    pub turns: &'static str,
    /// The member with the words of a message.
    pub value: &'static str,
    pub form: &'static ChatForm,
    pub schema: &'static str,
}

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
pub static USUAL: ShareGpt = ShareGpt {
    name: "sharegpt",
    turns: "conversations",
    value: "value",
    form: &FORM,
    schema: SCHEMA,
};

/// The members with the id of a dialog.
const IDS: [&str; 1] = ["id"];

impl Format for ShareGpt {
    fn name(&self) -> &'static str {
        self.name
    }

    fn title(&self) -> &'static str {
        "ShareGPT"
    }

    fn holds(&self) -> &'static str {
        "messages of human, gpt and system; function calls with their observations, declared tools"
    }

    fn id_key(&self) -> &'static str {
        IDS[0]
    }

    fn needs_id(&self) -> bool {
        false
    }

    fn schema(&self) -> &'static str {
        self.schema
    }

    fn signs(&self, root: Value<'_>) -> Vec<Sign> {
        let is_known = |from: Value<'_>| {
            let from = from.as_str();
            from.is_some_and(|from| self.form.role(&from) != ChatRole::Unknown)
        };
        let known = any_has(root, self.turns, self.form.role_key, is_known);
        vec![
            Sign::new(
                "`conversations`, an array of objects",
                has_objects(root, self.turns) && !is_empty(root, self.turns),
            ),
            Sign::new("`from`, such as \"human\", in its messages", known),
        ]
    }

    fn read_form(&self, tree: Tree<'_>) -> (Dialog, Vec<Issue>) {
        let root = tree.root();
        let mut reader = Reader::default();
        let mut dialog = Dialog::new(Units::CodePoints);
        dialog.at = extent(root);
        if reader.is_object(root, "dialog") {
            self.read_dialog(&mut reader, root, 0, &mut dialog);
        }
        (dialog, reader.finish())
    }

    fn other_side(&self, tree: Tree<'_>) -> Option<(Dialog, Vec<Issue>)> {
        let root = tree.root();
        chat::continuations(root, root.get(self.turns)?, self.form.role_key)?;
        let mut reader = Reader::default();
        let mut dialog = Dialog::new(Units::CodePoints);
        dialog.at = extent(root);
        self.read_dialog(&mut reader, root, 1, &mut dialog);
        Some((dialog, reader.finish()))
    }

    fn has(&self) -> &'static [EditKind] {
        &[EditKind::Text, EditKind::Speaker, EditKind::Turns, EditKind::Fields, EditKind::Calls]
    }

    fn chat(&self) -> Option<&'static ChatForm> {
        Some(self.form)
    }

    fn complete(&self, edit: &Edit, after: &mut Dialog) {
        chat::complete(self.form, edit, after);
    }

    fn write_turns(
        &self,
        editor: &Editor<'_>,
        edited: &EditedDialog<'_>,
    ) -> Result<Vec<Splice>, EditError> {
        if let Edit::RemoveTurn { .. } = edited.edit {
            chat::keeps_responses(edited)?;
            return turns::remove_turn(editor, edited, None);
        }
        chat::is_apart(self.form, edited)?;
        let place = NewPlace::under(editor, self.turns, edited.edit)?;
        let new = &edited.after.turns[edited.edit.turn()];
        let member = |key: &str, text: &str| (key.to_owned(), NewValue::String(text.to_owned()));
        let members = vec![
            member(self.form.role_key, &new.speaker.name),
            member(self.value, edited.new_text()),
        ];
        turns::add_turn(editor, edited, &place, members, None)
    }

    fn write(
        &self,
        editor: &Editor<'_>,
        edited: &EditedDialog<'_>,
    ) -> Result<Vec<Splice>, EditError> {
        if let Edit::SetSpeaker { speaker, .. } = edited.edit {
            let (before, _) = edited.turns();
            if self.form.call_role == Some(speaker) && !calls_in(&before.text, None).is_empty() {
                return Err(not_editable("the speaker", &"the text would become a call"));
            }
            return chat::write_speaker(self.form, editor, edited);
        }
        if matches!(edited.edit, Edit::AddCall { .. } | Edit::RemoveCall { .. }) {
            let in_text = edited.turns().0.calls.iter().any(|call| call.in_text);
            let reason = if in_text {
                "it is written in the text; edit the text"
            } else {
                "it is a message of its own"
            };
            return Err(not_editable("the call", &reason));
        }
        let turns = &edited.before.turns;
        let (turn, (before, _)) = (edited.edit.turn(), edited.turns());
        if let Edit::SetText { text, .. } = edited.edit {
            refuse_answer(turns, turn)?;
            return self.set_message(editor, before, text);
        }
        if let Edit::SetJson { call, part: CallPart::Response, text, .. } = edited.edit {
            let at = answer_place(before.calls[*call].response.as_ref());
            let answer = at.and_then(|at| answering(turns, turn, at));
            let answer = answer.ok_or_else(no_answer)?;
            let message = object_of(editor, turns[answer].at, "the message")?;
            let said = message.get(self.value).and_then(Value::as_str);
            let new = with_answer(&said.unwrap_or_default(), before, *call, text);
            return Ok(vec![set_text(editor, message, self.value, &new)]);
        }
        self.set_call(editor, before, edited.edit)
    }
}

impl ShareGpt {
    /// Reads a dialog; if it has two sides, with the first or the second as its turns.
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
        if calls_in_text::take_answers(&mut turn, role, at, turns.len(), answers) {
            return turn;
        }
        answers.on_message(role, turns);
        reasoning_in_text::take(&mut turn, at);
        if self.form.call_role == Some(&turn.speaker.name) {
            turn.calls = calls_in(&turn.text, Some(at));
            if !turn.calls.is_empty() {
                turn.text.clear();
            }
        }
        let has_calls = !turn.calls.is_empty();
        calls_in_text::read_calls(&mut turn, role, at, has_calls);
        calls_in_text::expect_answers(&turn, turns, answers);
        if role == ChatRole::Tool {
            answers.on_answer(Answer { turn: turns.len(), at, tells: true, ..Answer::default() });
        }
        turn
    }

    /// Sets the text of a message that is not a call.
    fn set_message(
        &self,
        editor: &Editor<'_>,
        before: &Turn,
        text: &str,
    ) -> Result<Vec<Splice>, EditError> {
        let refused = |reason: &str| Err(not_editable("the text", &reason));
        if before.calls.iter().any(|call| !call.in_text) {
            return refused("it is a call; edit its name and arguments");
        }
        if self.form.call_role == Some(&before.speaker.name)
            && !calls_in(said_in(text), None).is_empty()
        {
            return refused("it would become a call");
        }
        let message = object_of(editor, before.at, "the message")?;
        let whole = message.get(self.value).and_then(Value::as_str);
        let text = with_said(&whole.unwrap_or_default(), &before.text, text);
        Ok(vec![set_text(editor, message, self.value, &text)])
    }

    /// Edits the JSON in the value of a message that holds calls.
    fn set_call(
        &self,
        editor: &Editor<'_>,
        before: &Turn,
        edit: &Edit,
    ) -> Result<Vec<Splice>, EditError> {
        let message = object_of(editor, before.at, "the message")?;
        let value = message.get(self.value);
        let (Some(value), Some(text)) = (value, value.and_then(Value::as_str)) else {
            return Err(no_answer());
        };
        if let Edit::SetValue { part: CallPart::Response, .. } = edit {
            return Err(no_answer());
        }
        let new = if before.calls.iter().any(|call| call.in_text) {
            let new = calls_in_text::edited(&before.text, edit)?;
            with_said(&text, &before.text, &new)
        } else {
            let said = said_in(&text);
            let head = &text[..text.len() - said.len()];
            format!("{head}{}", edited_json(said, calls_in(said, None), edit)?)
        };
        Ok(vec![editor.replace(value, &NewValue::String(new))])
    }
}
