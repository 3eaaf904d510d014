//! API calls as rules see them: arguments and responses are names with values, however the corpus writes
//! them.

use super::mention::Location;
use crate::dialog::{ApiCall, Content, Extent, Field, Payload};
use crate::json::{NodeKind, Parser, Position, Value};
use crate::ontology::Api;

/// A call with its API.
#[derive(Debug)]
pub struct Call<'a> {
    pub turn: usize,
    /// Position in the turn.
    pub call: usize,
    pub of: &'a ApiCall,
    /// Its API in the ontology; None if the ontology does not have it.
    pub api: Option<&'a Api>,
    pub arguments: Values<'a>,
    pub response: Values<'a>,
}

/// The arguments or the response of a call.
#[derive(Debug)]
pub enum Values<'a> {
    /// The call does not have them.
    Missing,
    Fields(&'a [Field]),
    /// Read from JSON in a string. The position of every value is that of the string.
    Read(Vec<Field>),
    /// The string is JSON, but not an object; the kind of value it is.
    NoObject(&'static str),
    /// The string is not valid JSON; the reason, with line and column in the string.
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

    /// True if the call names an API that the ontology does not have. A call without a name does not
    /// count.
    pub fn is_unknown(&self) -> bool {
        self.api.is_none() && !self.of.name.is_empty()
    }

    pub fn location(&self) -> Location {
        Location { turn: Some(self.turn), segment: None, at: self.of.at }
    }

    /// Returns the argument named exactly `name`, without a number.
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
            Some(Payload::Text { text, at }) => match Self::read(text, *at) {
                Self::Read(fields) => Self::Read(fields),
                // Words are as good an answer as JSON.
                _ => Self::Fields(&[]),
            },
        }
    }

    fn read(text: &str, at: Extent) -> Self {
        let mut parser = Parser::new();
        match parser.parse_str(text) {
            Ok(tree) if tree.root().kind() == NodeKind::Object => {
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

    /// Returns the names with their values; empty if they cannot be read.
    pub fn fields(&self) -> &[Field] {
        match self {
            Self::Fields(fields) => fields,
            Self::Read(fields) => fields,
            _ => &[],
        }
    }

    /// True if all names are known, so that any other name is definitely missing.
    pub fn is_whole(&self) -> bool {
        matches!(self, Self::Fields(_) | Self::Read(_))
    }
}

fn field((key, value): (Value<'_>, Value<'_>), at: Extent) -> Field {
    let content = match value.as_str() {
        Some(text) => Content::Text(text.into()),
        None => Content::Raw(value.raw().into()),
    };
    Field { name: key.as_str().unwrap_or_default().into(), content, known: true, at }
}
