//! The published schemas and the readers say the same: a dialog validates if, and only if, its
//! reader finds nothing wrong with its form.

pub mod mutate;

use std::cell::Cell;
use std::path::Path;

use jsonschema::Validator;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use turnwise::dialog::Issue;
use turnwise::format::{FORMATS, Family, named};
use turnwise::json::Parser;

use crate::support::check::family;
use crate::support::files::{open_path, own, own_files, real_files, say, spread, without_key};
use crate::support::value::{Json, mended};
use mutate::{Mutation, mutated, shortened};

/// Mutated dialogs tried for each family, and dialogs they are made from.
const MUTATIONS: u32 = 1500;
const DIALOGS: usize = 30;

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

/// Short versions of some dialogs of the family.
fn dialogs(format: &'static Family) -> Vec<Json> {
    let mut files = own_files();
    files.extend(real_files(format.name()).unwrap_or_default());
    let of_family = files
        .iter()
        .filter_map(|path| open_path(path))
        .filter(|file| !file.index().pieces.is_empty() && family(file) == format.name());
    let files: Vec<_> = of_family.collect();
    let mut dialogs = Vec::new();
    for file in &files {
        for position in spread((0..file.index().pieces.len()).collect(), 4) {
            let text = mended(without_key(&file.text(position).unwrap()));
            dialogs.push(shortened(&Json::parse(&text).unwrap()));
        }
    }
    spread(dialogs, DIALOGS)
}

/// Breaks dialogs in a few places each and compares schema and reader on the outcome.
fn agree_on_mutations(name: &str) {
    let format = named(name).expect(name);
    let validator = validator(format);
    let dialogs = dialogs(format);
    assert!(!dialogs.is_empty(), "no dialogs of {name}");
    let mut runner = TestRunner::new(Config {
        cases: MUTATIONS,
        failure_persistence: None,
        ..Config::default()
    });
    let broken = Cell::new(0);
    let choice = (0..dialogs.len(), proptest::collection::vec(any::<Mutation>(), 1..3));
    let outcome = runner.run(&choice, |(dialog, mutations)| {
        let text = mutated(&dialogs[dialog], &mutations);
        if !issues(format, &text).is_empty() {
            broken.set(broken.get() + 1);
        }
        match disagreement(format, &validator, &text) {
            Some(why) => Err(TestCaseError::fail(format!("{why}\n{text}"))),
            None => Ok(()),
        }
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
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
    assert!(own("assets/demo").is_dir());
}

#[test]
fn agree_on_real_corpora() {
    if let Some(files) = real_files("comparing schemas") {
        let dialogs = agree_on(&files);
        say(&format!("schemas and readers agree on {dialogs} real dialogs"));
    }
}

macro_rules! mutations {
    ($($test:ident: $name:literal,)*) => {$(
        #[test]
        fn $test() {
            agree_on_mutations($name);
        }
    )*

        #[test]
        fn every_format_is_mutated() {
            for format in FORMATS.iter() {
                assert!([$($name),*].contains(&format.name()), "{format:?} is not in this list");
            }
        }
    };
}

mutations! {
    agree_on_mutated_real_taskmaster_1_2: "taskmaster-1-2",
    agree_on_mutated_real_taskmaster_3: "taskmaster-3",
    agree_on_mutated_real_taskmaster_4: "taskmaster-4",
    agree_on_mutated_real_dbdc: "dbdc",
    agree_on_mutated_real_dbdc_labels: "dbdc-labels",
    agree_on_mutated_real_sim: "sim",
    agree_on_mutated_real_sim_gen: "sim-gen",
    agree_on_mutated_real_messages: "messages",
    agree_on_mutated_real_sharegpt: "sharegpt",
}
