//! The formats that apply to a file: the built-in families, bundled descriptions, and those of the user.

use std::sync::{Arc, LazyLock};

use crate::format::families::{dbdc_labels, messages, sharegpt, taskmaster_1_to_3, taskmaster_4};
use crate::format::family::{Code, Family};

/// Every family that is recognized by the id of its dialogs; if signs overlap, the more specific one comes first.
pub static FORMATS: LazyLock<Vec<&'static Family>> = LazyLock::new(|| {
    let read = OF_FAMILIES.iter().map(|known| {
        Family::read_from(known.text, None).map(|family| family.with((known.code)()).keep())
    });
    read.flatten().collect()
});

/// A family with its description and its code.
struct KnownFamily {
    /// The file with the description, if that tells all about its dialogs.
    file: Option<&'static str>,
    text: &'static str,
    code: fn() -> Code,
}

impl KnownFamily {
    /// One whose dialogs only code can read. The text is the description of what is edited.
    const fn in_code(text: &'static str, code: fn() -> Code) -> Self {
        Self { file: None, text, code }
    }

    const fn described(file: &'static str, text: &'static str, code: fn() -> Code) -> Self {
        Self { file: Some(file), text, code }
    }
}

static OF_FAMILIES: [KnownFamily; 9] = [
    KnownFamily::in_code(taskmaster_4::TOML, taskmaster_4::code),
    KnownFamily::described(
        "taskmaster-3.toml",
        include_str!("../../../assets/formats/taskmaster-3.toml"),
        taskmaster_1_to_3::code_3,
    ),
    KnownFamily::described(
        "taskmaster-1-2.toml",
        include_str!("../../../assets/formats/taskmaster-1-2.toml"),
        taskmaster_1_to_3::code_1_2,
    ),
    KnownFamily::described(
        "dbdc.toml",
        include_str!("../../../assets/formats/dbdc.toml"),
        Code::default,
    ),
    KnownFamily::described(
        "sim.toml",
        include_str!("../../../assets/formats/sim.toml"),
        Code::default,
    ),
    KnownFamily::described(
        "sim-gen.toml",
        include_str!("../../../assets/formats/sim-gen.toml"),
        Code::default,
    ),
    KnownFamily::in_code(dbdc_labels::TOML, dbdc_labels::code),
    KnownFamily::in_code(messages::TOML, messages::code),
    KnownFamily::in_code(sharegpt::TOML, sharegpt::code),
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
    ("preference.toml", include_str!("../../../assets/formats/preference.toml")),
    ("openai-preference.toml", include_str!("../../../assets/formats/openai-preference.toml")),
    ("openai-evals.toml", include_str!("../../../assets/formats/openai-evals.toml")),
    ("promptfoo.toml", include_str!("../../../assets/formats/promptfoo.toml")),
    ("simmc.toml", include_str!("../../../assets/formats/simmc.toml")),
    ("risawoz.toml", include_str!("../../../assets/formats/risawoz.toml")),
    ("jmultiwoz.toml", include_str!("../../../assets/formats/jmultiwoz.toml")),
    ("dstc-logs.toml", include_str!("../../../assets/formats/dstc-logs.toml")),
    ("dstc11-intents.toml", include_str!("../../../assets/formats/dstc11-intents.toml")),
    ("chatgpt.toml", include_str!("../../../assets/formats/chatgpt.toml")),
    ("claude-ai.toml", include_str!("../../../assets/formats/claude-ai.toml")),
    ("librechat.toml", include_str!("../../../assets/formats/librechat.toml")),
    ("open-webui.toml", include_str!("../../../assets/formats/open-webui.toml")),
    ("langchain.toml", include_str!("../../../assets/formats/langchain.toml")),
    ("opencode.toml", include_str!("../../../assets/formats/opencode.toml")),
    ("goose.toml", include_str!("../../../assets/formats/goose.toml")),
    ("zed.toml", include_str!("../../../assets/formats/zed.toml")),
    ("copilot-chat.toml", include_str!("../../../assets/formats/copilot-chat.toml")),
    ("continue.toml", include_str!("../../../assets/formats/continue.toml")),
    ("google-adk.toml", include_str!("../../../assets/formats/google-adk.toml")),
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
    ("convokit.toml", include_str!("../../../assets/formats/convokit.toml")),
    ("ai-sdk.toml", include_str!("../../../assets/formats/ai-sdk.toml")),
    ("langchain-list.toml", include_str!("../../../assets/formats/langchain-list.toml")),
    ("goose-lines.toml", include_str!("../../../assets/formats/goose-lines.toml")),
];

/// Returns the bundled descriptions: their file names and texts.
pub fn descriptions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let families = OF_FAMILIES.iter().filter_map(|known| Some((known.file?, known.text)));
    families.chain(OF_DIALOGS.iter().chain(OF_TURNS).copied())
}

fn read(texts: &[(&str, &str)]) -> Vec<&'static Family> {
    let read = texts.iter().map(|(_, text)| Family::read_from(text, None));
    read.flatten().map(Family::keep).collect()
}

/// The formats of the bundled descriptions, read when they are first needed. A test makes sure that each of
/// them can be read.
static DECLARED: LazyLock<Vec<&'static Family>> = LazyLock::new(|| {
    let families =
        FORMATS.iter().zip(&OF_FAMILIES).filter_map(|(format, known)| known.file.map(|_| format));
    let dialogs = families.chain(bundled_of_dialogs());
    dialogs.chain(bundled_of_turns()).copied().collect()
});

static DECLARED_OF_DIALOGS: LazyLock<Vec<&'static Family>> = LazyLock::new(|| read(OF_DIALOGS));

static DECLARED_OF_TURNS: LazyLock<Vec<&'static Family>> = LazyLock::new(|| read(OF_TURNS));

/// Returns the formats of the bundled descriptions.
pub fn bundled() -> &'static [&'static Family] {
    &DECLARED
}

/// Returns those of dialogs that are values of a file.
pub fn bundled_of_dialogs() -> &'static [&'static Family] {
    &DECLARED_OF_DIALOGS
}

/// Returns those whose turns are the lines of a file.
pub fn bundled_of_turns() -> &'static [&'static Family] {
    &DECLARED_OF_TURNS
}

/// Returns every built-in format: the families, and the formats of the bundled descriptions.
pub fn all() -> impl Iterator<Item = &'static Family> {
    FORMATS.iter().chain(bundled_of_dialogs()).chain(bundled_of_turns()).copied()
}

/// Returns the built-in format with this name.
pub fn named(name: &str) -> Option<&'static Family> {
    all().find(|family| family.is_called(name))
}

/// The formats that apply to a file: those of [`all`], and descriptions of the user.
#[derive(Clone, Debug, Default)]
pub struct Formats {
    own: Arc<[&'static Family]>,
    /// The only one, if the user has named it.
    only: Option<&'static Family>,
}

impl Formats {
    /// Returns the user's formats, the nearest to the file first. Of two with one name, the first counts.
    pub fn with(own: Vec<&'static Family>) -> Self {
        let mut kept: Vec<&'static Family> = Vec::new();
        for format in own {
            if kept.iter().all(|other| other.name() != format.name()) {
                kept.push(format);
            }
        }
        Self { own: kept.into(), only: None }
    }

    /// Returns the user's formats.
    pub fn own(&self) -> &[&'static Family] {
        &self.own
    }

    /// Returns the format that all dialogs have, if the user has named it.
    pub fn only(&self) -> Option<&'static Family> {
        self.only
    }

    /// These formats, of which only the one called `name` counts; None if there is none.
    pub fn named(mut self, name: &str) -> Option<Self> {
        let only = self.all().find(|format| format.is_called(name))?;
        self.only = Some(only);
        Some(self)
    }

    /// Returns every format that applies.
    pub fn all(&self) -> impl Iterator<Item = &'static Family> + '_ {
        self.own.iter().copied().chain(all())
    }
}
