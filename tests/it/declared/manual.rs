//! The page of the manual about descriptions: its examples work, and it has every key.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use turnwise::format::Family;

use crate::support::{Ran, project, run_in, scratch};

/// Before the counts of an example.
const READS: &str = "`formats check` reads ";

/// The tables of a description, and the keys of tables that are tables with known keys themselves.
const TABLES: [(&str, &[&str]); 7] = [
    ("turn", &["text", "reasoning", "parts", "branch", "events"]),
    ("span", &[]),
    ("act", &[]),
    ("call", &["arguments", "response", "outcome"]),
    ("state", &[]),
    ("vote", &[]),
    ("ontology", &[]),
];

fn page() -> String {
    fs::read_to_string(project("assets/manual/own-format.md")).unwrap()
}

/// A dialog, the TOML that reads it, and its counts.
#[derive(Default)]
struct Example {
    dialog: String,
    tables: Vec<String>,
    counts: String,
}

impl Example {
    /// The description; `formats new` drafts its first table, and the others are added.
    fn description(&self) -> String {
        self.tables.join("\n")
    }

    fn name(&self) -> String {
        let description: toml::Table = self.description().parse().unwrap();
        description["name"].as_str().unwrap().to_owned()
    }

    /// The name of a file with the dialog, which may be in lines.
    fn file(&self) -> String {
        let is_one = serde_json::from_str::<serde_json::Value>(&self.dialog).is_ok();
        format!("{}.{}", self.name(), if is_one { "json" } else { "jsonl" })
    }
}

fn examples(page: &str) -> Vec<Example> {
    let mut all: Vec<Example> = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(counts) = line.strip_prefix(READS) {
            counts.trim_end_matches('.').clone_into(&mut all.last_mut().unwrap().counts);
        }
        let Some(language) = line.strip_prefix("```") else {
            continue;
        };
        let block: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
        let block = block.join("\n") + "\n";
        match language {
            "json" => all.push(Example { dialog: block, ..Example::default() }),
            "toml" => all.last_mut().unwrap().tables.push(block),
            _ => {}
        }
    }
    all
}

/// Runs `formats check` on a description and a corpus, in a folder.
fn tried(folder: &Path, description: &str, file: &str) -> Ran {
    fs::write(folder.join("formats/own.toml"), description).unwrap();
    run_in(folder, &["formats", "check", "formats/own.toml", file], "")
}

#[test]
fn the_first_example_is_the_draft() {
    let folder = scratch();
    let example = examples(&page()).swap_remove(0);
    fs::create_dir(folder.path().join("formats")).unwrap();
    fs::write(folder.path().join("events.json"), &example.dialog).unwrap();
    let draft = run_in(folder.path(), &["formats", "new", "events.json"], "").out;
    let is_rule = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let drafted = draft.lines().filter(is_rule);
    let written = example.tables[0].lines().filter(is_rule);
    assert_eq!(drafted.collect::<Vec<_>>(), written.collect::<Vec<_>>());
    let ran = tried(folder.path(), &format!("{draft}\n{}", example.tables[1]), "events.json");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    assert!(ran.out.contains(&format!("events.json: {}\n", example.counts)), "{ran:?}");
}

/// Each is the sample of its own description, and the corpus.
#[test]
fn the_examples_work() {
    let examples = examples(&page());
    assert!(examples.len() > 10, "{}", examples.len());
    for example in &examples {
        let folder = scratch();
        let (name, file) = (example.name(), example.file());
        fs::create_dir(folder.path().join("formats")).unwrap();
        fs::write(folder.path().join(&file), &example.dialog).unwrap();
        let sample = format!("sample = '''\n{}'''\n", example.dialog);
        let ran = tried(folder.path(), &(sample + &example.description()), &file);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{name}: {ran:?}");
        // `formats check` does not count votes.
        let (counts, votes) = match example.counts.split_once(", and ") {
            Some((counts, votes)) => (counts, votes.split_once(' ').unwrap().0.parse().unwrap()),
            None => (example.counts.as_str(), 0),
        };
        for of in ["sample", &file] {
            assert!(ran.out.contains(&format!("{of}: {counts}\n")), "{name}: {ran:?}");
        }
        let ran = run_in(folder.path(), &["check", "--format", "json", &file], "");
        let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let found = (report[0]["family"].as_str(), report[0]["votes"].as_u64());
        assert_eq!((ran.code, found), (0, (Some(name.as_str()), Some(votes))), "{ran:?}");
    }
}

/// The keys that a table may have, by the error about another one. `inner` is a key whose value is that table.
fn known(table: &str, inner: Option<&str>) -> BTreeSet<String> {
    let header = if table.is_empty() { String::new() } else { format!("[{table}]\n") };
    let keys = match inner {
        Some(inner) => format!("{inner} = {{ another = 1 }}"),
        None => "another = 1".to_owned(),
    };
    let error = Family::read_from(&format!("{header}{keys}\n"), None).err().unwrap().to_string();
    let (_, keys) = error.split_once("unknown field `another`, expected ").expect(&error);
    keys.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Adds the keys of a description to those that are `shown`, each after its table.
fn note(shown: &mut BTreeSet<String>, text: &str) {
    let description: toml::Table = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
    for (key, value) in &description {
        let Some((table, inner)) = TABLES.iter().find(|(table, _)| table == key) else {
            shown.insert(key.clone());
            continue;
        };
        for rule in tables(value) {
            for (key, value) in rule {
                shown.insert(format!("{table}.{key}"));
                for within in tables(value).filter(|_| inner.contains(&key.as_str())) {
                    shown.extend(within.keys().map(|own| format!("{table}.{key}.{own}")));
                }
            }
        }
    }
}

/// The tables that a value is, one or several.
fn tables(value: &toml::Value) -> impl Iterator<Item = &toml::Table> {
    let several = value.as_array().into_iter().flatten();
    several.chain([value]).filter_map(toml::Value::as_table)
}

#[test]
fn every_key_has_an_example() {
    let page = page();
    let mut shown = BTreeSet::new();
    for example in examples(&page) {
        note(&mut shown, &example.description());
    }
    let (_, rows) = page.split_once("| table | for example | means |\n|---|---|---|\n").unwrap();
    for row in rows.lines().take_while(|row| row.starts_with('|')) {
        let cells: Vec<_> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let example = cells[1].trim_matches('`');
        for table in cells[0].split(", ") {
            let header = if table == "top" { String::new() } else { format!("[{table}]\n") };
            note(&mut shown, &(header + example));
        }
    }
    let mut all: BTreeSet<String> = known("", None);
    for (table, _) in TABLES {
        assert!(all.remove(table), "{table}");
    }
    for (table, inner) in TABLES {
        all.extend(known(table, None).iter().map(|key| format!("{table}.{key}")));
        for &key in inner {
            let keys = known(table, Some(key));
            all.extend(keys.iter().map(|own| format!("{table}.{key}.{own}")));
        }
    }
    // Of descriptions that earlier versions read.
    all.remove("vote.ordered");
    let without: Vec<_> = all.difference(&shown).collect();
    assert!(without.is_empty(), "without an example: {without:?}");
    let unknown: Vec<_> = shown.difference(&all).collect();
    assert!(unknown.is_empty(), "only in the manual: {unknown:?}");
}
