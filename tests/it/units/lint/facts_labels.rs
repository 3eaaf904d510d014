//! Tests of `src/lint/facts/labels.rs`.

use turnwise::lint::facts::labels::*;

#[test]
fn free_text_labels_are_recognised() {
    for label in [
        "hotel1_detail.other_detail",
        "restaurant.offical_description",
        "flight_booked.flight_booked",
        "request",
    ] {
        assert!(is_free_text(label), "{label}");
    }
    for label in ["flight1_detail.from.time", "name.movie", "hotel_search.type.bed"] {
        assert!(!is_free_text(label), "{label}");
    }
    assert!(is_name("name.theater") && is_name("movie_ticket.name.movie.reject"));
    assert!(!is_name("time.showing") && !is_name("movie_ticket.time.start"));
}

#[test]
fn labels_that_cannot_both_be_right() {
    assert!(conflict("a.time.accept", "a.time.reject"));
    assert!(conflict("a.time", "a.time.accept"));
    assert!(conflict("a.time", "a.duration"));
    assert!(!conflict("a.time", "b.time"));
    assert!(!conflict("a.time", "a.time "));
    let labels = ["b.x", "a.details", "a.time", "a.time ", "c.x", "a.duration", "c.y"];
    assert_eq!(first_conflict(&labels), Some(("a.time", "a.duration")));
    let clashing = ["a.time", "a.time ", "c.x", "a.duration", "c.y"];
    assert_eq!(in_conflict(&labels), clashing);
    assert_eq!(first_conflict(&labels[..4]), None);
}
