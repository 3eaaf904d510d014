//! The user's settings, read from a file.

mod autosave;
mod label_pins;
mod list_columns;
mod reveal;
mod saved_queries;

pub use autosave::Autosave;
pub use label_pins::{COLOURS, LabelPin, LabelPins};
pub use list_columns::ListColumns;
pub use reveal::Reveal;
pub use saved_queries::SavedQueries;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use toml::Spanned;
use toml::de::DeTable;

use crate::json::BadText;
use crate::lint::profile;
use crate::votes::ids::may_judge;

/// The settings; each has a default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The annotator id; empty if turnwise is to ask for it.
    #[serde(deserialize_with = "annotator")]
    pub annotator: String,
    /// Name of a theme, or `auto` to follow the background of the terminal.
    pub theme: String,
    /// Name of a keymap.
    pub keymap: String,
    pub mouse: bool,
    /// Folder, next to a corpus, of the vote logs for dialogs whose format has no votes.
    pub votes: String,
    /// When a blind annotator sees the votes of others.
    pub reveal: Reveal,
    /// True if the turns after the one to judge are hidden at the start.
    pub hide_later: bool,
    /// The file of the guideline; empty for none.
    pub guideline: String,
    /// The edits that are saved without a key.
    pub autosave: Autosave,
    /// Profile of the rules on chats; empty for none.
    #[serde(deserialize_with = "chat_profile")]
    pub profile: String,
    /// Labels with a colour or a digit of their own.
    pub labels: LabelPins,
    /// Queries that the palette offers.
    pub queries: SavedQueries,
    /// Columns of the list of dialogs.
    pub list: ListColumns,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            annotator: String::new(),
            theme: "auto".to_owned(),
            keymap: "default".to_owned(),
            mouse: true,
            votes: "votes".to_owned(),
            reveal: Reveal::default(),
            hide_later: false,
            guideline: String::new(),
            autosave: Autosave::default(),
            profile: String::new(),
            labels: LabelPins::default(),
            queries: SavedQueries::default(),
            list: ListColumns::default(),
        }
    }
}

/// A setting: its name and its description.
pub struct Setting {
    pub name: &'static str,
    pub doc: &'static str,
}

/// Every setting.
pub static SETTINGS: &[Setting] = &[
    Setting { name: "annotator", doc: "annotator id for your votes" },
    Setting { name: "theme", doc: "auto, or the name of a theme" },
    Setting { name: "keymap", doc: "the name of a keymap" },
    Setting {
        name: "mouse",
        doc: "use the mouse; if `false`, the terminal uses it to select text",
    },
    Setting {
        name: "votes",
        doc: "folder, next to a corpus, for votes that the corpus files cannot hold",
    },
    Setting {
        name: "reveal",
        doc: "when blind mode shows others' votes: after you have judged the `turn` or the whole `dialog`, or `never`",
    },
    Setting {
        name: "hide_later",
        doc: "hide the turns after the current one, to judge as detectors do",
    },
    Setting {
        name: "guideline",
        doc: "a Markdown or plain text file with your guideline, which a key shows",
    },
    Setting { name: "autosave", doc: "what to save during pauses: `votes`, or `off` for nothing" },
    Setting {
        name: "profile",
        doc: "severities of the rules on chats: `openai`, `trl` or `axolotl`",
    },
    Setting { name: "labels", doc: "labels with a colour or a digit of their own" },
    Setting { name: "queries", doc: "queries that the palette offers by name" },
    Setting {
        name: "list",
        doc: "columns of the list: fields of the dialogs, `votes`, `segments`, `calls`",
    },
];

impl Setting {
    /// Returns its value in the form of the file.
    pub fn shown(&self, settings: &Settings) -> String {
        let all = toml::Table::try_from(settings).unwrap_or_default();
        all.get(self.name).map(ToString::to_string).unwrap_or_default()
    }
}

/// Reads an annotator id; an empty one makes turnwise ask.
fn annotator<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let id = String::deserialize(from)?.trim().to_owned();
    if !id.is_empty() && may_judge(&id).is_err() {
        return Err(D::Error::custom("should be an id of visible characters, but not `crowd`"));
    }
    Ok(id)
}

/// Reads the name of a profile; an empty one means none.
fn chat_profile<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let name = String::deserialize(from)?;
    if !name.is_empty() && profile(&name).is_none() {
        return Err(D::Error::custom("should be openai, trl or axolotl"));
    }
    Ok(name)
}

impl Settings {
    fn read_table(table: Spanned<DeTable<'_>>) -> Result<Self, toml::de::Error> {
        Self::deserialize(toml::Deserializer::from(table))
    }

    /// Reads settings; returns them with an error for each invalid line. An invalid setting keeps
    /// its default.
    pub fn read(text: &str) -> (Self, Vec<BadText>) {
        let (mut table, errors) = DeTable::parse_recoverable(text);
        let wrong = errors.iter().map(|error| BadText::in_toml(text, error));
        let mut wrong: Vec<_> = wrong.collect();
        let whole = table.span();
        for (name, value) in table.get_ref().clone() {
            let span = value.span();
            let alone = DeTable::from_iter([(name.clone(), value)]);
            if let Err(error) = Self::read_table(Spanned::new(whole.clone(), alone)) {
                let at = error.span().unwrap_or(span).start;
                let reason = format!("`{}`: {}", name.get_ref(), error.message());
                wrong.push(BadText::at(text, at, reason));
                table.get_mut().remove(name.get_ref().as_ref());
            }
        }
        let settings = Self::read_table(table).unwrap_or_default();
        wrong.sort();
        (settings, wrong)
    }
}
