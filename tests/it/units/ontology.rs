//! Near names, names of the state, and which ontology is whose.

use turnwise::ontology::*;

fn names(name: &str) -> Vec<&'static str> {
    let known =
        ["name.movie", "name.theater", "flight1_detail.date", "flight2_detail.date", "to", "type"];
    near(name, known.into_iter()).iter().map(|n| n.name).collect()
}

#[test]
fn the_nearest_are_found() {
    assert_eq!(names("Name_Movie"), ["name.movie"]);
    assert_eq!(names("name.theatre"), ["name.theater"]);
    assert_eq!(names("name.moveis"), ["name.movie"]);
    assert_eq!(names("flight2_details.date"), ["flight2_detail.date"]);
    let either = ["flight1_detail.date", "flight2_detail.date"];
    assert_eq!(names("flight3_detail.date"), either);
    assert_eq!(names("seating"), [""; 0]);
    assert_eq!(names("from"), [""; 0]);
    assert_eq!(names("typ"), [""; 0]);
}

fn hotels() -> StateNames {
    let mut names = StateNames::default();
    names.add("hotel.price range", ["cheap".to_owned(), "moderate".to_owned()]);
    names.add("hotel.book.stay", []);
    names
}

#[test]
fn names_are_compared_by_their_letters() {
    let hotels = hotels();
    assert!(hotels.knows("hotel.pricerange") && hotels.knows("hotel.book.stay"));
    assert!(!hotels.knows("hotel.pricerang"));
    assert!(hotels.knows("bus.day"), "another domain is another matter");
    assert!(hotels.claims("Hotel-Inform.Area") && !hotels.claims("Train-Inform.Day"));
}

#[test]
fn only_listed_values_are_allowed_where_there_are_any() {
    let hotels = hotels();
    for value in ["cheap", "Cheap ", "", "dontcare", "not mentioned", "cheap|moderate"] {
        assert!(hotels.allows("hotel.pricerange", value), "{value}");
    }
    assert!(!hotels.allows("hotel.pricerange", "chaep"));
    assert!(!hotels.allows("hotel.pricerange", "cheap|dear"));
    assert!(hotels.allows("hotel.book.stay", "seven") && hotels.allows("bus.day", "x"));
}

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
