//! The shape that a description gives a dialog: which values it knows and of what type they are.
//!
//! A walk over a dialog ([`super::walk`]) reports values of the wrong type, and finds the fields that the
//! description does not know. The same shape makes the JSON Schema, so that both agree.

use serde_json::{Map, Value as Json, json};

use super::columns::{Column, Part};
use super::description::{Degree, Description, TurnRule, VoteRule};
use super::place::{Place, Step, Target, absolute};
use crate::dialog::Breakdown;
use crate::json::{NodeKind, Value};

/// The shape of a value.
#[derive(Debug, Default)]
pub struct Shape {
    /// The name of the last member on the way, for messages.
    pub name: String,
    pub leaf: Option<Leaf>,
    pub members: Vec<(String, Shape)>,
    pub all_members: Option<Box<Shape>>,
    pub positions: Vec<(usize, Shape)>,
    pub elements: Option<Box<Shape>>,
    /// The element to which unknown members below belong.
    pub owner: Option<Owner>,
    /// How messages call an object of this shape; empty for the dialog.
    pub called: &'static str,
    /// Members that must exist.
    pub required: Vec<String>,
    /// Members of which one must exist.
    pub any_of: Vec<String>,
    pub types: Types,
    pub list: ListForm,
    /// True for a dialog that has lists with an element for each turn.
    pub has_parallel_lists: bool,
    /// True for a value that may be of another type, because another place counts then.
    pub is_loose: bool,
}

/// The form of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListForm {
    #[default]
    Plain,
    /// It has an element for each turn: `[@index]`.
    Parallel,
    /// Its elements have texts that are joined, in place of one text.
    Joined,
}

/// Whether the values of places have the types of their parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Types {
    /// Numbers may be texts, and null may be in the place of any value.
    #[default]
    Loose,
    Strict,
}

/// Returns a place without those that name any member, whose values nothing reads: `{*}@key`.
fn without_names_of_all(place: &Place) -> Place {
    let is_named = |place: &&Place| {
        place.target == Target::Value || place.steps.last() != Some(&Step::Members)
    };
    Place { or: place.or.iter().filter(is_named).cloned().collect(), ..place.clone() }
}

/// The type of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Leaf {
    /// Any value.
    Any,
    /// A string or null.
    Text,
    /// An integer from 0 on, or a string of digits.
    Offset,
    /// A string, number or literal.
    Scalar,
    /// The same: the id of the dialog. Another one is a field.
    DialogId,
    /// Any value. One that is not read is a field.
    IfRead,
    /// One of these values.
    OneOf(Vec<Degree>),
    /// A string.
    String,
    /// An integer from 0 on.
    Index,
    /// The letter of a vote.
    Letter,
    /// Any value, which is kept as a known field.
    Known,
}

impl Leaf {
    /// Returns the type of a name or a text that nobody says.
    fn name(is_strict: bool) -> Self {
        if is_strict { Self::String } else { Self::Scalar }
    }

    /// Returns the type of what a place of values leads to, which is a text where it is a member of its own.
    fn of_values(is_strict: bool, at: &Place) -> Self {
        let is_text = is_strict && matches!(at.steps.as_slice(), [Step::Member(_)]);
        if is_text { Self::String } else { Self::Any }
    }
}

/// An element of the model that keeps unknown fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Turn,
    /// One of several turns in an element.
    Side,
    Segment,
    Call,
    Vote,
}

impl Shape {
    pub fn of(description: &Description) -> Self {
        let types = if description.strict { Types::Strict } else { Types::Loose };
        let mut shape = Self { types, ..Self::default() };
        if let Some(id) = &description.id {
            let leaf = if description.strict { Leaf::String } else { Leaf::DialogId };
            shape.add(&[], id, leaf);
            shape.demand(&[], id);
        }
        // Declared APIs are shown as fields, so they are not marked as read.
        let columns = description.columns();
        for at in description.turns().flat_map(Place::all) {
            shape.add_turns(description, &columns, &at.steps);
        }
        for column in columns.iter().filter(|column| !column.is_of_turn()) {
            shape.add_column(description, column, &[]);
        }
        let at = &description.turn.0[0].at;
        if at.or.is_empty() {
            shape.require(at);
        }
        if at.steps.first() == Some(&Step::Members) {
            // Whichever members hold turns, others may hold anything.
            shape.node(&at.steps[..1]).is_loose = true;
        }
        shape
    }

    /// Adds the turns at the end of `turn`, with what is in them.
    fn add_turns(&mut self, description: &Description, columns: &[Column<'_>], turn: &[Step]) {
        if !turn.is_empty() {
            let node = self.node(turn);
            (node.owner, node.called) = (Some(Owner::Turn), "the turn");
        }
        for column in columns.iter().filter(|column| column.is_of_turn()) {
            self.add_column(description, column, turn);
        }
        if description.turn.0.len() > 1 && self.is_strict() {
            description.turn.0.iter().for_each(|rule| self.add_side(rule, turn));
        }
    }

    /// Adds what lies at the place of a column.
    fn add_column(&mut self, description: &Description, column: &Column<'_>, turn: &[Step]) {
        let (strict, place, base) = (self.is_strict(), column.place, column.base(turn));
        let leaf = match column.what {
            // They have no type, or their values are fields, too.
            Part::Sign
            | Part::IdOfDialog
            | Part::When
            | Part::Inner
            | Part::OneOfParts
            | Part::Canonical
            | Part::NameInLater => return,
            Part::Element => return self.add_element(description, column, turn),
            Part::Scale => return self.add_scale(&description.vote.0[column.rule], &base),
            Part::Arguments | Part::OwnResponse => {
                self.add_payload(&base, place);
                if column.what == Part::Arguments {
                    self.demand(&base, place);
                }
                return;
            }
            Part::Is | Part::Kind => {
                return self.add(&base, &without_names_of_all(place), Leaf::Scalar);
            }
            Part::Known => Leaf::Known,
            Part::Text => {
                if strict {
                    Leaf::String
                } else {
                    Leaf::Text
                }
            }
            Part::NumberOfTurn => {
                if strict {
                    Leaf::Index
                } else {
                    Leaf::Scalar
                }
            }
            Part::NumberOfCall => Leaf::Index,
            Part::Offset if strict && !description.span.0[column.rule].digits => Leaf::Index,
            Part::Offset => Leaf::Offset,
            Part::Error => Leaf::Scalar,
            Part::ErrorOfLater => Leaf::IfRead,
            Part::Id => id_leaf(place),
            Part::Answer => Leaf::Letter,
            Part::Value if column.table == "state" && place.steps == [Step::Elements] => {
                // A slot may have no list of values but one value.
                self.node(&base).leaf = Some(Leaf::Any);
                return self.demand(&base, place);
            }
            Part::Slot | Part::Value => Leaf::of_values(strict, place),
            Part::Reasoning | Part::LaterResponse => Leaf::Any,
            _ => Leaf::name(strict),
        };
        self.add(&base, place, leaf);
        let is_only = column.table != "turn" || description.turn.0.len() == 1;
        if column.is_needed() && is_only {
            self.demand(&base, place);
        }
        if column.what == Part::Offset
            && description.span.0[column.rule].when.is_none()
            && let ([Step::Member(name)], 0) = (place.steps.as_slice(), place.up)
        {
            self.node(&base).required.push(name.clone());
        }
        if column.what == Part::LaterResponse {
            for place in place.all().filter(|place| place.is_several()) {
                self.add_joined(&base, place);
            }
        }
    }

    /// Adds a turn of an element with several, which has members of its own.
    fn add_side(&mut self, rule: &TurnRule, turn: &[Step]) {
        let text = rule.text.at();
        let Some((first @ Step::Member(name), _)) = text.steps.split_first() else {
            return;
        };
        self.node(turn).any_of.push(name.clone());
        let side = [turn, std::slice::from_ref(first)].concat();
        let node = self.node(&side);
        (node.owner, node.called) = (Some(Owner::Side), "the turn");
        let parts = rule.number.iter().chain(&rule.speaker).chain([text]).chain(&rule.tokens);
        for place in parts.filter(|place| place.steps.first() == Some(first)) {
            let inner = Place { steps: place.steps[1..].to_vec(), ..place.clone() };
            self.demand(&side, &inner);
        }
    }

    /// Adds the elements of a rule.
    fn add_element(&mut self, description: &Description, column: &Column<'_>, turn: &[Step]) {
        let (owner, called) = match column.table {
            "span" => (Some(Owner::Segment), "the span"),
            "call" => (Some(Owner::Call), "the call"),
            "vote" => (Some(Owner::Vote), "the vote"),
            "act" => (None, "the act"),
            _ => (None, "the state"),
        };
        let steps = absolute(turn, column.place);
        let is_value = column.table == "state" && description.state.0[column.rule].values.is_none();
        let node = self.node(&steps);
        if steps != turn {
            node.owner = node.owner.or(owner);
            node.called = called;
        }
        if is_value {
            node.leaf = Some(Leaf::Any);
        }
    }

    /// Adds the values of a scale. A vote is shown as a field, so it is not marked as read.
    fn add_scale(&mut self, rule: &VoteRule, base: &[Step]) {
        if !rule.scale.is_empty() {
            self.node(&absolute(base, &rule.at)).leaf = Some(Leaf::OneOf(rule.scale.clone()));
        }
    }

    /// Adds arguments or a response: any value, or an object where all types are known.
    fn add_payload(&mut self, base: &[Step], at: &Place) {
        let is_object = self.is_strict() && at.up == 0 && !at.is_several();
        let steps = [at.steps.as_slice(), &[Step::Members]].concat();
        let members = Place { steps, ..at.clone() };
        self.add(base, if is_object { &members } else { at }, Leaf::Any);
    }

    /// Requires all members on the way to a place, where the parts of a dialog must be there.
    fn demand(&mut self, base: &[Step], place: &Place) {
        if !self.is_strict() || place.up > 0 || !place.or.is_empty() {
            return;
        }
        for (at, step) in place.steps.iter().enumerate() {
            let Step::Member(name) = step else { continue };
            let node = self.node(&[base, &place.steps[..at]].concat());
            if at > 0 && node.called.is_empty() {
                node.called = "the value";
            }
            if !node.required.contains(name) {
                node.required.push(name.clone());
            }
        }
    }

    fn add(&mut self, base: &[Step], place: &Place, leaf: Leaf) {
        for other in &place.or {
            self.add_one(base, other, leaf.clone());
        }
        self.add_one(base, place, leaf);
        if !place.or.is_empty() {
            for place in place.all() {
                let steps = absolute(base, place);
                let own = steps.len().saturating_sub(place.steps.len());
                (own + 1..=steps.len()).for_each(|end| self.node(&steps[..end]).is_loose = true);
            }
        }
    }

    /// Marks the list whose texts are joined at a place; its elements have a type, as other parts have.
    fn add_joined(&mut self, base: &[Step], place: &Place) {
        let mut steps = absolute(base, place);
        let Some(last) = steps.iter().rposition(Step::is_several) else {
            return;
        };
        steps.truncate(last + 1);
        self.add_one(&steps, &Place::member("type"), Leaf::Scalar);
        self.node(&steps[..last]).list = ListForm::Joined;
    }

    fn add_one(&mut self, base: &[Step], place: &Place, leaf: Leaf) {
        let steps = absolute(base, place);
        let node = self.node(&steps);
        if place.target == Target::Value {
            let is_new = matches!(node.leaf, None | Some(Leaf::IfRead));
            if is_new {
                node.leaf = Some(leaf);
            }
        }
    }

    /// Returns the shape at the end of `steps`, which is made if there is none.
    fn node(&mut self, steps: &[Step]) -> &mut Self {
        self.has_parallel_lists |= steps.contains(&Step::SamePosition);
        let mut node = self;
        for step in steps {
            let name = match step {
                Step::Member(name) => name.clone(),
                _ => node.name.clone(),
            };
            let types = node.types;
            let new = || Self { name, types, ..Self::default() };
            node = match step {
                Step::Member(key) => {
                    let known = node.members.iter().position(|(name, _)| name == key);
                    let at = known.unwrap_or_else(|| {
                        node.members.push((key.clone(), new()));
                        node.members.len() - 1
                    });
                    &mut node.members[at].1
                }
                Step::Position(at) => {
                    let known = node.positions.iter().position(|(other, _)| other == at);
                    let at = known.unwrap_or_else(|| {
                        node.positions.push((*at, new()));
                        node.positions.len() - 1
                    });
                    &mut node.positions[at].1
                }
                Step::Elements | Step::SamePosition => {
                    if *step == Step::SamePosition {
                        node.list = ListForm::Parallel;
                    }
                    node.elements.get_or_insert_with(|| Box::new(new()))
                }
                Step::Members => node.all_members.get_or_insert_with(|| Box::new(new())),
            };
        }
        node
    }

    /// Requires the members on the way to the turns.
    fn require(&mut self, at: &Place) {
        let mut node = self;
        for step in &at.steps {
            let Step::Member(name) = step else {
                return;
            };
            node.required.push(name.clone());
            let Some((_, next)) = node.members.iter_mut().find(|(key, _)| key == name) else {
                return;
            };
            node = next;
        }
    }

    pub fn is_object(&self) -> bool {
        !self.members.is_empty() || self.all_members.is_some()
    }

    pub fn is_array(&self) -> bool {
        !self.positions.is_empty() || self.elements.is_some()
    }

    pub fn is_strict(&self) -> bool {
        self.types == Types::Strict
    }

    /// True if null may be in its place.
    pub fn may_be_null(&self) -> bool {
        self.required.is_empty() && !self.is_strict()
    }

    /// True for a call in a list of these, which is never null.
    pub fn is_call(&self) -> bool {
        self.owner == Some(Owner::Call) && self.leaf.is_none() && !self.is_loose && self.is_object()
    }

    /// Returns the JSON Schema of a dialog of the format called `name`, as a document.
    pub fn document(&self, name: &str) -> String {
        let mut schema = self.schema();
        if let Some(members) = schema.as_object_mut() {
            let draft = "https://json-schema.org/draft/2020-12/schema";
            members.insert("$schema".to_owned(), draft.into());
            members.insert("$id".to_owned(), format!("urn:turnwise:schema:{name}").into());
            members.insert("title".to_owned(), name.into());
        }
        let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Returns the JSON Schema of an element of a list that has this shape.
    fn element_schema(&self) -> Json {
        let mut schema = self.schema();
        if let Some(Json::Array(types)) = schema.get_mut("type").filter(|_| self.is_call()) {
            types.retain(|name| name != "null");
        }
        schema
    }

    /// Returns the JSON Schema of a value of this shape.
    pub fn schema(&self) -> Json {
        let has_inner = self.is_object() || self.is_array();
        if self.is_loose {
            let types = [(self.is_object(), "object"), (self.is_array(), "array")];
            let types = types.into_iter().filter(|(is, _)| *is).map(|(_, name)| name);
            return if has_inner {
                json!({
                    "if": { "type": types.collect::<Vec<_>>() },
                    "then": self.inner_schema()
                })
            } else {
                json!(true)
            };
        }
        match &self.leaf {
            // A member may be a name in some turns and a list in others.
            Some(leaf) if has_inner && !matches!(leaf, Leaf::Any | Leaf::IfRead) => {
                json!({ "anyOf": [leaf.schema(), self.inner_schema()] })
            }
            Some(leaf) => leaf.schema(),
            None if has_inner => self.inner_schema(),
            None => json!(true),
        }
    }

    /// Returns the JSON Schema of an object or array of this shape.
    fn inner_schema(&self) -> Json {
        let mut schema = Map::new();
        let mut types = Vec::new();
        if self.is_object() {
            types.push("object");
            let members = self.members.iter();
            let members = members.map(|(name, shape)| (name.clone(), shape.schema()));
            schema.insert("properties".to_owned(), Json::Object(members.collect()));
            if let Some(all) = &self.all_members {
                schema.insert("additionalProperties".to_owned(), all.schema());
            }
            if !self.required.is_empty() {
                schema.insert("required".to_owned(), json!(self.required));
            }
            if !self.any_of.is_empty() {
                let one = |name: &String| json!({ "required": [name] });
                schema.insert("anyOf".to_owned(), self.any_of.iter().map(one).collect());
            }
        }
        if self.is_array() {
            types.push("array");
            let most = self.positions.iter().map(|(at, _)| at + 1).max();
            let items: Vec<Json> = (0..most.unwrap_or(0))
                .map(|at| {
                    let known = self.positions.iter().find(|(other, _)| *other == at);
                    known.map_or(json!(true), |(_, shape)| shape.element_schema())
                })
                .collect();
            if !items.is_empty() {
                schema.insert("prefixItems".to_owned(), json!(items));
            }
            if let Some(elements) = &self.elements {
                schema.insert("items".to_owned(), elements.element_schema());
            }
        }
        if self.may_be_null() {
            types.push("null");
        }
        let types = if let [only] = types.as_slice() { json!(only) } else { json!(types) };
        schema.insert("type".to_owned(), types);
        Json::Object(schema)
    }
}

impl Leaf {
    pub fn expected(&self) -> &'static str {
        match self {
            Self::Any | Self::IfRead | Self::Known => "a value",
            Self::String => "a string",
            Self::Letter => "\"O\", \"T\" or \"X\"",
            Self::Text => "a string or null",
            Self::Offset | Self::Index => "a non-negative integer",
            Self::Scalar | Self::DialogId => "a string or a number",
            Self::OneOf(_) => "a value of the scale",
        }
    }

    pub fn fits(&self, value: Value<'_>) -> bool {
        match self {
            Self::Any | Self::IfRead | Self::Known => true,
            Self::String => value.kind() == NodeKind::String,
            Self::Index => index(value).is_some(),
            Self::Letter => {
                value.as_str().is_some_and(|text| Breakdown::from_letter(&text).is_some())
            }
            Self::Text => matches!(value.kind(), NodeKind::String | NodeKind::Null),
            Self::Offset => offset(value).is_some(),
            Self::Scalar | Self::DialogId => !value.is_container(),
            Self::OneOf(scale) => scale.iter().any(|degree| match degree {
                Degree::Text(text) => value.is_text(text),
                Degree::Number(number) => value.as_number() == Some(*number),
            }),
        }
    }

    fn schema(&self) -> Json {
        match self {
            Self::Any | Self::IfRead | Self::Known => json!(true),
            Self::String => json!({"type": "string"}),
            Self::Index => json!({"type": "integer", "minimum": 0, "maximum": u32::MAX}),
            Self::Letter => json!({ "enum": Breakdown::ALL.map(Breakdown::letter) }),
            Self::Text => json!({"type": ["string", "null"]}),
            Self::Offset => json!({
                "type": ["integer", "string"],
                "minimum": 0,
                "maximum": u32::MAX,
                "pattern": "^[0-9]{1,9}$"
            }),
            Self::Scalar | Self::DialogId => {
                json!({"type": ["string", "number", "boolean", "null"]})
            }
            Self::OneOf(scale) => {
                let degree = |degree: &Degree| match degree {
                    Degree::Text(text) => json!(text),
                    // JSON Schema compares by value: 5.0 is 5.
                    Degree::Number(number) => json!(number),
                };
                json!({ "enum": scale.iter().map(degree).collect::<Vec<_>>() })
            }
        }
    }
}

/// Returns an offset: an integer, or a string of digits.
pub fn offset(value: Value<'_>) -> Option<u32> {
    match value.as_str() {
        Some(digits) => {
            let good =
                (1..=9).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
            digits.parse().ok().filter(|_| good)
        }
        None => index(value),
    }
}

/// Returns an integer from 0 on.
fn index(value: Value<'_>) -> Option<u32> {
    u32::try_from(value.as_integer()?).ok()
}

/// Returns the type of ids of calls. Not all of several need be read one by one.
fn id_leaf(id: &Place) -> Leaf {
    if id.all().any(Place::is_several) { Leaf::Scalar } else { Leaf::IfRead }
}
