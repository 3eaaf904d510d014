//! Problems that touch each other: which of two is told, and what a repair takes from where.

use serde_json::{Value, json};
use turnwise::lint::{Applicability, Selection};

use super::fixed;

/// A dialog in which 9:10pm is chosen and 4:30pm is booked. What is said at last, its segment and the
/// arguments of the booking are given.
fn booking(said: &str, (start, end, label): (usize, usize, &str), arguments: &Value) -> Value {
    let quote: String = said.chars().skip(start).take(end - start).collect();
    json!({"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
        {"index": 0, "speaker": "assistant", "text": "4:30pm or 9:10pm?", "segments": [
            {"start_index": 0, "end_index": 6, "text": "4:30pm",
             "annotations": [{"name": "time.showing"}]},
            {"start_index": 10, "end_index": 16, "text": "9:10pm",
             "annotations": [{"name": "time.showing"}]}]},
        {"index": 1, "speaker": "user", "text": "the later one"},
        {"index": 2, "speaker": "assistant", "text": said, "segments": [
            {"start_index": start, "end_index": end, "text": quote,
             "annotations": [{"name": label}]}]},
        {"index": 3, "speaker": "user", "text": "Yes, please", "apis": [
            {"name": "book_tickets", "index": 3, "args": arguments}]}]})
}

const SAID: &str = "So two for Dune at the Roxie at 9:10pm?";

fn booked(time: &str) -> Value {
    json!({"name.movie": "Dune", "name.theater": "the Roxie", "num.tickets": "two",
        "time.showing": time})
}

#[test]
fn what_a_repair_brings_to_light_does_not_stop_it() {
    for slip in ["Time.Showing", "time. showing"] {
        let dialog = booking(SAID, (32, 38, slip), &booked("4:30pm")).to_string();
        let all = Selection::default();
        let (after, safe) = fixed(&dialog, &all, Applicability::Safe);
        assert_eq!((safe.repaired, safe.uncovered), (1, 0), "{safe:?}");
        assert!(after.contains("\"time.showing\"") && !after.contains(slip));
        assert_eq!(safe.left[0].rule.name, "api-argument-outdated");
        let (after, all) = fixed(&dialog, &all, Applicability::Unsafe);
        assert_eq!((all.repaired, all.uncovered), (2, 1), "{all:?}");
        assert!(!after.contains("\"time.showing\":\"4:30pm\""), "{after}");
    }
}
