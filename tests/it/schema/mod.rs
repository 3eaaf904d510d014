//! The published schemas and the readers say the same: a dialog validates if, and only if, its
//! reader finds nothing wrong with its form.

pub mod mutate;

use std::cell::Cell;
use std::path::Path;

use jsonschema::Validator;
use turnwise::dialog::Issue;
use turnwise::format::{FORMATS, Family};
use turnwise::json::Parser;

use crate::support::files::{open_path, own_files, real_files, say, without_key};
use crate::support::value::mended;
use mutate::{each_mutated, short_dialogs};

/// Mutated dialogs tried for each family.
const MUTATIONS: u32 = 1500;

fn validator(format: &'static Family) -> Validator {
    let schema: serde_json::Value = serde_json::from_str(format.schema()).expect("JSON");
    jsonschema::draft202012::new(&schema).expect("a schema")
}

fn issues(format: &'static Family, text: &str) -> Vec<Issue> {
    let mut parser = Parser::new();
    let tree = parser.parse_str(text).expect("JSON");
    format.read_form(tree).1
}

/// Why schema and reader disagree about `text`; None if they agree.
fn disagreement(format: &'static Family, validator: &Validator, text: &str) -> Option<String> {
    let value = serde_json::from_str(&mended(text)).expect("JSON");
    let issues = issues(format, text);
    let errors: Vec<String> = validator
        .iter_errors(&value)
        .map(|error| format!("{} at {}", error, error.instance_path()))
        .collect();
    let agree = errors.is_empty() == issues.is_empty();
    let name = format.name();
    (!agree).then(|| format!("{name}: schema says {errors:?}, reader says {issues:?}"))
}

/// Compares schema and reader over all dialogs of `files`; returns how many there were.
fn agree_on(files: &[impl AsRef<Path>]) -> usize {
    let mut dialogs = 0;
    for path in files {
        let path = path.as_ref();
        let Some(file) = open_path(path) else {
            continue;
        };
        let Some(format) = file.format() else {
            continue;
        };
        let validator = validator(format);
        for position in 0..file.index().pieces.len() {
            let text = file.text(position).unwrap();
            let disagreement = disagreement(format, &validator, without_key(&text));
            assert_eq!(disagreement, None, "{}: dialog {position}", path.display());
            dialogs += 1;
        }
    }
    dialogs
}

/// Breaks dialogs in a few places each and compares schema and reader on the outcome.
fn agree_on_mutations(format: &'static Family) {
    let name = format.name();
    let validator = validator(format);
    let files = [own_files(), real_files(name).unwrap_or_default()].concat();
    let dialogs = short_dialogs(format, &files);
    let broken = Cell::new(0);
    each_mutated(&dialogs, MUTATIONS, 2, |text| {
        if !issues(format, text).is_empty() {
            broken.set(broken.get() + 1);
        }
        assert_eq!(disagreement(format, &validator, text), None, "{text}");
    });
    let (broken, fine) = (broken.get(), MUTATIONS - broken.get());
    // Mutations that never matter, or always break, would prove little.
    assert!(broken > MUTATIONS / 10 && fine > MUTATIONS / 50, "{broken} broken, {fine} fine");
    say(&format!("{name}: {broken} broken and {fine} sound mutations of {}", dialogs.len()));
}

#[test]
fn schemas_are_schemas() {
    for format in FORMATS.iter() {
        let schema: serde_json::Value = serde_json::from_str(format.schema()).expect("JSON");
        let valid = jsonschema::draft202012::meta::validate(&schema);
        assert!(valid.is_ok(), "{format:?}: {valid:?}");
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        let id = format!("urn:turnwise:schema:{}", format.name());
        assert_eq!(schema["$id"], id.as_str());
    }
}

#[test]
fn agree_on_own_files() {
    assert!(agree_on(&own_files()) > 10);
}

#[test]
fn agree_on_real_corpora() {
    if let Some(files) = real_files("comparing schemas") {
        let dialogs = agree_on(&files);
        say(&format!("schemas and readers agree on {dialogs} real dialogs"));
    }
}

/// Each in a thread of its own, which take long.
#[test]
fn agree_on_mutated_real_dialogs() {
    std::thread::scope(|scope| {
        for format in FORMATS.iter() {
            scope.spawn(move || agree_on_mutations(format));
        }
    });
}
