//! Judgements: what a person or a model says about a dialog, or a part of it.
//!
//! A judgement answers a question of a scheme, or is a note. Judgements are kept beside the corpus, a line
//! each; serialized, they are these lines (`assets/manual/judging.md`).

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::model::{ApiCall, Dialog, Payload, Role, Turn};
use crate::text::cut;

/// True for what separates the parts of a path, wherever it was written.
fn is_separator(c: char) -> bool {
    matches!(c, '/' | '\\')
}

/// Returns the names of the two files of a pair: the ends of their paths, as long as it takes to tell them apart.
pub fn side_names<'n>(one: &'n str, other: &'n str) -> [&'n str; 2] {
    let parts = |path: &'n str| path.rsplit(is_separator);
    let same = parts(one).zip(parts(other)).take_while(|(one, other)| one == other).count();
    [one, other].map(|path| {
        let start = path.rmatch_indices(is_separator).nth(same);
        start.map_or(path, |(at, _)| &path[at + 1..])
    })
}

/// The order of the two files of a pair, whose first one the pair is named and found by: that of their names, so that it
/// is the same in whatever order, and wherever, they are opened.
pub fn side_order(one: &str, other: &str) -> Ordering {
    one.rsplit(is_separator).cmp(other.rsplit(is_separator))
}

/// The longest quote, in code points; of a longer text, a judgement quotes the beginning.
const QUOTED: usize = 80;

/// The annotator under whose name the answers of an adjudicator are kept.
pub const GOLD: &str = "gold";

/// The name of the question that votes answer, and of its scheme.
pub const BREAKDOWN: &str = "breakdown";

/// A judgement of a dialog or a part of it, by a person or a model.
///
/// `turn` and `call` are positions from 0, `span` counts the dialog's units, half-open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Judgement {
    /// The end of the path of the corpus file; empty if any file with the dialog is meant.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// The dialog's id, or, for a dialog without one, the name of its file and its position.
    pub dialog: String,
    #[serde(flatten)]
    pub place: Place,
    /// The dialog of another file with which it is a pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<PairedWith>,
    /// The scheme and its question; both empty for a note.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub scheme: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub question: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Answer>,
    /// The turn that an answer about the whole dialog points to, such as the first that went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
    /// The two sides of a pair in the order in which they were on the screen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The annotator.
    pub by: String,
    /// The run of a model that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// When it was made, in UTC as RFC 3339 writes it; empty if that is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub when: String,
    /// The seconds that the answer took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u32>,
    /// The text that was judged, or its beginning.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub quote: String,
    /// A hash of the text that was judged, by which a change of it is noticed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub digest: String,
}

/// The part of a dialog that a judgement is about: all of it, a turn, or a part of a turn.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Place {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<[u32; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<usize>,
}

/// The other dialog of a pair: it has the same id, in another file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PairedWith {
    /// The end of the path of its file.
    pub file: String,
    /// A hash of its text, by which a change of it is noticed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub digest: String,
}

impl PairedWith {
    /// Returns a dialog as the other one of a pair.
    pub fn of(file: &str, dialog: &Dialog) -> Self {
        let text = judged_text(dialog, Place::DIALOG);
        Self { file: file.to_owned(), digest: digest(&text.unwrap_or_default()) }
    }

    /// True if `dialog`, the other one, is unchanged as far as the judgement says what it was.
    pub fn fits(&self, dialog: &Dialog) -> bool {
        let now = || judged_text(dialog, Place::DIALOG).unwrap_or_default();
        self.digest.is_empty() || self.digest == digest(&now())
    }

    /// True if it is in the file with this path.
    pub fn is_in(&self, path: &str) -> bool {
        is_end_of(&self.file, path)
    }
}

/// The most characters of a text in the title of a judgement.
const TITLED: usize = 32;

impl Place {
    /// The whole dialog.
    pub const DIALOG: Self = Self { turn: None, span: None, call: None };

    /// True for a segment or a call.
    pub fn is_part(&self) -> bool {
        self.span.is_some() || self.call.is_some()
    }

    /// Returns a whole turn.
    pub fn turn(turn: usize) -> Self {
        Self { turn: Some(turn), ..Self::DIALOG }
    }
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Answer {
    Flag(bool),
    Number(serde_json::Number),
    Text(String),
    Several(Vec<String>),
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Flag(true) => f.write_str("yes"),
            Self::Flag(false) => f.write_str("no"),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
            Self::Several(all) => f.write_str(&all.join(", ")),
        }
    }
}

/// Tells judgements apart, and orders their lines: by its fields, from the first to the last.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JudgementKey {
    pub file: String,
    pub dialog: String,
    pub place: Place,
    /// The file of the other dialog of a pair.
    pub with: Option<String>,
    pub scheme: String,
    pub question: String,
    /// A file may hold lines of others, too: of a person whose id differs in case, or of a run.
    pub by: String,
}

impl Judgement {
    /// True unless a model gave it, or an adjudicator.
    pub fn is_of_person(&self) -> bool {
        self.run.is_none() && self.by != GOLD
    }

    /// Returns an empty judgement of a part of `dialog`, with what it quotes.
    ///
    /// `dialog.id` is the id that it names.
    pub fn of(dialog: &Dialog, place: Place) -> Self {
        let text = judged_text(dialog, place);
        let (quote, digest) = text.map_or_else(Default::default, |text| {
            let hash = XxHash3_64::oneshot(text.as_bytes());
            // Instructions are the same in many dialogs.
            let mut said = dialog.turns.iter();
            let said = said.find(|turn| turn.speaker.role != Role::Context);
            let quote = match said {
                Some(turn) if place == Place::DIALOG => cut(&whole_turn(turn), QUOTED),
                _ => cut(&text, QUOTED),
            };
            (quote, format!("{hash:016x}"))
        });
        Self { dialog: dialog.id.clone(), place, quote, digest, ..Self::default() }
    }

    /// Reads a line of a file of judgements. A pair is the same whichever of its dialogs was opened first: its judgements
    /// are about the first one in [`side_order`], and have its [`side_names`].
    ///
    /// # Errors
    /// If it is not a judgement.
    pub fn read(line: &[u8]) -> serde_json::Result<Self> {
        let mut read: Self = serde_json::from_slice(line)?;
        let Some(with) = read.with.as_mut().filter(|_| !read.file.is_empty()) else {
            return Ok(read);
        };
        // Of files of one name, a line may name its own without the folder.
        let mut shown = read.order.iter();
        let own = shown.find(|name| **name != with.file && is_end_of(&read.file, name));
        let given = [own.unwrap_or(&read.file).clone(), with.file.clone()];
        let names = side_names(&given[0], &given[1]).map(str::to_owned);
        let value = match &mut read.value {
            Some(Answer::Text(side)) => Some(side),
            _ => None,
        };
        for side in read.order.iter_mut().chain(value) {
            if let Some(number) = given.iter().position(|name| name == side) {
                side.clone_from(&names[number]);
            }
        }
        [read.file, with.file] = names;
        if side_order(&with.file, &read.file).is_lt() {
            std::mem::swap(&mut read.file, &mut with.file);
            std::mem::swap(&mut read.digest, &mut with.digest);
            read.quote.clear();
        }
        Ok(read)
    }

    pub fn key(&self) -> JudgementKey {
        JudgementKey {
            file: self.file.clone(),
            dialog: self.dialog.clone(),
            place: self.place,
            with: self.with.as_ref().map(|with| with.file.clone()),
            scheme: self.scheme.clone(),
            question: self.question.clone(),
            by: self.by.clone(),
        }
    }

    /// True if it says nothing; such a judgement is a removed one.
    pub fn is_empty(&self) -> bool {
        self.value.is_none() && self.note.is_empty() && self.tags.is_empty()
    }

    /// True if it says the same as `other` about the same text, whenever that was.
    pub fn repeats(&self, other: &Self) -> bool {
        let Self { when, seconds, .. } = other;
        *other == Self { when: when.clone(), seconds: *seconds, ..self.clone() }
    }

    /// True if it is a note, or tags, without a question.
    pub fn is_note(&self) -> bool {
        self.question.is_empty()
    }

    /// True if it answers this question.
    pub fn answers(&self, scheme: &str, question: &str) -> bool {
        self.scheme == scheme && self.question == question
    }

    /// True if what it judged is still in `dialog`, unchanged as far as the judgement says what it was.
    pub fn fits(&self, dialog: &Dialog) -> bool {
        let Some(now) = judged_text(dialog, self.place) else {
            return false;
        };
        let is_same = if self.digest.is_empty() {
            self.quote.is_empty() || self.quote == cut(&now, QUOTED)
        } else {
            self.digest == digest(&now)
        };
        let paired = dialog.sides.as_ref().and_then(|sides| sides.with.as_ref());
        let with = self.with.as_ref().filter(|with| !with.digest.is_empty());
        // The other dialog of a pair is not always known.
        let is_with = with
            .zip(paired)
            .is_none_or(|(with, paired)| with.file != paired.file || with.digest == paired.digest);
        is_same && is_with && self.at.is_none_or(|at| at < dialog.turns.len())
    }

    /// Returns the turn of a dialog that it is about, or that it points to. An answer about the whole dialog that
    /// points to no turn counts as one about the first.
    pub fn found_at(&self) -> usize {
        self.place.turn.or(self.at).unwrap_or_default()
    }

    /// True if it is about a file with this path.
    pub fn is_of_file(&self, path: &str) -> bool {
        is_end_of(&self.file, path)
    }

    /// Returns what an edit that sets it is called: `success: fail on turn 3`.
    pub fn title(&self) -> String {
        let question = if self.is_note() { "note" } else { &self.question };
        let of = match self.place.turn {
            Some(turn) if self.place.is_part() && !self.quote.is_empty() => {
                let quote: String = self.quote.chars().take(TITLED).collect();
                format!("«{quote}» in turn {turn}")
            }
            Some(turn) => format!("turn {turn}"),
            None => match self.at {
                Some(turn) => format!("the dialog, at turn {turn}"),
                None if self.with.is_some() => "the pair".to_owned(),
                None => "the dialog".to_owned(),
            },
        };
        if self.is_empty() {
            return format!("{question} on {of} withdrawn");
        }
        match self.says().as_str() {
            "note" => format!("{question} on {of}"),
            says => format!("{question}: {says} on {of}"),
        }
    }

    /// Returns a short description of what it says: `fail`, `note`, `#invented-date`.
    pub fn says(&self) -> String {
        let tags = self.tags.iter().map(|tag| format!("#{tag}"));
        let value = self.value.iter().map(ToString::to_string);
        let all: Vec<_> = value.chain(tags).collect();
        match all.as_slice() {
            [] if self.note.is_empty() => "nothing".to_owned(),
            [] => "note".to_owned(),
            _ => all.join(" "),
        }
    }
}

/// True if `file` is the end of a path; nothing is the end of any.
fn is_end_of(file: &str, path: &str) -> bool {
    let mut parts = path.rsplit(is_separator);
    let end = Some(file).filter(|file| !file.is_empty());
    let mut ends = end.into_iter().flat_map(|file| file.rsplit(is_separator));
    ends.all(|end| parts.next() == Some(end))
}

/// Returns the text that a judgement of `place` is about; None if the dialog has no such place.
fn judged_text(dialog: &Dialog, place: Place) -> Option<String> {
    let Some(turn) = place.turn else {
        let texts = dialog.turns.iter().map(whole_turn);
        let sides = dialog.sides.as_ref().filter(|sides| sides.with.is_none());
        let mut fields = dialog.fields.iter();
        let other = sides.and_then(|sides| fields.find(|field| field.name == sides.names[1]));
        let other = other.map(|field| unspaced(field.content.as_str()));
        return Some(texts.chain(other).collect::<Vec<_>>().join("\n"));
    };
    let turn = dialog.turns.get(turn)?;
    match (place.span, place.call) {
        (Some([start, end]), _) => {
            let covered = turn.covered(super::model::Span { start, end }, dialog.units)?;
            Some(covered.to_string())
        }
        (None, Some(call)) => turn.calls.get(call).map(whole_call),
        (None, None) => Some(whole_turn(turn)),
    }
}

/// Returns JSON without the spaces between its elements.
fn unspaced(json: &str) -> String {
    let value = serde_json::from_str::<serde_json::Value>(json);
    value.map_or_else(|_| json.to_owned(), |value| value.to_string())
}

fn whole_turn(turn: &Turn) -> String {
    let calls = turn.calls.iter().map(whole_call);
    let all = std::iter::once(turn.text.clone()).filter(|text| !text.is_empty());
    all.chain(calls).collect::<Vec<_>>().join("\n")
}

fn whole_call(call: &ApiCall) -> String {
    format!("{}({})", call.name, whole_payload(call.arguments.as_ref()))
}

fn whole_payload(payload: Option<&Payload>) -> String {
    match payload {
        Some(Payload::Fields(fields)) => {
            let named = fields.iter();
            let named = named.map(|field| format!("{}={}", field.name, field.content.as_str()));
            named.collect::<Vec<_>>().join(", ")
        }
        Some(Payload::Embedded { text, .. } | Payload::Text { text, .. }) => text.to_string(),
        None => String::new(),
    }
}

impl Turn {
    /// Returns a digest of its calls and their answers; None without calls.
    pub fn digest_of_calls(&self) -> Option<String> {
        let whole = |call: &ApiCall| {
            let answer = whole_payload(call.response.as_ref());
            format!("{} → {answer}", whole_call(call))
        };
        let calls: Vec<_> = self.calls.iter().map(whole).collect();
        (!calls.is_empty()).then(|| digest(&calls.join("\n")))
    }
}

fn digest(text: &str) -> String {
    format!("{:016x}", XxHash3_64::oneshot(text.as_bytes()))
}
