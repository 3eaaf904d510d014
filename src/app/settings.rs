//! The user's settings, read from a file.

mod autosave;
mod label_pins;
mod list_columns;
mod reveal;
mod saved_queries;

pub use autosave::Autosave;
pub use label_pins::{COLOURS, LabelPin, LabelPins};
pub use list_columns::{ListColumn, ListColumns};
pub use reveal::Reveal;
pub use saved_queries::SavedQueries;

use std::ops::Range;

use toml::Spanned;
use toml::de::DeValue;

use crate::lint::profile;
use crate::votes::ids::may_judge;

/// The settings; each has a default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The annotator id; empty if turnwise is to ask for it.
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

/// A setting: its name, its description, and how to read and show it.
pub struct Setting {
    pub name: &'static str,
    pub doc: &'static str,
    set: fn(&mut Settings, &DeValue<'_>) -> Result<(), Invalid>,
    /// Returns its value in the form of the file.
    pub shown: fn(&Settings) -> String,
}

/// The report of an invalid value.
pub struct Invalid {
    /// A description of a valid value.
    expected: &'static str,
    /// The part of the value that is invalid; None for all of it.
    span: Option<Range<usize>>,
}

impl From<&'static str> for Invalid {
    fn from(expected: &'static str) -> Self {
        let span = None;
        Self { expected, span }
    }
}

impl Invalid {
    fn at(span: Range<usize>, expected: &'static str) -> Self {
        let span = Some(span);
        Self { expected, span }
    }
}

/// Every setting.
pub static SETTINGS: &[Setting] = &[
    Setting {
        name: "annotator",
        doc: "annotator id for your votes",
        set: |settings, value| annotator(value, &mut settings.annotator),
        shown: |settings| quoted(&settings.annotator),
    },
    Setting {
        name: "theme",
        doc: "auto, or the name of a theme",
        set: |settings, value| text(value, &mut settings.theme),
        shown: |settings| quoted(&settings.theme),
    },
    Setting {
        name: "keymap",
        doc: "the name of a keymap",
        set: |settings, value| text(value, &mut settings.keymap),
        shown: |settings| quoted(&settings.keymap),
    },
    Setting {
        name: "mouse",
        doc: "use the mouse; if `false`, the terminal uses it to select text",
        set: |settings, value| flag(value, &mut settings.mouse),
        shown: |settings| settings.mouse.to_string(),
    },
    Setting {
        name: "votes",
        doc: "folder next to a corpus for votes that its own files cannot hold",
        set: |settings, value| text(value, &mut settings.votes),
        shown: |settings| quoted(&settings.votes),
    },
    Setting {
        name: "reveal",
        doc: "when blind mode shows others' votes: once you have judged the `turn`, the whole `dialog`, or `never`",
        set: |settings, value| reveal(value, &mut settings.reveal),
        shown: |settings| quoted(settings.reveal.name()),
    },
    Setting {
        name: "hide_later",
        doc: "judge as detectors do: what follows the current turn is hidden",
        set: |settings, value| flag(value, &mut settings.hide_later),
        shown: |settings| settings.hide_later.to_string(),
    },
    Setting {
        name: "guideline",
        doc: "a file with your guideline, in Markdown or plain text, which a key shows",
        set: |settings, value| text(value, &mut settings.guideline),
        shown: |settings| quoted(&settings.guideline),
    },
    Setting {
        name: "autosave",
        doc: "what is saved while you do not type: `votes`, or nothing: `off`",
        set: |settings, value| autosave(value, &mut settings.autosave),
        shown: |settings| quoted(settings.autosave.name()),
    },
    Setting {
        name: "profile",
        doc: "severities of the rules on chats: `openai`, `trl` or `axolotl`",
        set: |settings, value| chat_profile(value, &mut settings.profile),
        shown: |settings| quoted(&settings.profile),
    },
    Setting {
        name: "labels",
        doc: "labels with a colour or a digit of their own",
        set: |settings, value| label_pins(value, &mut settings.labels),
        shown: |settings| settings.labels.shown(),
    },
    Setting {
        name: "queries",
        doc: "queries that the palette offers by their names",
        set: |settings, value| saved_queries(value, &mut settings.queries),
        shown: |settings| settings.queries.shown(),
    },
    Setting {
        name: "list",
        doc: "columns of the list: members of the dialogs, `votes`, `segments`, `calls`",
        set: |settings, value| list_columns(value, &mut settings.list),
        shown: |settings| settings.list.shown(),
    },
];

fn text(value: &DeValue<'_>, place: &mut String) -> Result<(), Invalid> {
    value.as_str().ok_or("a string")?.clone_into(place);
    Ok(())
}

/// Reads an annotator id; an empty one makes turnwise ask.
fn annotator(value: &DeValue<'_>, place: &mut String) -> Result<(), Invalid> {
    let id = value.as_str().ok_or("a string")?.trim();
    if !id.is_empty() && may_judge(id).is_err() {
        return Err("an id of visible characters, but not `crowd`".into());
    }
    id.clone_into(place);
    Ok(())
}

/// Reads the name of a profile; an empty one means none.
fn chat_profile(value: &DeValue<'_>, place: &mut String) -> Result<(), Invalid> {
    let name = value.as_str().ok_or("a string")?;
    if !name.is_empty() && profile(name).is_none() {
        return Err("openai, trl or axolotl".into());
    }
    name.clone_into(place);
    Ok(())
}

fn reveal(value: &DeValue<'_>, place: &mut Reveal) -> Result<(), Invalid> {
    let named = value.as_str().and_then(Reveal::named);
    *place = named.ok_or("turn, dialog or never")?;
    Ok(())
}

fn autosave(value: &DeValue<'_>, place: &mut Autosave) -> Result<(), Invalid> {
    let named = value.as_str().and_then(Autosave::named);
    *place = named.ok_or("votes or off")?;
    Ok(())
}

fn label_pins(value: &DeValue<'_>, place: &mut LabelPins) -> Result<(), Invalid> {
    *place = LabelPins::read(value)?;
    Ok(())
}

fn saved_queries(value: &DeValue<'_>, place: &mut SavedQueries) -> Result<(), Invalid> {
    *place = SavedQueries::read(value)?;
    Ok(())
}

fn list_columns(value: &DeValue<'_>, place: &mut ListColumns) -> Result<(), Invalid> {
    *place = ListColumns::read(value)?;
    Ok(())
}

fn flag(value: &DeValue<'_>, place: &mut bool) -> Result<(), Invalid> {
    *place = value.as_bool().ok_or("true or false")?;
    Ok(())
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

impl Settings {
    /// Reads settings; returns them with an error for each invalid line. An invalid setting keeps
    /// its default.
    pub fn read(text: &str) -> (Self, Vec<String>) {
        let mut settings = Self::default();
        let line =
            |span: Range<usize>| 1 + text[..span.start.min(text.len())].matches('\n').count();
        let (table, errors) = toml::de::DeTable::parse_recoverable(text);
        let mut wrong: Vec<_> = errors
            .iter()
            .map(|e| (line(e.span().unwrap_or(0..0)), e.message().to_owned()))
            .collect();
        for (name, value) in table.get_ref() {
            let value: &Spanned<DeValue<'_>> = value;
            let Some(setting) = SETTINGS.iter().find(|s| s.name == name.get_ref().as_ref()) else {
                let names = SETTINGS.iter().map(|s| s.name).collect::<Vec<_>>().join(", ");
                let why = format!("unknown setting `{}`; the settings are {names}", name.get_ref());
                wrong.push((line(name.span()), why));
                continue;
            };
            if let Err(Invalid { expected, span }) = (setting.set)(&mut settings, value.get_ref()) {
                let what = match &span {
                    Some(span) => text.get(span.clone()).unwrap_or_default(),
                    None => setting.name,
                };
                let what = what.trim_matches(['"', '\'']);
                wrong.push((
                    line(span.unwrap_or(value.span())),
                    format!("`{what}` should be {expected}"),
                ));
            }
        }
        wrong.sort();
        let wrong = wrong.into_iter().map(|(line, why)| format!("line {line}: {why}")).collect();
        (settings, wrong)
    }
}
