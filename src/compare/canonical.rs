//! JSON values as text that does not depend on how they are written, without the numbers of turns.

use crate::format::Numbers;
use crate::json::{self, Parser, Tree, Value};

/// True if two values are the same, however they are written, or both are missing.
pub fn is_same(one: Option<Value<'_>>, other: Option<Value<'_>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => {
            one.raw() == other.raw() || canonical(one, None) == canonical(other, None)
        }
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// Returns a value as [`json::canonical`] does. Members that are the number of their turn have none in it.
pub fn canonical(value: Value<'_>, number: Option<&Numbers>) -> String {
    json::canonical(value, &|key, member| {
        number.is_some_and(|number| number.is_number(key, member))
    })
}

/// True if two texts are the same JSON, however it is written. The order of members makes no difference.
pub fn is_same_json(one: &str, other: &str) -> bool {
    let (mut own, mut others) = (Parser::new(), Parser::new());
    let trees = (own.parse_piece_str(one), others.parse_piece_str(other));
    let (Ok(one), Ok(other)) = trees else {
        return one == other;
    };
    let key = |tree: &Tree<'_>| tree.key().map(|key| key.raw().to_owned());
    key(&one) == key(&other) && is_same(Some(one.root()), Some(other.root()))
}
