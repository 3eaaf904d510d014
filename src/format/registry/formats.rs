//! The formats that apply to a file: the built-in families, bundled descriptions, and those of the user.

use std::sync::{Arc, LazyLock};

use crate::format::Format;
use crate::format::declared::{Declared, Reader};
use crate::format::families::{dbdc_labels, messages, sharegpt, taskmaster_1_to_3, taskmaster_4};

/// Every family that is recognized by the id of its dialogs; if signs overlap, the more specific one comes first.
pub static FORMATS: LazyLock<Vec<&'static dyn Format>> = LazyLock::new(|| {
    let read = OF_FAMILIES.iter().map(|(file, text)| {
        let reader = READERS.iter().find(|(own, _)| own == file).map(|(_, reader)| *reader);
        Declared::read(text, None).map(|declared| declared.read_by(reader))
    });
    let mut all: Vec<&'static dyn Format> = vec![&taskmaster_4::Taskmaster4];
    all.extend(read.flatten().map(Declared::keep));
    all.extend([&dbdc_labels::DbdcLabels as &dyn Format, &messages::Messages, &sharegpt::USUAL]);
    all
});

/// Those of them that have a description: their file names and texts.
static OF_FAMILIES: &[(&str, &str)] = &[
    ("taskmaster-3.toml", include_str!("../../../assets/formats/taskmaster-3.toml")),
    ("taskmaster-1-2.toml", include_str!("../../../assets/formats/taskmaster-1-2.toml")),
    ("dbdc.toml", include_str!("../../../assets/formats/dbdc.toml")),
    ("sim.toml", include_str!("../../../assets/formats/sim.toml")),
    ("sim-gen.toml", include_str!("../../../assets/formats/sim-gen.toml")),
];

/// Readers that are faster than their descriptions.
static READERS: &[(&str, Reader)] = &[
    ("taskmaster-3.toml", taskmaster_1_to_3::read_3),
    ("taskmaster-1-2.toml", taskmaster_1_to_3::read_1_2),
];

/// The bundled descriptions of dialogs that are values of a file: their file names and texts.
static OF_DIALOGS: &[(&str, &str)] = &[
    ("sgd.toml", include_str!("../../../assets/formats/sgd.toml")),
    ("multiwoz.toml", include_str!("../../../assets/formats/multiwoz.toml")),
    (
        "multiwoz-disambiguation.toml",
        include_str!("../../../assets/formats/multiwoz-disambiguation.toml"),
    ),
    ("multiwoz-spoken.toml", include_str!("../../../assets/formats/multiwoz-spoken.toml")),
    ("convlab.toml", include_str!("../../../assets/formats/convlab.toml")),
    ("crosswoz.toml", include_str!("../../../assets/formats/crosswoz.toml")),
    ("topical-chat.toml", include_str!("../../../assets/formats/topical-chat.toml")),
    ("kvret.toml", include_str!("../../../assets/formats/kvret.toml")),
    ("woz-2.0.toml", include_str!("../../../assets/formats/woz-2.0.toml")),
    ("casino.toml", include_str!("../../../assets/formats/casino.toml")),
    ("abcd.toml", include_str!("../../../assets/formats/abcd.toml")),
    ("wizard-of-wikipedia.toml", include_str!("../../../assets/formats/wizard-of-wikipedia.toml")),
    ("frames.toml", include_str!("../../../assets/formats/frames.toml")),
    ("redial.toml", include_str!("../../../assets/formats/redial.toml")),
    ("soda.toml", include_str!("../../../assets/formats/soda.toml")),
    ("dialogstudio.toml", include_str!("../../../assets/formats/dialogstudio.toml")),
    ("swe-agent.toml", include_str!("../../../assets/formats/swe-agent.toml")),
    ("atif.toml", include_str!("../../../assets/formats/atif.toml")),
    ("gemini-cli.toml", include_str!("../../../assets/formats/gemini-cli.toml")),
    ("openhands-runs.toml", include_str!("../../../assets/formats/openhands-runs.toml")),
    ("openhands-sdk-runs.toml", include_str!("../../../assets/formats/openhands-sdk-runs.toml")),
    ("gemini-api.toml", include_str!("../../../assets/formats/gemini-api.toml")),
    ("responses.toml", include_str!("../../../assets/formats/responses.toml")),
    ("bfcl.toml", include_str!("../../../assets/formats/bfcl.toml")),
    ("requests.toml", include_str!("../../../assets/formats/requests.toml")),
];

/// Those of dialogs whose turns are the lines of a file, which are read only where none of the others fits.
static OF_TURNS: &[(&str, &str)] = &[
    ("claude-code.toml", include_str!("../../../assets/formats/claude-code.toml")),
    ("codex.toml", include_str!("../../../assets/formats/codex.toml")),
    ("qwen-code.toml", include_str!("../../../assets/formats/qwen-code.toml")),
    ("session-traces.toml", include_str!("../../../assets/formats/session-traces.toml")),
    ("gemini-cli-lines.toml", include_str!("../../../assets/formats/gemini-cli-lines.toml")),
    ("gemini-cli-stream.toml", include_str!("../../../assets/formats/gemini-cli-stream.toml")),
    ("gemini-history.toml", include_str!("../../../assets/formats/gemini-history.toml")),
    ("openhands.toml", include_str!("../../../assets/formats/openhands.toml")),
    ("openhands-sdk.toml", include_str!("../../../assets/formats/openhands-sdk.toml")),
    ("response-items.toml", include_str!("../../../assets/formats/response-items.toml")),
    ("message-list.toml", include_str!("../../../assets/formats/message-list.toml")),
];

/// Returns the bundled descriptions: their file names and texts.
pub fn descriptions() -> impl Iterator<Item = (&'static str, &'static str)> {
    OF_FAMILIES.iter().chain(OF_DIALOGS).chain(OF_TURNS).copied()
}

fn read(texts: &[(&str, &str)]) -> Vec<&'static dyn Format> {
    let read = texts.iter().map(|(_, text)| Declared::read(text, None));
    read.flatten().map(Declared::keep).collect()
}

/// The formats of the bundled descriptions, read when they are first needed. A test makes sure that each of
/// them can be read.
static DECLARED: LazyLock<Vec<&'static dyn Format>> = LazyLock::new(|| {
    let families = FORMATS.iter().filter(|format| format.declared().is_some());
    let dialogs = families.chain(bundled_of_dialogs());
    dialogs.chain(bundled_of_turns()).copied().collect()
});

static DECLARED_OF_DIALOGS: LazyLock<Vec<&'static dyn Format>> = LazyLock::new(|| read(OF_DIALOGS));

static DECLARED_OF_TURNS: LazyLock<Vec<&'static dyn Format>> = LazyLock::new(|| read(OF_TURNS));

/// Returns the formats of the bundled descriptions.
pub fn bundled() -> &'static [&'static dyn Format] {
    &DECLARED
}

/// Returns those of dialogs that are values of a file.
pub fn bundled_of_dialogs() -> &'static [&'static dyn Format] {
    &DECLARED_OF_DIALOGS
}

/// Returns those whose turns are the lines of a file.
pub fn bundled_of_turns() -> &'static [&'static dyn Format] {
    &DECLARED_OF_TURNS
}

/// Returns every built-in format: the families, and the formats of the bundled descriptions.
pub fn all() -> impl Iterator<Item = &'static dyn Format> {
    FORMATS.iter().chain(bundled_of_dialogs()).chain(bundled_of_turns()).copied()
}

/// Returns the built-in format with this name.
pub fn named(name: &str) -> Option<&'static dyn Format> {
    all().find(|f| f.name() == name || f.aliases().contains(&name))
}

/// The formats that apply to a file: those of [`all`], and descriptions of the user.
#[derive(Clone, Debug, Default)]
pub struct Formats {
    own: Arc<[&'static dyn Format]>,
    /// The only one, if the user has named it.
    only: Option<&'static dyn Format>,
}

impl Formats {
    /// Returns the user's formats, the nearest to the file first. Of two with one name, the first counts.
    pub fn with(own: Vec<&'static dyn Format>) -> Self {
        let mut kept: Vec<&'static dyn Format> = Vec::new();
        for format in own {
            if kept.iter().all(|other| other.name() != format.name()) {
                kept.push(format);
            }
        }
        Self { own: kept.into(), only: None }
    }

    /// Returns the user's formats.
    pub fn own(&self) -> &[&'static dyn Format] {
        &self.own
    }

    /// Returns the format that all dialogs have, if the user has named it.
    pub fn only(&self) -> Option<&'static dyn Format> {
        self.only
    }

    /// These formats, of which only the one called `name` counts; None if there is none.
    pub fn named(mut self, name: &str) -> Option<Self> {
        let is = |format: &&'static dyn Format| {
            format.name() == name || format.aliases().contains(&name)
        };
        let only = self.all().find(is)?;
        self.only = Some(only);
        Some(self)
    }

    /// Returns every format that applies.
    pub fn all(&self) -> impl Iterator<Item = &'static dyn Format> + '_ {
        self.own.iter().copied().chain(all())
    }
}
