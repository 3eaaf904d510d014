//! Repairs broken JSON objects with as few changes as possible.
//!
//! The text is read as a tolerant parser would read it, see [`super::mender`]. Whatever comes out is parsed,
//! and counts only if it is an object.

use super::mender::{Closing, MendedJson, Mender};
use crate::json::{NodeKind, Parser};

/// Repaired versions of `text` that are JSON objects, the most likely first. Empty if it is one already.
pub fn mended_objects(text: &str) -> Vec<MendedJson> {
    let mut all: Vec<MendedJson> = Vec::new();
    if is_object(text) {
        return all;
    }
    let mut add = |mended: MendedJson| {
        if is_object(&mended.text) && all.iter().all(|other| other.text != mended.text) {
            all.push(mended);
        }
    };
    if text.trim().is_empty() {
        add(MendedJson { text: "{}".to_owned(), what: "no arguments".to_owned(), is_sure: true });
    }
    if let Some(text) = undoubled_object(text) {
        add(MendedJson { text, what: "remove doubled quotation marks".to_owned(), is_sure: true });
    }
    let readings = [Closing::Strict, Closing::BeforePunctuation];
    let mended = readings.map(|closing| Mender::new(text, closing).mended());
    let mut mended: Vec<_> = mended.into_iter().flatten().collect();
    // The reading with fewer kinds of mistakes is more likely.
    mended.sort_by_key(|(_, mistakes)| *mistakes);
    for (mended, _) in mended {
        add(mended);
    }
    if all.len() > 1 {
        for mended in &mut all {
            mended.is_sure = false;
        }
    }
    all
}

/// Returns the text with single instead of doubled quotation marks and with control characters escaped, if that
/// makes it another text that is a JSON object.
pub fn undoubled_object(text: &str) -> Option<String> {
    let repaired = escaped(&undoubled(text));
    (repaired != text && is_object(&repaired)).then_some(repaired)
}

fn is_object(text: &str) -> bool {
    let mut parser = Parser::new();
    let tree = parser.parse_str(text);
    tree.is_ok_and(|tree| tree.root().kind() == NodeKind::Object)
}

/// Turns `""word""` into `"word"`; keeps an empty string, after which JSON goes on.
fn undoubled(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("\"\"") {
        let inside = &rest[start + 2..];
        let word = inside.split('"').next().unwrap_or_default();
        let doubled = !word.starts_with([',', '}', ']', ':', ' ']) && !word.is_empty();
        if doubled && inside[word.len()..].starts_with("\"\"") {
            out.push_str(&rest[..=start]);
            out.push_str(word);
            out.push('"');
            rest = &inside[word.len() + 2..];
        } else {
            out.push_str(&rest[..start + 2]);
            rest = inside;
        }
    }
    out + rest
}

/// Escapes tabs and line breaks inside strings.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut inside, mut escape) = (false, false);
    for char in text.chars() {
        match char {
            '\t' if inside => out.push_str("\\t"),
            '\n' if inside => out.push_str("\\n"),
            '\r' if inside => out.push_str("\\r"),
            _ => out.push(char),
        }
        inside ^= char == '"' && !escape;
        escape = inside && char == '\\' && !escape;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Option<(String, bool)> {
        let mended = mended_objects(text).into_iter().next()?;
        Some((mended.text, mended.is_sure))
    }

    #[test]
    fn the_first_repair_is_the_meant_one() {
        let good = r#"{"city": "Łódź", "people": 2, "food": ["a", "b\u00e9"], "late": true}"#;
        let spoiled = [
            (good[..good.len() - 1].to_owned(), false),
            (good.replacen("\": ", "\" ", 1), true),
            (format!("{},}}", &good[..good.len() - 1]), true),
            (good.replace('"', "'").replace("true", "True"), true),
            (good.replacen("\"people\"", "people", 1), true),
            (good.replacen("2, ", "2 ", 1), true),
            (good.replacen("\"b\\u00e9\"", "\"b\\u00e9\",", 1), true),
            (format!("```json\n{good}\n```"), true),
            (format!("{good}}}"), true),
            (good.replacen("{\"", "{", 1), true),
            (good.replacen("city\"", "city", 1), true),
            (good.replacen("\"Łódź", "Łódź", 1), false),
            (good.replacen("Łódź\"", "Łódź", 1), false),
            (good.replacen(']', "", 1), false),
            (good[1..].to_owned(), true),
        ];
        for (text, is_sure) in spoiled {
            assert_eq!(first(&text), Some((good.to_owned(), is_sure)), "{text}");
        }
    }

    /// Not restored are three opening brackets, the end of an object in an object, and a mark inside a list:
    /// there other readings are as likely.
    #[test]
    fn a_lost_bracket_or_mark_is_restored_wherever_it_was() {
        let good =
            r#"{"town": "Łódź", "way": {"by": "tram", "stops": [1, 2]}, "who": ["Jo", "Al"]}"#;
        let structure = good.char_indices().filter(|(_, c)| "{}[]\":,".contains(*c));
        let lost = |at: usize| format!("{}{}", &good[..at], &good[at + 1..]);
        let places: Vec<_> = structure.map(|(at, _)| at).collect();
        let wrong = |at: &&usize| {
            let mended = mended_objects(&lost(**at)).into_iter().next();
            let parsed = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
            mended.is_none_or(|mended| parsed(&mended.text) != parsed(good))
        };
        let wrong: Vec<_> = places.iter().filter(wrong).map(|at| lost(*at)).collect();
        assert!(places.len() > 35 && wrong.len() <= 5, "{wrong:#?}");
    }

    #[test]
    fn quotation_marks_inside_a_text_are_escaped() {
        let text = r#"{"say": "the "old" mill"}"#;
        let meant = r#"{"say": "the \"old\" mill"}"#;
        assert_eq!(first(text), Some((meant.to_owned(), false)));
        let text = "{'say': 'it's late'}";
        assert_eq!(first(text).unwrap().0, r#"{"say": "it's late"}"#);
        let text = "{\"say\": \"two\nlines\"}";
        assert_eq!(first(text).unwrap().0, r#"{"say": "two\nlines"}"#);
    }

    #[test]
    fn texts_without_an_object_in_them_have_no_repair() {
        for text in ["42", "Error: no such room", "{\"a\": }", "{\"a\"", "[1, 2", "\"x\""] {
            assert_eq!(first(text), None, "{text}");
        }
        assert_eq!(first("{\"a\": 1}"), None);
        assert_eq!(first(" ").unwrap().0, "{}");
    }
}
