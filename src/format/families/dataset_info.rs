//! The formats that a `dataset_info.json` of LLaMA-Factory describes: the names of members and roles in
//! chats that have the form of `ShareGPT`.
//!
//! ```json
//! {"tides": {"file_name": "tides.json", "formatting": "sharegpt",
//!            "columns": {"messages": "turns", "tools": "tools"},
//!            "tags": {"role_tag": "who", "content_tag": "said", "user_tag": "guest"}}}
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::format::declared::Description;
use crate::format::families::chat::{ChatForm, ChatRole};
use crate::format::families::sharegpt::{self, CALLS, SCHEMA};
use crate::format::family::{Code, Family};
use crate::json::{BadText, NodeKind, Value};

/// The name of the file.
pub const DATASET_INFO: &str = "dataset_info.json";

/// The form of data sets that are read.
const SHAREGPT: &str = "sharegpt";

/// A description of one data set.
#[derive(Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct DataSet {
    file_name: String,
    formatting: String,
    columns: Columns,
    tags: Tags,
}

#[derive(Clone, PartialEq, Deserialize)]
#[serde(default)]
struct Columns {
    messages: String,
    tools: String,
}

#[derive(Clone, PartialEq, Deserialize)]
#[serde(default)]
struct Tags {
    role_tag: String,
    content_tag: String,
    user_tag: String,
    assistant_tag: String,
    observation_tag: String,
    function_tag: String,
    system_tag: String,
}

impl Default for Columns {
    fn default() -> Self {
        Self { messages: "conversations".to_owned(), tools: "tools".to_owned() }
    }
}

impl Default for Tags {
    fn default() -> Self {
        let [role, content] = ["from", "value"].map(str::to_owned);
        let [user, assistant, observation] = ["human", "gpt", "observation"].map(str::to_owned);
        Self {
            role_tag: role,
            content_tag: content,
            user_tag: user,
            assistant_tag: assistant,
            observation_tag: observation,
            function_tag: CALLS.to_owned(),
            system_tag: "system".to_owned(),
        }
    }
}

/// Returns the formats of the data sets in a `dataset_info.json`. They last for the rest of the program's run, which
/// reads few such files, each once. Data sets of other forms, with the usual names, or with the names of an
/// earlier one are left out.
///
/// # Errors
/// If the text is not JSON in that form; the reason with line and column.
pub fn formats(text: &str) -> Result<Vec<&'static Family>, serde_json::Error> {
    let sets: BTreeMap<String, serde_json::Value> = serde_json::from_str(text)?;
    let mut formats: Vec<&'static Family> = Vec::new();
    let mut known = vec![DataSet { formatting: SHAREGPT.to_owned(), ..DataSet::default() }];
    for (name, set) in sets {
        let set: DataSet = serde_json::from_value(set)?;
        let set = DataSet { file_name: String::new(), ..set };
        if set.formatting == SHAREGPT && !known.contains(&set) {
            known.push(set.clone());
            formats.extend(set.format(name).ok().map(Family::keep));
        }
    }
    Ok(formats)
}

/// Returns the description of the file called `name` in a `dataset_info.json`; None if that has none in this form.
pub fn of_file(text: &str, name: &str) -> Option<DataSet> {
    let sets: BTreeMap<String, serde_json::Value> = serde_json::from_str(text).ok()?;
    let sets = sets.into_values().filter_map(|set| serde_json::from_value::<DataSet>(set).ok());
    let mut sets = sets.filter(|set| set.formatting == SHAREGPT);
    sets.find(|set| set.file_name.rsplit('/').next() == Some(name))
}

/// Returns a text that lasts for the rest of the run.
fn kept(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

impl DataSet {
    /// Returns what of a dialog is not as it says; a trainer that goes by it leaves the dialog out.
    pub fn contradiction(&self, root: Value<'_>) -> Option<String> {
        let (list, role, tags) = (&self.columns.messages, &self.tags.role_tag, &self.tags);
        let Some(messages) = root.get(list).filter(|list| list.kind() == NodeKind::Array) else {
            return Some(format!("there is no list `{list}`"));
        };
        let known = [
            &tags.user_tag,
            &tags.assistant_tag,
            &tags.observation_tag,
            &tags.function_tag,
            &tags.system_tag,
        ];
        messages.elements().find_map(|message| match message.get(role).and_then(Value::as_str) {
            None => Some(format!("a message has no `{role}`")),
            Some(name) if known.iter().any(|known| **known == *name) => {
                let text = &tags.content_tag;
                message.get(text).is_none().then(|| format!("a message has no `{text}`"))
            }
            Some(name) => Some(format!("`{role}` is {name:?}, not one of {known:?}")),
        })
    }

    fn format(self, name: String) -> Result<Family, BadText> {
        let Tags {
            role_tag,
            content_tag,
            user_tag,
            assistant_tag,
            observation_tag,
            function_tag,
            system_tag,
        } = self.tags;
        let (calls, turns) = (kept(function_tag), kept(self.columns.messages));
        let (role_key, value) = (kept(role_tag), kept(content_tag));
        let roles = vec![
            (kept(system_tag), ChatRole::Instructions),
            (kept(user_tag), ChatRole::User),
            (kept(assistant_tag), ChatRole::Assistant),
            (calls, ChatRole::Assistant),
            (kept(observation_tag), ChatRole::Tool),
        ];
        let form = ChatForm {
            roles: roles.leak(),
            role_key,
            tools_key: kept(self.columns.tools),
            call_role: Some(calls),
            is_prompt: |_| false,
        };
        let schema = [("conversations", turns), ("from", role_key), ("value", value)]
            .into_iter()
            .fold(SCHEMA.to_owned(), |schema, (usual, own)| {
                let quoted = |text: &str| serde_json::Value::from(text).to_string();
                schema.replace(&quoted(usual), &quoted(own))
            });
        let mut description = Description::read(sharegpt::TOML)?;
        description.name = name;
        description.rename([turns, role_key, value]);
        let form = Box::leak(Box::new(form));
        let code = Code { chat: Some(form), schema: Some(kept(schema)), ..sharegpt::code() };
        Ok(Family::of(description, None, 1).with(code))
    }
}
