//! The table of conditions: how each is written, what it finds in a turn, and how it reads in words.
//!
//! Whether a turn meets a condition, the places of hits, the values that variables compare and that are counted all follow
//! from what a key finds.

use std::fmt;

use super::NameKind;
use super::members::{each_of, each_of_answer, each_of_fields, each_of_payload, is_plain_text};
use super::places::TextPlace;
use super::target::{Said, Target};
use super::value::{NamePattern, Value};
use crate::dialog::{Answer, Breakdown, Payload, Role, Segment, Short, Turn, tags_in_note};
use crate::text::Units;
use crate::votes::{Counted, Tally};

/// A condition in the table.
pub struct ConditionKey {
    /// The name before its value.
    pub name: &'static str,
    /// The value behind the name.
    pub takes: Takes,
    pub(super) about: About,
    /// The part of a dialog in which the closest names count.
    pub(super) scope: Scope,
    /// The kinds of names in dialogs that its name may be.
    pub(super) names: &'static [NameKind],
    /// The rank of the places of its hits: the lower, the more precise they are.
    pub(super) rank: u8,
    /// True if a dialog that meets it has the name in its bytes.
    pub(super) is_in_bytes: bool,
    /// Passes what a turn has under the key.
    pub(super) each: Each,
    /// The words for it behind "turns" or "dialogs".
    pub(super) clause: &'static str,
    /// An example, as users type it.
    pub example: &'static str,
    /// The meaning, in one line of Markdown.
    pub doc: &'static str,
}

/// The value that is written behind the name of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// A colon and a name.
    Name,
    /// A colon and a name, or nothing.
    NameOrAny,
    /// A colon and a name, with a comparison of its value if wanted.
    Pair,
    /// A colon and an answer, or a comparison with one; the key is the name of a question of a bundled scheme.
    Answer,
    /// A colon and one of O, T and X.
    Letter,
    /// A colon and a kind of text.
    Place,
    /// A comparison with a number.
    Number,
}

/// The subject of a condition, and the judgements that it tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    Turn,
    /// The whole dialog, which all of its turns meet or none.
    Dialog,
    /// The same, and it tells how many turns there are.
    Length,
    /// Votes and gold labels.
    Votes,
    /// Whether somebody has judged.
    Judged,
    /// The words of somebody in judgements; a blind annotator finds only their own.
    Said,
    /// The same, and it tells an answer.
    Answered,
}

/// The part of a dialog in which the closest names count: `reward` never means `info.reward_info` beside `reward`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// A name means all that it is a part of.
    None,
    Call,
    Turn,
    Dialog,
}

/// The rank of conditions that calls meet.
pub(super) const OF_CALLS: u8 = 3;
/// The rank of conditions without places.
pub(super) const NO_PLACE: u8 = 4;

/// Passes what a turn has under a key.
pub(super) type Each = fn(&Scene<'_>, &mut dyn FnMut(Found<'_>));

/// The turn in which something is asked for.
pub(super) struct Scene<'s> {
    pub target: &'s Target<'s>,
    /// The position of the turn.
    pub at: usize,
    pub turn: &'s Turn,
    /// The name that is asked for; None for any.
    pub name: Option<&'s NamePattern>,
    /// False if values make no difference.
    pub wants_values: bool,
}

/// Something that a turn has under a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'f> {
    /// The path of a member; empty if the value itself is a name.
    pub path: &'f str,
    pub value: Value<'f>,
    pub place: TextPlace,
    pub segment: Option<usize>,
    /// The person or model that said it.
    pub by: Option<&'f str>,
    /// True for what the dialog has, and so all of its turns.
    pub is_of_dialog: bool,
}

impl<'f> Found<'f> {
    fn of(path: &'f str, value: Value<'f>) -> Self {
        let place = TextPlace::Turn;
        Self { path, value, place, segment: None, by: None, is_of_dialog: false }
    }

    fn named(name: &'f str) -> Self {
        Self::of("", Value::Text(name))
    }

    fn by(self, person: &'f str) -> Self {
        Self { by: Some(person), ..self }
    }

    fn at(self, place: TextPlace) -> Self {
        Self { place, ..self }
    }

    /// True unless it was said by somebody else than this person; without one, anybody is meant.
    pub fn is_by(&self, person: Option<&str>) -> bool {
        person.is_none() || self.by.is_none() || self.by == person
    }
}

/// Makes the table: the name, what it takes and is about, in brackets what few have, what it finds in a turn, and then its
/// clause, example and meaning.
macro_rules! conditions {
    ($($name:literal $takes:ident $about:ident $([$($member:ident: $value:expr),*])? => $each:expr;
        $clause:literal, $example:literal, $doc:literal)*) => {
        /// All conditions, in the order of the manual.
        pub static CONDITIONS: &[ConditionKey] = &[$(ConditionKey {
            name: $name,
            takes: Takes::$takes,
            about: About::$about,
            each: $each,
            clause: $clause,
            example: $example,
            doc: $doc,
            ..ConditionKey { $($($member: $value,)*)? ..PLAIN }
        }),*];
    };
}

/// The members that most conditions have.
const PLAIN: ConditionKey = ConditionKey {
    name: "",
    takes: Takes::Nothing,
    about: About::Turn,
    scope: Scope::None,
    names: &[],
    rank: NO_PLACE,
    is_in_bytes: false,
    each: nothing,
    clause: "",
    example: "",
    doc: "",
};

conditions! {
"in" Place Turn => nothing; "", "in:result",
    "where the texts beside this condition must be found: `utterance`, `argument`, `result`, `reasoning`, `instructions` or `comment`"
"label" Pair Turn [names: &[NameKind::Label, NameKind::Slot, NameKind::Act], rank: 1, is_in_bytes: true] => labels;
    "with label", "label:date",
    "the label of a segment, or of an act if the turn has no segments; `label:date=today` also compares the segment's text"
"api" Name Turn [names: &[NameKind::Api], rank: OF_CALLS, is_in_bytes: true] => apis;
    "with a call of", "api:book*", "the API of a call"
"speaker" Name Turn => speakers; "by", "speaker:user",
    "the turn's speaker, by name, or as `user` or `system` in any corpus; `user` does not find tool results"
"problem" NameOrAny Turn [rank: 2] => problems; "with a problem", "problem:span",
    "a problem, by a part of the rule's name; `problem:` alone finds any error or warning"
"arg" Pair Turn [scope: Scope::Call, names: &[NameKind::Argument], rank: OF_CALLS, is_in_bytes: true] => arguments;
    "with argument", "arg:num.tickets=2", "an argument of a call; the value may be left out"
"result" Pair Turn [scope: Scope::Call, names: &[NameKind::Response], rank: OF_CALLS, is_in_bytes: true] => responses;
    "with result", "result:price>20",
    "a field of a call's result, or a field beside the result such as `is_error`; without a value, also part of a plain-text result"
"failed" NameOrAny Turn [names: &[NameKind::Api], rank: OF_CALLS, is_in_bytes: true] => failed;
    "with a failed call", "failed:book*",
    "a call of this API that failed, according to its result or a mark beside it; `failed:` alone finds failed calls of all APIs"
"act" Name Turn [names: &[NameKind::Act], is_in_bytes: true] =>
    |scene, see| scene.turn.acts.iter().for_each(|act| see(Found::named(&act.name)));
    "with act", "act:request", "a dialogue act"
"slot" Pair Turn [scope: Scope::Turn, names: &[NameKind::Slot]] => slots;
    "with an act's slot", "slot:date=tomorrow", "a slot of an act"
"state" Pair Turn [scope: Scope::Turn, names: &[NameKind::Slot]] => state;
    "with state", "state:hotel-stars=4", "a slot of the dialogue state"
"intent" Name Turn [names: &[NameKind::Intent], is_in_bytes: true] =>
    |scene, see| scene.turn.intents.iter().for_each(|intent| see(Found::named(intent)));
    "with intent", "intent:find*", "an intent"
"service" Name Turn [is_in_bytes: true] =>
    |scene, see| services(scene.turn).for_each(|service| see(Found::named(service)));
    "about service", "service:Hotels_1",
    "the service of a label or a state slot, as in `Hotels_1.area` and `hotel-area`"
"field" Pair Turn [scope: Scope::Dialog] => fields; "with field", "field:vertical=\"movie tickets\"",
    "any other field of the turn, its calls, its segments or its dialog; dots lead to nested fields"
"annotator" Name Votes =>
    |scene, see| scene.turn.votes.iter().for_each(|vote| see(Found::named(&vote.annotator)));
    "with a vote by", "annotator:mk", "the annotator of a vote"
"majority" Letter Votes => |scene, see| see_letter(scene.tally().majority(), see);
    "with majority", "majority:X", "the majority label: O, T or X"
"gold" Letter Votes => |scene, see| see_letter(scene.turn.gold.as_ref().and_then(|gold| gold.breakdown), see);
    "with gold label", "gold:T", "the adjudicator's label: O, T or X"
"tie" Nothing Votes => |scene, see| see_flag(scene.tally().tie().is_some(), see);
    "with a tie", "tie", "votes that end in a tie"
"judged" Nothing Judged => |scene, see| see_flag(is_judged(scene), see);
    "that somebody has judged", "judged", "a vote or another answer by anybody"
"mine" Nothing Said => own; "that you have judged", "mine", "a vote or another answer of yours"
"votes" Number Votes => |scene, see| see_number(scene.tally().total(), see);
    "with votes", "votes>=10", "the number of votes"
"votes.o" Number Votes => |scene, see| votes_for(Breakdown::O, scene, see);
    "with votes for O", "votes.o=0", "the number of votes for O, where there are any votes"
"votes.t" Number Votes => |scene, see| votes_for(Breakdown::T, scene, see);
    "with votes for T", "votes.t>5", "the number of votes for T, where there are any votes"
"votes.x" Number Votes => |scene, see| votes_for(Breakdown::X, scene, see);
    "with votes for X", "votes.x>=15", "the number of votes for X, where there are any votes"
"entropy" Number Votes => |scene, see| scene.tally().entropy().into_iter().for_each(|bits| see_number(bits, see));
    "with entropy", "entropy>1.2", "how much the votes differ, in bits: 0 if all agree, at most 1.585"
"question" Pair Answered [scope: Scope::Dialog] => answers; "with answer", "question:polite=yes",
    "an answer to a question of a scheme; the answer may be left out. A vote answers the question `breakdown`"
"verdict" Answer Answered => nothing; "", "verdict:fail", "short for `question:=verdict=fail`"
"quality" Answer Answered => nothing; "", "quality<3", "short for `question:=quality<3`"
"preference" Answer Answered => nothing; "", "preference:chosen", "short for `question:=preference=chosen`"
"code" Answer Answered => nothing; "", "code:wrong-date", "short for `question:=code=wrong-date`"
"reason" Answer Answered => nothing; "", "reason:timeout", "short for `question:=reason=timeout`"
"tag" Name Said => tags; "with tag", "tag:wrong-date", "a tag of a note, or a tag that answers a question"
"note" Name Said => notes; "with a note", "note:\"no such date\"", "a part of a note"
"by" Name Said => |scene, see| scene.said().for_each(|said| see(Found::named(said.by()).by(said.by())));
    "with an answer by", "by:mk", "the person or model that voted, gave another answer or wrote a note"
"turn" Number Turn => |scene, see| see_number(scene.turn.index.map_or(scene.at as f64, f64::from), see);
    "with turn number", "turn<3", "the turn number, as the corpus counts turns"
"words" Number Turn => |scene, see| see_number(scene.turn.text.split_whitespace().count() as f64, see);
    "with words", "words>40", "the number of words"
"turns" Number Length => |scene, see| see_number(scene.target.dialog.turns.len() as f64, see);
    "with turns", "turns>20", "the number of turns of the dialog"
"id" Name Dialog => |scene, see| see(Found::named(&scene.target.dialog.id)); "with id", "id:dlg-00*", "the id of the dialog"
"file" Name Dialog => |scene, see| see(Found::named(scene.target.source.file)); "in file", "file:train", "the path of the file"
"family" Name Dialog => |scene, see| see(Found::named(scene.target.source.family));
    "of family", "family:sgd", "the format of the dialog, as `turnwise formats` lists it"
"edited" Nothing Dialog => |scene, see| see_flag(scene.target.source.edited, see);
    "with unsaved edits", "edited", "the dialog has unsaved edits"
"excluded" Nothing Dialog => |scene, see| see_flag(scene.target.source.excluded, see);
    "in an excluded dialog", "excluded",
    "the dialog is excluded; only queries with this condition find such dialogs"
}

impl PartialEq for ConditionKey {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for ConditionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl ConditionKey {
    /// Returns the condition with this name, in any case; results had another one once.
    pub fn named(name: &str) -> Option<&'static Self> {
        let name = if name.eq_ignore_ascii_case("response") { "result" } else { name };
        CONDITIONS.iter().find(|key| key.name.eq_ignore_ascii_case(name))
    }

    /// True if a colon may follow the name.
    pub fn has_colon(&self) -> bool {
        !matches!(self.takes, Takes::Number | Takes::Nothing)
    }

    /// True if a comparison may follow the name.
    pub fn compares(&self) -> bool {
        matches!(self.takes, Takes::Number | Takes::Answer)
    }
}

impl<'s> Scene<'s> {
    /// Returns what was said about the turn.
    fn said(&self) -> impl Iterator<Item = Said<'s>> {
        self.target.said_of(self.at)
    }

    fn tally(&self) -> Tally {
        Tally::of(&self.turn.votes)
    }
}

/// A function that takes note of what is found.
type See<'s> = &'s mut dyn FnMut(Found<'_>);

/// Finds nothing: another key is asked in place of this one.
fn nothing(_: &Scene<'_>, _: See<'_>) {}

fn see_flag(is_met: bool, see: See<'_>) {
    if is_met {
        see(Found::named(""));
    }
}

fn see_letter(label: Option<Breakdown>, see: See<'_>) {
    if let Some(label) = label {
        see(Found::named(label.letter()));
    }
}

fn see_number(number: impl Into<f64>, see: See<'_>) {
    see(Found::of("", Value::Number(number.into())));
}

/// A turn that nobody has judged has no votes to compare.
fn votes_for(label: Breakdown, scene: &Scene<'_>, see: See<'_>) {
    let tally = scene.tally();
    if tally.total() > 0 {
        see_number(tally.count(label), see);
    }
}

/// The labels of segments with their texts; of a turn without segments, the names of its acts, which have no texts.
fn labels(scene: &Scene<'_>, see: See<'_>) {
    let Scene { turn, target, wants_values, .. } = *scene;
    if turn.segments.is_empty() && !wants_values {
        turn.acts.iter().for_each(|act| see(Found::of(&act.name, Value::Nothing)));
    }
    for (number, segment) in turn.segments.iter().enumerate() {
        let text = wants_values.then(|| text_of(turn, target.dialog.units, segment));
        let value = text.as_deref().map_or(Value::Nothing, Value::Text);
        for label in &segment.labels {
            see(Found { segment: Some(number), ..Found::of(&label.name, value) });
        }
    }
}

/// Returns the text of a segment: that which the corpus quotes, or else that which the offsets cover.
fn text_of(turn: &Turn, units: Units, segment: &Segment) -> Short {
    let covered = || segment.span.and_then(|span| turn.covered(span, units));
    let quote = segment.quote.clone();
    quote.or_else(covered).unwrap_or_default()
}

/// The name of the speaker, and where one is asked for, the role. Turns of the user that are set aside are answers and
/// events.
fn speakers(scene: &Scene<'_>, see: See<'_>) {
    let speaker = &scene.turn.speaker;
    let is_aside = speaker.role == Role::Context && speaker.name == Role::User.name();
    if scene.name.is_none() || !is_aside {
        see(Found::named(&speaker.name));
    }
    if scene.name.is_some() {
        see(Found::named(speaker.role.name()));
    }
}

/// The problems of rules with the name in theirs; without one, notes do not count.
fn problems(scene: &Scene<'_>, see: See<'_>) {
    for problem in scene.target.problems_of(scene.at) {
        let is_wanted = match scene.name {
            Some(name) => problem.rule.name.contains(name.as_str()),
            None => problem.is_worth_changing(),
        };
        if is_wanted {
            let segment = problem.location.segment;
            see(Found { segment, ..Found::named(problem.rule.name) });
        }
    }
}

fn apis(scene: &Scene<'_>, see: See<'_>) {
    for (number, call) in scene.turn.calls.iter().enumerate() {
        see(Found::named(&call.name).at(TextPlace::Arguments(number)));
    }
}

fn failed(scene: &Scene<'_>, see: See<'_>) {
    let calls = scene.turn.calls.iter().enumerate();
    for (number, call) in calls.filter(|(_, call)| call.has_failed()) {
        see(Found::named(&call.name).at(TextPlace::Result(number)));
    }
}

fn arguments(scene: &Scene<'_>, see: See<'_>) {
    for (number, call) in scene.turn.calls.iter().enumerate() {
        let place = TextPlace::Arguments(number);
        let arguments = call.arguments.as_ref();
        each_of_payload(arguments, &mut |path, value| see(Found::of(path, value).at(place)));
    }
}

fn slots(scene: &Scene<'_>, see: See<'_>) {
    let mut see = |path: &str, value: Value<'_>| see(Found::of(path, value));
    for slot in scene.turn.acts.iter().flat_map(|act| &act.slots) {
        match &slot.value {
            Some(value) => each_of(&slot.slot, value, &mut see),
            None => see(&slot.slot, Value::Nothing),
        }
    }
}

fn state(scene: &Scene<'_>, see: See<'_>) {
    for slot in scene.turn.state.iter().flatten() {
        each_of(&slot.slot, &slot.value, &mut |path, value| see(Found::of(path, value)));
    }
}

fn is_judged(scene: &Scene<'_>) -> bool {
    let mut votes = scene.turn.votes.iter();
    votes.any(|vote| vote.breakdown.is_some())
        || scene.target.judgements_of(scene.at).next().is_some()
}

fn own(scene: &Scene<'_>, see: See<'_>) {
    let own = scene.said().map(Said::by).filter(|by| scene.target.source.is_own(by));
    own.for_each(|by| see(Found::named("").by(by)));
}

fn tags(scene: &Scene<'_>, see: See<'_>) {
    for said in scene.said() {
        let mut see = |tag: &str| see(Found::named(tag).by(said.by()));
        match said {
            Said::Judgement(judgement) => judgement.all_tags().for_each(|tag| see(tag)),
            Said::Vote(vote) => tags_in_note(&vote.comment).for_each(see),
        }
    }
}

fn notes(scene: &Scene<'_>, see: See<'_>) {
    let notes = scene.said().filter(|said| !said.note().is_empty());
    notes.for_each(|said| see(Found::named(said.note()).by(said.by())));
}

/// The members of answers; in plain text, the text.
fn responses(scene: &Scene<'_>, see: See<'_>) {
    for (number, call) in scene.turn.calls.iter().enumerate() {
        let place = TextPlace::Result(number);
        each_of_answer(call, &mut |path, value| see(Found::of(path, value).at(place)));
        let text = call.response.as_ref().and_then(Payload::text);
        if let Some(text) = text.filter(|text| !scene.wants_values && is_plain_text(text)) {
            see(Found::of("", Value::Plain(text)).at(place));
        }
    }
}

/// Other members of the turn and, with the first one, of the dialog.
fn fields(scene: &Scene<'_>, see: See<'_>) {
    each_of_fields(scene.turn.all_fields(), &mut |path, value| see(Found::of(path, value)));
    if scene.at == 0 {
        each_of_fields(&scene.target.dialog.fields, &mut |path, value| {
            see(Found { is_of_dialog: true, ..Found::of(path, value) });
        });
    }
}

/// The answers to questions; of a list of tags, those are its tags.
fn answers(scene: &Scene<'_>, see: See<'_>) {
    for said in scene.said() {
        let mut see = |value: Value<'_>| see(Found::of(said.question(), value).by(said.by()));
        match said {
            Said::Vote(vote) => {
                vote.breakdown.into_iter().for_each(|label| see(Value::Text(label.letter())));
            }
            Said::Judgement(judgement) => match &judgement.value {
                None => {}
                Some(Answer::Several(tags)) if tags.is_empty() => see(Value::Open("[]")),
                Some(Answer::Several(tags)) => tags.iter().for_each(|tag| see(Value::Text(tag))),
                Some(one) => see(Value::Text(&one.to_string())),
            },
        }
    }
}

/// Returns the services of a turn's labels and state, as in `Hotels_1.area` and `hotel-area`.
fn services(turn: &Turn) -> impl Iterator<Item = &str> {
    let labels = turn.segments.iter().flat_map(|segment| &segment.labels);
    let slots = turn.state.iter().flatten().map(|slot| slot.slot.as_str());
    let names = labels.map(|label| label.name.as_str()).chain(slots);
    names.filter_map(|name| Some(name.split_once(['.', '-'])?.0))
}
