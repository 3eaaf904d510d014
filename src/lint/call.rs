//! API calls as rules look at them: arguments and responses are names and values, however the corpus
//! writes them.

use super::Spot;
use crate::dialog::{ApiCall, Content, Extent, Field, Payload};
use crate::json::{Kind, Parser, Position, Value};
use crate::ontology::Api;

/// A call, and what it is meant to be.
#[derive(Debug)]
pub struct Call<'a> {
    pub turn: usize,
    /// Position in the turn.
    pub call: usize,
    pub of: &'a ApiCall,
    /// What the ontology says of it; None if it knows no such API.
    pub api: Option<&'a Api>,
    pub arguments: Values<'a>,
    pub response: Values<'a>,
}

/// What goes into a call or comes out of it.
#[derive(Debug)]
pub enum Values<'a> {
    /// The call has none.
    Missing,
    Fields(&'a [Field]),
    /// Read from JSON in a string. Every value stands where that string stands.
    Read(Vec<Field>),
    /// The string is JSON, but no object: what it is.
    NoObject(&'static str),
    /// The string is no JSON: why, with line and column in it.
    Broken(String),
}

impl<'a> Call<'a> {
    pub fn new(turn: usize, call: usize, of: &'a ApiCall, api: Option<&'a Api>) -> Self {
        Self {
            turn,
            call,
            of,
            api,
            arguments: Values::new(of.arguments.as_ref()),
            response: Values::new(of.response.as_ref()),
        }
    }

    /// True if an ontology lists APIs and not this one; a call without a name is no API at all.
    pub fn is_unknown(&self) -> bool {
        self.api.is_none() && !self.of.name.is_empty()
    }

    pub fn spot(&self) -> Spot {
        Spot {
            turn: Some(self.turn),
            segment: None,
            at: self.of.at,
        }
    }

    /// The argument called `name`, which has no number.
    pub fn argument(&self, name: &str) -> Option<&Field> {
        self.arguments.fields().iter().find(|f| f.name == name)
    }
}

impl<'a> Values<'a> {
    fn new(payload: Option<&'a Payload>) -> Self {
        match payload {
            None => Self::Missing,
            Some(Payload::Fields(fields)) => Self::Fields(fields),
            Some(Payload::Embedded { text, at }) => Self::read(text, *at),
        }
    }

    fn read(text: &str, at: Extent) -> Self {
        let mut parser = Parser::new();
        match parser.parse_str(text) {
            Ok(tree) if tree.root().kind() == Kind::Object => {
                let members = tree.root().members();
                Self::Read(members.map(|member| field(member, at)).collect())
            }
            Ok(tree) => Self::NoObject(tree.root().kind().name()),
            Err(error) => {
                let place = Position::of(text.as_bytes(), error.at);
                Self::Broken(format!("{error}, at {place}"))
            }
        }
    }

    /// Names and values; none if they cannot be read.
    pub fn fields(&self) -> &[Field] {
        match self {
            Self::Fields(fields) => fields,
            Self::Read(fields) => fields,
            _ => &[],
        }
    }

    /// True if what it lacks is known to be lacking.
    pub fn is_whole(&self) -> bool {
        matches!(self, Self::Fields(_) | Self::Read(_))
    }
}

fn field((key, value): (Value<'_>, Value<'_>), at: Extent) -> Field {
    let content = match value.as_str() {
        Some(text) => Content::Text(text.into()),
        None => Content::Raw(value.raw().into()),
    };
    Field {
        name: key.as_str().unwrap_or_default().into(),
        content,
        known: true,
        at,
    }
}
