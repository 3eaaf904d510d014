//! Ontologies: those that are built in, and the forms of those that Google published.

use turnwise::ontology::{Ontology, TABLE};

use crate::support::files::own;

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
