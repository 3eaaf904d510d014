//! The columns of a description: all places that it names, each with the element around it and what lies there.
//!
//! Checks, the shape with the schema, and trials walk over these, so that none of them forgets a place.

use std::sync::LazyLock;

use super::description::{
    ActRule, CallRule, Description, Level, PartsRule, PayloadRule, SpanRule, StateRule, TurnRule,
    VoteRule,
};
use super::forms::{Is, PlaceOr};
use super::place::{Place, Step, absolute};

/// A place of a description.
#[derive(Clone, Debug)]
pub struct Column<'d> {
    /// The table that it is in; empty for the top.
    pub table: &'static str,
    /// The number of its rule in the table.
    pub rule: usize,
    pub what: Part,
    pub place: &'d Place,
    /// The places that lead to the element around it, from the turn on.
    around: Vec<&'d Place>,
    /// True if they begin at the dialog instead.
    of_dialog: bool,
}

/// The part of a dialog, or of its form, that lies at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// It tells the format, and nothing is read from it.
    Sign,
    /// A value that is known and nothing more.
    Known,
    IdOfDialog,
    /// The elements of the rule.
    Element,
    /// The elements with the slots of an act, or with responses.
    Inner,
    /// It must be there, or have certain values.
    When,
    Is,
    Text,
    Speaker,
    Tokens,
    Intents,
    NumberOfTurn,
    Reasoning,
    OneOfParts,
    Kind,
    Offset,
    Label,
    Quote,
    Annotator,
    Name,
    Slot,
    Value,
    Canonical,
    Id,
    NumberOfCall,
    Arguments,
    /// A response beside its call, or in another element.
    OwnResponse,
    LaterResponse,
    /// It tells whether a call failed.
    Error,
    ErrorOfLater,
    NameInLater,
    Answer,
    Comment,
    /// The values of a scale.
    Scale,
}

/// The usual kind of a part.
static TYPE: LazyLock<Place> = LazyLock::new(|| Place::member("type"));

impl Part {
    /// True if its places may lead to several values, which are read for every element around them.
    pub fn may_be_several(self) -> bool {
        use Part::{Canonical, Element, Inner, Intents, Label, Scale, Tokens, Value};
        matches!(self, Canonical | Element | Inner | Intents | Label | Scale | Tokens | Value)
    }
}

impl Column<'_> {
    /// Returns the steps from the dialog to the element around, in the turns at the end of the steps `turn`.
    pub fn base(&self, turn: &[Step]) -> Vec<Step> {
        let start = if self.of_dialog { Vec::new() } else { turn.to_vec() };
        self.around.iter().fold(start, |base, place| absolute(&base, place))
    }

    /// True for what each element has in a format whose parts are always there.
    pub fn is_needed(&self) -> bool {
        match self.table {
            "turn" => {
                use Part::{NumberOfTurn, Speaker, Text, Tokens};
                matches!(self.what, NumberOfTurn | Speaker | Text | Tokens)
            }
            "span" => matches!(self.what, Part::Label | Part::Quote),
            "state" => matches!(self.what, Part::Name | Part::Value),
            "vote" => matches!(self.what, Part::Annotator | Part::Answer),
            _ => self.what == Part::Name,
        }
    }

    /// True if it is in the element of a turn, or beside the turns.
    pub fn is_of_turn(&self) -> bool {
        !self.of_dialog
    }
}

/// Columns that are collected, rule by rule.
#[derive(Default)]
struct Columns<'d> {
    all: Vec<Column<'d>>,
    table: &'static str,
    rule: usize,
    around: Vec<&'d Place>,
    of_dialog: bool,
}

impl<'d> Columns<'d> {
    /// Begins with the rules of a table, of which `add` adds one.
    fn of<T>(&mut self, table: &'static str, rules: &'d [T], add: fn(&'d T, &mut Self)) {
        (self.table, self.of_dialog) = (table, false);
        for (number, rule) in rules.iter().enumerate() {
            self.rule = number;
            self.around.clear();
            add(rule, self);
        }
    }

    fn add(&mut self, what: Part, places: impl IntoIterator<Item = &'d Place>) {
        for place in places {
            self.all.push(Column {
                table: self.table,
                rule: self.rule,
                what,
                place,
                around: self.around.clone(),
                of_dialog: self.of_dialog,
            });
        }
    }

    /// Adds the elements at a place; what follows is in them.
    fn enter(&mut self, what: Part, place: &'d Place) {
        self.add(what, [place]);
        self.around.push(place);
    }

    fn is(&mut self, is: &'d Is) {
        self.add(Part::Is, is.0.iter().map(|(place, _)| place));
    }
}

impl Description {
    /// Returns its columns. Those of one element follow each other, in the order in which an issue names what is missing. The
    /// first that names a place decides on its type.
    pub fn columns(&self) -> Vec<Column<'_>> {
        let mut columns = Columns { of_dialog: true, ..Columns::default() };
        columns.add(Part::Sign, self.has.iter().chain(&self.marks));
        columns.add(Part::IdOfDialog, &self.id);
        columns.add(Part::Known, &self.known);
        columns.of("turn", &self.turn.0, of_turn);
        columns.of("span", &self.span.0, of_span);
        columns.of("act", &self.act.0, of_act);
        columns.of("call", &self.call.0, of_call);
        columns.of("state", &self.state.0, of_state);
        columns.of("vote", &self.vote.0, of_vote);
        columns.all
    }
}

fn of_turn<'d>(rule: &'d TurnRule, columns: &mut Columns<'d>) {
    columns.add(Part::NumberOfTurn, &rule.number);
    columns.add(Part::Speaker, &rule.speaker);
    columns.add(Part::Text, [rule.text.at()]);
    columns.add(Part::Tokens, &rule.tokens);
    columns.add(Part::Intents, &rule.intents);
    columns.is(&rule.is);
    match &rule.reasoning {
        None => {}
        Some(PlaceOr::Place(at)) => columns.add(Part::Reasoning, [at]),
        Some(PlaceOr::Table(own)) => {
            columns.enter(Part::Inner, &own.inside);
            columns.is(&own.is);
            columns.add(Part::Reasoning, [&own.at]);
            columns.around.pop();
        }
    }
    for parts in &rule.parts.0 {
        columns.enter(Part::OneOfParts, parts.at());
        columns.add(
            Part::Kind,
            [match parts {
                PlaceOr::Table(PartsRule { kind: Some(kind), .. }) => kind,
                _ => &*TYPE,
            }],
        );
        columns.around.pop();
    }
}

fn of_span<'d>(rule: &'d SpanRule, columns: &mut Columns<'d>) {
    columns.enter(Part::Element, &rule.at);
    columns.add(Part::When, &rule.when);
    columns.add(Part::Offset, [&rule.start, &rule.end]);
    columns.add(Part::Quote, &rule.quote);
    columns.add(Part::Label, &rule.label.0);
    columns.add(Part::Annotator, &rule.annotator);
}

fn of_act<'d>(rule: &'d ActRule, columns: &mut Columns<'d>) {
    columns.enter(Part::Element, &rule.at);
    columns.add(Part::When, &rule.when);
    columns.add(Part::Name, &rule.name.0);
    if let Some(slots) = &rule.slots {
        columns.enter(Part::Inner, slots);
    }
    columns.add(Part::Slot, &rule.slot);
    columns.add(Part::Value, &rule.values);
    columns.add(Part::Canonical, &rule.canonical);
}

fn of_call<'d>(rule: &'d CallRule, columns: &mut Columns<'d>) {
    columns.enter(Part::Element, &rule.at);
    columns.add(Part::When, &rule.when);
    columns.add(Part::Name, &rule.name.0);
    columns.add(Part::NumberOfCall, &rule.number);
    columns.is(&rule.is);
    columns.add(Part::Id, &rule.id);
    columns.add(Part::Arguments, rule.arguments.as_ref().map(PlaceOr::<PayloadRule>::at));
    let Some(response) = &rule.response else { return };
    let Some(later) = response.later() else {
        columns.add(Part::OwnResponse, [response.at()]);
        columns.add(Part::Error, response.error());
        return;
    };
    columns.around.clear();
    if let Some(inside) = &later.inside {
        columns.enter(Part::Inner, inside);
    }
    columns.is(&later.is);
    columns.add(Part::Id, &later.id);
    columns.add(Part::NameInLater, &later.name);
    columns.add(Part::ErrorOfLater, &later.error.0);
    columns.add(Part::LaterResponse, [&later.at]);
}

fn of_state<'d>(rule: &'d StateRule, columns: &mut Columns<'d>) {
    columns.enter(Part::Element, &rule.at);
    columns.add(Part::When, &rule.when);
    columns.add(Part::Name, &rule.name.0);
    columns.add(Part::Value, &rule.values);
}

fn of_vote<'d>(rule: &'d VoteRule, columns: &mut Columns<'d>) {
    columns.of_dialog = rule.level == Level::Dialog;
    if rule.answer.is_none() {
        return columns.add(Part::Scale, [&rule.at]);
    }
    columns.enter(Part::Element, &rule.at);
    columns.add(Part::Annotator, &rule.annotator);
    columns.add(Part::Answer, &rule.answer);
    columns.add(Part::Comment, rule.comment.iter().chain(&rule.ungrammatical));
}
