//! Tests of `src/ontology/state.rs`.

use turnwise::ontology::*;

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
