//! Tests of `src/ontology/table.rs`.

use turnwise::ontology::*;

fn of(family: &str, vertical: Option<&str>, names: &[&str]) -> String {
    let all = Ontologies::built_in().expect("they can be read");
    all.of(family, vertical, &names.iter().copied()).title.clone()
}

#[test]
fn family_vertical_and_names_tell_the_ontology() {
    let labels = ["flight_search.origin", "flight9_detail.fare"];
    assert_eq!(of("taskmaster-1-2", None, &labels), "Taskmaster-2");
    let labels = ["restaurant_reservation.num.guests.accept"];
    assert_eq!(of("taskmaster-1-2", None, &labels), "Taskmaster-1");
    assert_eq!(of("taskmaster-3", Some("movie tickets"), &[]), "Taskmaster-3");
    assert_eq!(of("taskmaster-3", None, &["find_movies"]), "Taskmaster-3");
    assert_eq!(of("sim", None, &["date", "time", "num_people"]), "sim-R");
}

#[test]
fn other_corpora_follow_none() {
    assert_eq!(of("taskmaster-3", Some("Gardening"), &["name.movie"]), "");
    assert_eq!(of("taskmaster-3", None, &["plant"]), "");
    let own = ["plant", "soil", "water", "location"];
    assert_eq!(of("taskmaster-3", None, &own), "");
    assert_eq!(of("taskmaster-1-2", None, &["plant.name"]), "");
    assert_eq!(of("dbdc", None, &[]), "");
}

#[test]
fn labels_of_mixed_corpora_are_known() {
    let all = Ontologies::built_in().expect("they can be read");
    let movies = all.of("taskmaster-3", Some("Movie Tickets"), &[].into_iter());
    assert!(movies.knows_label("name.movie"));
    assert!(movies.knows_label("movie_search.name.movie"));
    assert!(!movies.knows_label("genre"));
    let older = all.of("taskmaster-1-2", None, &["movie_search.genre"].into_iter());
    assert!(!older.knows_label("name.movie"), "it lacks its task");
    let near: Vec<_> = older.labels_near("name.movie").iter().map(|n| n.name).collect();
    assert_eq!(near, ["movie_search.name.movie", "movie_ticket.name.movie"]);
}
