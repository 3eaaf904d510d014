//! JSON inside a string, as Taskmaster-4 keeps requests and responses: laid out, or with its error.

use crate::json::{Kind, Parser, Position, Value};

/// The arguments that the text of a request or response holds, as `name=value`; or why it is not
/// JSON, with the line and column in the text.
pub fn arguments(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut parser = Parser::new();
    match parser.parse_str(text) {
        Ok(tree) if tree.root().kind() == Kind::Object => {
            let name = |key: Value<'_>| key.as_str().unwrap_or_default().into_owned();
            let members = tree.root().members();
            Ok(members
                .map(|(key, value)| (name(key), said(value)))
                .collect())
        }
        Ok(tree) => Ok(vec![(String::new(), said(tree.root()))]),
        Err(error) => Err(format!(
            "{error}, at {}",
            Position::of(text.as_bytes(), error.at)
        )),
    }
}

fn said(value: Value<'_>) -> String {
    value
        .as_str()
        .map_or_else(|| value.raw().to_owned(), std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_json_has_its_error() {
        let good = arguments(r#"{"size": "large", "count": 2}"#).expect("valid");
        assert_eq!(
            good,
            [
                ("size".into(), "large".into()),
                ("count".into(), "2".into())
            ]
        );
        let bad = arguments(r#"{"id": ""oat-latte""}"#).expect_err("broken");
        assert!(bad.ends_with("at 1:10"), "{bad}");
    }
}
