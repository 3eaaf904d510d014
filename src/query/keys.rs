//! The table of conditions: how each is written, and what it finds.

use super::expression::{Condition, TextKind};
use super::value::{Comparison, NamePattern, NamedValue};
use crate::dialog::Breakdown;

/// A condition in the table.
pub struct ConditionKey {
    /// The name before its value.
    pub name: &'static str,
    /// An example, as users type it.
    pub example: &'static str,
    /// The meaning, in one line of Markdown.
    pub doc: &'static str,
    pub value: ValueKind,
}

/// The text behind the name of a condition, and the condition that it makes.
#[derive(Clone)]
pub enum ValueKind {
    /// A colon and a name.
    Name(fn(NamePattern) -> Condition),
    /// A colon and any part of a rule's name, or nothing.
    Rule,
    /// A colon and a name, or nothing.
    NameOrAny(fn(Option<NamePattern>) -> Condition),
    /// A colon and a name, with a comparison of its value if wanted.
    Named(fn(NamedValue) -> Condition),
    /// A colon and an answer, or a comparison with one; the name is that of a question of a bundled scheme.
    Answer,
    /// A colon and one of O, T and X.
    Label(fn(Breakdown) -> Condition),
    /// A colon and a kind of text.
    Place(fn(TextKind) -> Condition),
    /// A comparison with a number.
    Number(fn(Comparison) -> Condition),
    /// Nothing.
    Flag(Condition),
}

const fn key(
    name: &'static str,
    value: ValueKind,
    example: &'static str,
    doc: &'static str,
) -> ConditionKey {
    ConditionKey { name, example, doc, value }
}

/// All conditions, in the order of the manual.
pub static CONDITIONS: &[ConditionKey] = &[
    key(
        "in",
        ValueKind::Place(Condition::In),
        "in:answer",
        "where the texts beside it are: `utterance`, `argument`, `answer`, `reasoning`, `instructions` or `comment`",
    ),
    key(
        "label",
        ValueKind::Named(Condition::Label),
        "label:date",
        "the label of a segment; in a turn without segments, of an act. `label:date=today` asks for the text of the segment",
    ),
    key("api", ValueKind::Name(Condition::Api), "api:book*", "the API that they call"),
    key(
        "speaker",
        ValueKind::Name(Condition::Speaker),
        "speaker:user",
        "their speaker; `user` and `system` work whatever the corpus calls them, and `user` finds no answers of tools",
    ),
    key(
        "problem",
        ValueKind::Rule,
        "problem:span",
        "a problem, by a part of the rule's name; `problem:` alone finds any error or warning",
    ),
    key(
        "arg",
        ValueKind::Named(Condition::Argument),
        "arg:num.tickets=2",
        "an argument of a call; the value may be left out",
    ),
    key(
        "response",
        ValueKind::Named(Condition::Response),
        "response:price>20",
        "a member of the answer to a call, or beside it, such as `is_error`; without a value, also a part of an answer in plain text",
    ),
    key(
        "failed",
        ValueKind::NameOrAny(Condition::Failed),
        "failed:book*",
        "a call of this API that failed, as its answer or a mark beside it says; `failed:` alone finds those of all APIs",
    ),
    key("act", ValueKind::Name(Condition::Act), "act:request", "a dialogue act"),
    key("slot", ValueKind::Named(Condition::Slot), "slot:date=tomorrow", "a slot of an act"),
    key(
        "state",
        ValueKind::Named(Condition::State),
        "state:hotel-stars=4",
        "a slot of the dialogue state",
    ),
    key("intent", ValueKind::Name(Condition::Intent), "intent:find*", "an intent"),
    key(
        "service",
        ValueKind::Name(Condition::Service),
        "service:Hotels_1",
        "the service of a label or of a slot of the state, as in `Hotels_1.area` and `hotel-area`",
    ),
    key(
        "field",
        ValueKind::Named(Condition::Field),
        "field:vertical=\"movie tickets\"",
        "any other member of the turn, its calls and segments, or of its dialog; dots lead to nested members",
    ),
    key(
        "annotator",
        ValueKind::Name(Condition::Annotator),
        "annotator:mk",
        "an annotator who voted on them",
    ),
    key(
        "majority",
        ValueKind::Label(Condition::Majority),
        "majority:X",
        "the majority label: O, T or X",
    ),
    key("gold", ValueKind::Label(Condition::Gold), "gold:T", "the adjudicator's label: O, T or X"),
    key("tie", ValueKind::Flag(Condition::Tie), "tie", "votes that agree on no majority"),
    key(
        "judged",
        ValueKind::Flag(Condition::Judged),
        "judged",
        "votes or other judgements by anybody",
    ),
    key("mine", ValueKind::Flag(Condition::Mine), "mine", "your own vote or other judgement"),
    key("votes", ValueKind::Number(votes), "votes>=10", "the number of votes"),
    key(
        "votes.o",
        ValueKind::Number(votes_o),
        "votes.o=0",
        "the number of votes for O, where there are any votes",
    ),
    key(
        "votes.t",
        ValueKind::Number(votes_t),
        "votes.t>5",
        "the number of votes for T, where there are any votes",
    ),
    key(
        "votes.x",
        ValueKind::Number(votes_x),
        "votes.x>=15",
        "the number of votes for X, where there are any votes",
    ),
    key(
        "entropy",
        ValueKind::Number(Condition::Entropy),
        "entropy>1.2",
        "how much the votes differ, in bits: 0 if all agree, at most 1.585",
    ),
    key(
        "question",
        ValueKind::Named(Condition::Question),
        "question:polite=yes",
        "an answer to a question of a scheme; the answer may be left out",
    ),
    key("verdict", ValueKind::Answer, "verdict:fail", "short for `question:=verdict=fail`"),
    key("quality", ValueKind::Answer, "quality<3", "short for `question:=quality<3`"),
    key(
        "preference",
        ValueKind::Answer,
        "preference:chosen",
        "short for `question:=preference=chosen`",
    ),
    key("code", ValueKind::Answer, "code:wrong-date", "short for `question:=code=wrong-date`"),
    key(
        "tag",
        ValueKind::Name(Condition::Tag),
        "tag:wrong-date",
        "a tag of a note, or one that answers a question",
    ),
    key("note", ValueKind::Name(Condition::Note), "note:\"no such date\"", "a part of a note"),
    key("by", ValueKind::Name(Condition::By), "by:mk", "the person or model that made a judgement"),
    key(
        "turn",
        ValueKind::Number(Condition::Turn),
        "turn<3",
        "their number, counted as the corpus does",
    ),
    key("words", ValueKind::Number(Condition::Words), "words>40", "the number of their words"),
    key(
        "turns",
        ValueKind::Number(Condition::Turns),
        "turns>20",
        "the number of turns of the dialog",
    ),
    key("id", ValueKind::Name(Condition::Id), "id:dlg-00*", "the id of the dialog"),
    key("file", ValueKind::Name(Condition::File), "file:train", "the path of the file"),
    key(
        "family",
        ValueKind::Name(Condition::Family),
        "family:sgd",
        "the format of the dialog, as `turnwise formats` lists it",
    ),
    key("edited", ValueKind::Flag(Condition::Edited), "edited", "the dialog has unsaved edits"),
    key(
        "excluded",
        ValueKind::Flag(Condition::Excluded),
        "excluded",
        "the dialog is excluded; all other queries pass over such dialogs, apart from `not excluded` and the like",
    ),
];

fn votes(number: Comparison) -> Condition {
    Condition::Votes(None, number)
}

fn votes_o(number: Comparison) -> Condition {
    Condition::Votes(Some(Breakdown::O), number)
}

fn votes_t(number: Comparison) -> Condition {
    Condition::Votes(Some(Breakdown::T), number)
}

fn votes_x(number: Comparison) -> Condition {
    Condition::Votes(Some(Breakdown::X), number)
}

impl ConditionKey {
    /// Returns the condition with this name, in any case.
    pub fn named(name: &str) -> Option<&'static Self> {
        CONDITIONS.iter().find(|key| key.name.eq_ignore_ascii_case(name))
    }

    /// True if a colon may follow the name.
    pub fn has_colon(&self) -> bool {
        !matches!(self.value, ValueKind::Number(_) | ValueKind::Flag(_))
    }

    /// True if a comparison may follow the name.
    pub fn compares(&self) -> bool {
        matches!(self.value, ValueKind::Number(_) | ValueKind::Answer)
    }
}
