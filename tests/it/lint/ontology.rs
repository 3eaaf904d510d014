//! Ontologies: those that are built in, and files that Google published.

use turnwise::lint::{Linter, Selection};
use turnwise::ontology::{Ontologies, Ontology, TABLE};

use super::{found_in, found_with};
use crate::support::files::{open_path, own, real_files, say};

#[test]
fn every_built_in_ontology_is_read_and_says_whose_it_is() {
    let folder = std::fs::read_dir(own("assets/ontologies")).unwrap();
    assert_eq!(folder.count(), TABLE.len(), "one line each");
    for (name, text) in TABLE {
        let ontology = Ontology::read(text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(!ontology.title.is_empty(), "{name}");
        assert!(!ontology.labels.is_empty(), "{name}");
        for family in &ontology.families {
            assert!(turnwise::format::named(family).is_some(), "{name}: {family}");
        }
        for (wrong, right) in &ontology.aliases {
            let known = |label: &String| ontology.labels.contains(label);
            assert!(known(right) && !known(wrong), "{name}: {wrong} = {right}");
        }
        for (api, of) in &ontology.apis {
            let both = of.required.intersection(&of.optional).count();
            assert_eq!(both, 0, "{name}: {api}");
        }
    }
}

#[test]
fn googles_forms_are_read_and_cleaned() {
    let read = |text| Ontology::read(text).unwrap();
    let older = read(
        r#"{"tea": {"id": "tea_ordering", "vertical": "tea_order",
            "required": ["name.tea"], "optional": ["size.cup"]}}"#,
    );
    assert!(older.knows_label("tea_ordering.name.tea.accept"));
    assert!(older.knows_label("tea_ordering.tea_order"));
    assert!(!older.knows_label("name.tea"));
    let second = read(
        r#"{"teas": [{"prefix": "tea1_detail",
            "annotations": ["rating ", "time.end. ", "milk tea_booking"]}]}"#,
    );
    for label in ["rating", "time.end", "milk", "tea_booking"] {
        assert!(second.knows_label(&format!("tea1_detail.{label}")), "{label}");
    }
    let entities = read(
        r#"{"tea": {"vertical": "tea_order", "required": ["name.tea"], "optional": ["size.cup"]}}"#,
    );
    assert!(entities.knows_label("size.cup") && !entities.knows_label("size"));
    let calls = read(
        r#"{"find_teas": {"apis": ["find_teas"], "args": {"all_of": ["name.tea"], "any_of": ["milk"]},
            "response": {"type": "list", "keys": ["price"]}}}"#,
    );
    let api = calls.api("find_teas").unwrap();
    assert!(api.takes("name.tea") && api.takes("milk") && api.answers("price_2"));
    assert!(api.required.contains("name.tea") && !api.takes("price"));
}

#[test]
fn a_bad_ontology_is_reported_with_its_place() {
    let error = |text| Ontology::read(text).unwrap_err().to_string();
    assert_eq!(
        error("title = \"x\"\nlabel = []"),
        "2:1: unknown field `label`, expected one of `title`, `families`, `verticals`, `complete`, `labels`, `acts`, `intents`, `tasks`, `aliases`, `apis`, `values`"
    );
    assert!(error("{\"a\": [}").starts_with("1:8: "), "{}", error("{\"a\": [}"));
    assert_eq!(
        error("{\"conversation_id\": \"d\"}"),
        "1:21: expected a task with labels or an API with arguments"
    );
}

#[test]
fn an_ontology_of_ones_own_counts_for_every_dialog() {
    let own = Ontology::read("title = \"Garden\"\ncomplete = true\nlabels = [\"plant\"]").unwrap();
    let all = Ontologies::only(own);
    let ontology = all.of("taskmaster-2", Some("Movie Tickets"), &["x"].into_iter());
    assert!(ontology.knows_label("plant") && !ontology.knows_label("name.movie"));
}

/// Google's files beside the data make nothing unknown that was known, and nothing known that was
/// found to be a slip.
#[test]
fn real_ontologies_beside_real_data_change_nothing() {
    let Some(files) = real_files("reading ontologies") else {
        return;
    };
    let mut all = Ontologies::built_in().unwrap();
    let mut read = 0;
    for path in files.iter().filter(|p| p.to_string_lossy().contains("ontology")) {
        let text = std::fs::read_to_string(path).unwrap();
        all.add(Ontology::read(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display())));
        read += 1;
    }
    let mut selection = Selection::none();
    for rules in ["label-unknown", "api"] {
        selection.select(rules).unwrap();
    }
    let linter = Linter { selection, ontologies: all, ..Linter::default() };
    let mut dialogs = 0;
    for path in files.iter().filter(|p| p.to_string_lossy().contains("taskmaster")) {
        let Some(file) = open_path(path) else {
            continue;
        };
        for position in 0..file.index().pieces.len() {
            let text = file.text(position).unwrap();
            let before = found_in(&text, &linter.selection).len();
            let after = found_with(&linter, &text).len();
            assert_eq!(after, before, "{}: dialog {position}", path.display());
            dialogs += 1;
        }
    }
    say(&format!("{read} ontologies beside {dialogs} dialogs"));
}
