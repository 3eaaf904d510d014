//! Problems that touch each other: which of the two is reported, and where a fix takes values from.

use serde_json::{Value, json};
use turnwise::lint::{Applicability, Diagnostic, Fix, Selection};

use super::{fixed, found_in, notation, only};

/// A dialog in which 9:10pm is chosen and 4:30pm is booked. The last utterance, its segment and the
/// arguments of the booking are given.
fn booking(said: &str, (start, end, label): (usize, usize, &str), arguments: &Value) -> Value {
    let quote: String = said.chars().skip(start).take(end - start).collect();
    let turns = format!(
        "assistant: «4:30pm»{{time.showing}} or «9:10pm»{{time.showing}}?\nuser: the later one\n\
         assistant: {said}\nuser: Yes, please"
    );
    let mut dialog = notation::taskmaster_3(&turns, "Movie Tickets");
    dialog["utterances"][2]["segments"] = json!([
        {"start_index": start, "end_index": end, "text": quote, "annotations": [{"name": label}]}]);
    dialog["utterances"][3]["apis"] =
        json!([{"name": "book_tickets", "index": 3, "args": arguments}]);
    dialog
}

const SAID: &str = "So two for Dune at the Roxie at 9:10pm?";

fn booked(time: &str) -> Value {
    json!({"name.movie": "Dune", "name.theater": "the Roxie", "num.tickets": "two",
        "time.showing": time})
}

fn told(dialog: &Value, rules: &str) -> Vec<(&'static str, String)> {
    let found = found_in(&dialog.to_string(), &Selection::default());
    let wanted = found.into_iter().filter(|d| d.rule.name.starts_with(rules));
    wanted.map(|d| (d.rule.name, d.message)).collect()
}

fn first_fix(found: &[Diagnostic]) -> (&str, Applicability) {
    let fix = &found[0].fixes[0];
    (&fix.title, fix.applicability)
}

#[test]
fn a_fix_that_reveals_another_problem_is_applied() {
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

#[test]
fn values_are_taken_as_they_will_be_once_their_segment_is_repaired() {
    let rule = only("api-argument-outdated");
    for span in [(32, 38), (33, 38), (33, 39), (32, 39), (31, 38)] {
        let (start, end) = span;
        let dialog = booking(SAID, (start, end, "time.showing"), &booked("4:30pm"));
        let found = found_in(&dialog.to_string(), &rule);
        let expected = ("change to 9:10pm", Applicability::Unsafe);
        assert_eq!(first_fix(&found), expected, "{span:?}");
    }
    // Either the numbers or the quote may be right: a person has to decide.
    let mut dialog = booking(SAID, (32, 38, "time.showing"), &booked("4:30pm"));
    dialog["utterances"][2]["segments"][0]["text"] = json!("Dune");
    assert!(found_in(&dialog.to_string(), &rule).is_empty());
}

#[test]
fn a_misspelt_argument_is_not_a_missing_one() {
    let mut arguments = booked("9:10pm");
    arguments["name.movi"] = arguments["name.movie"].take();
    arguments.as_object_mut().unwrap().remove("name.movie");
    let dialog = booking(SAID, (32, 38, "time.showing"), &arguments);
    let told = told(&dialog, "api");
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].0, "api-unknown-argument");
    let (after, _) = fixed(&dialog.to_string(), &Selection::default(), Applicability::Unsafe);
    let after: Value = serde_json::from_str(&after).unwrap();
    let right = &after["utterances"][3]["apis"][0]["args"];
    assert_eq!(*right, booked("9:10pm"));
    // A missing argument is still reported.
    let object = arguments.as_object_mut().unwrap();
    object.remove("name.movi");
    let dialog = booking(SAID, (32, 38, "time.showing"), &arguments);
    assert_eq!(self::told(&dialog, "api")[0].0, "api-missing-argument");
}

#[test]
fn of_two_labels_on_one_word_none_is_deleted_unseen() {
    let rule = only("span-overlap");
    let with =
        |outer: &str| notation::dialog(&format!("user: at ««7 pm»{{repair.time}}.»{{{outer}}}"));
    let same = found_in(&with("repair.time"), &rule);
    assert_eq!(same[0].fixes[0].applicability, Applicability::Unsafe);
    let other = found_in(&with("repair.time.reject"), &rule);
    assert_eq!(other[0].fixes[0].applicability, Applicability::Display);
    let (after, _) =
        fixed(&with("repair.time.reject"), &Selection::default(), Applicability::Unsafe);
    assert!(after.contains("repair.time.reject") && after.contains("\"repair.time\""), "{after}");
}

#[test]
fn a_name_is_whole_and_the_words_in_it_belong_elsewhere() {
    // Both workers labelled either segment of the last one: there is nothing to merge.
    #[rustfmt::skip]
    let first = [
        ("the «Ridge «Hotel»{stay.type}»{stay.name} is a nice hotel", r#"move to 26..31, "hotel""#),
        ("«Ridge «Hotel»{stay.type}»{stay.name} and «Lake Hotel»{stay.name} are hotels", r#"move to 31..37, "hotels""#),
        ("two: «Tano «Centre»{shop.area}»{shop.name}, the other centre is not one", r#"move to 28..34, "centre""#),
        ("two: ««Tano»{shop.name} Centre»{shop.name} and Tano south", r#"move to 21..25, "Tano""#),
        ("the «Ridge «Hotel»{stay.type}»{stay.name} is a nice «hotel»{stay.type}", r#"delete the segment "Hotel""#),
        ("book «Ridge «Hotel»{stay.type}»{stay.name} now", r#"delete the segment "Hotel""#),
        ("««seven»{show.seats} big seats»{show.time} and «seven»{show.seats} small ones", r#"delete the segment "seven big seats""#),
        ("«the «Blue Door»{cab.to}»{food.name}, please", r#"shorten "the Blue Door" to "Blue Door""#),
        ("««Sushi»{food.name} today»{food.name} or «Sushi»{food.name} later, Sushi never", r#"delete the segment "Sushi today""#),
        ("««Blue Door»{food.name} at»{food.name} noon, Blue Door", r#"delete the segment "Blue Door at""#),
        ("««8»{meal.guests.accept + meal.guests.accept} people»{meal.guests.accept + meal.guests.accept}", r#"delete the segment "8 people""#),
    ];
    for (said, first) in first {
        let dialog = notation::dialog(&format!("user: {said}"));
        let found = found_in(&dialog, &only("span-overlap"));
        assert_eq!(found[0].fixes[0].title, first, "{said}");
    }
}

#[test]
fn of_labels_in_conflict_the_known_one_is_offered_first() {
    let line = |labels: &str| {
        notation::dialog(&format!(
            "user: «noon»{{{labels}}} for «two»{{restaurant_reservation.num.guests}}"
        ))
    };
    let right = "restaurant_reservation.time.reservation";
    let wrong = "restaurant_reservation.time.reservatio";
    for labels in [format!("{wrong} + {right}"), format!("{right} + {wrong}")] {
        let found = found_in(&line(&labels), &only("label-conflict"));
        assert_eq!(first_fix(&found).0, format!("keep {right}"));
    }
    // Even if most labels are misspelt, the known one is not a safe fix.
    let found = found_in(&line(&format!("{wrong} + {wrong} + {right}")), &only("label-conflict"));
    let expected = format!("keep {right}");
    assert_eq!(first_fix(&found), (expected.as_str(), Applicability::Display));
}

/// A turn with calls of Taskmaster-4, each with its name, request and response, whose annotations `change` may spoil.
fn coffee(
    said: &str,
    calls: [(&str, Value, Value); 2],
    change: impl FnOnce(&mut Vec<Value>),
) -> Value {
    let mut annotations = Vec::new();
    for (number, (api, request, response)) in calls.into_iter().enumerate() {
        let (call, answer) = (format!("api_call_{number}"), format!("api_response_{number}"));
        annotations.extend([
            json!({"name": "api_call", "value": api, "context": call}),
            json!({"name": "request", "value": request.to_string(), "context": call}),
            json!({"name": "api_response", "value": api, "context": answer}),
            json!({"name": "response", "value": response.to_string(), "context": answer}),
        ]);
    }
    change(&mut annotations);
    json!({"conversation_id": "d", "vertical": "Coffee", "utterances": [
        {"index": 0, "speaker": "user", "text": said, "annotations": annotations}]})
}

/// Two calls that are right unless `change` spoils them.
fn order(change: impl FnOnce(&mut Vec<Value>)) -> Value {
    let calls = [
        ("get_addons", json!({"menu_item_id": "latte-2210"}), json!({"addons": []})),
        ("show_menu", json!({}), json!({"menu": []})),
    ];
    coffee("a latte, and what else is there?", calls, change)
}

fn order_problems(change: impl FnOnce(&mut Vec<Value>)) -> Vec<Diagnostic> {
    let mut selection = only("api-call-without-request");
    selection.select("api-unknown-name").unwrap();
    found_in(&order(change).to_string(), &selection)
}

#[test]
fn every_piece_of_a_call_is_checked() {
    assert!(order_problems(|_| {}).is_empty());
    for piece in 0..4 {
        let lost = order_problems(|all| drop(all.remove(piece)));
        assert!(!lost.is_empty(), "{piece}");
        let slipped = order_problems(|all| {
            let context = all[piece]["context"].as_str().unwrap().replace('0', "7");
            all[piece]["context"] = json!(context);
        });
        assert!(!slipped.is_empty(), "{piece}");
    }
    let without = order_problems(|all| drop(all.drain(2..4)));
    assert_eq!(without[0].message, "get_addons has no response");
}

/// An id is changed to the one that the turn names, and never to another thing of the same number.
#[test]
fn ids_are_repaired_to_what_was_asked_for() {
    let repair = |said: &str, id: &str| {
        let returned = json!({"addons": [{"addon_id": "caramel-sauce-015"}, {"addon_id": "vanilla-sweetener-011"}, {"addon_id": "sf-vanilla-sweetener-012"}]});
        let calls = [
            ("get_addons", json!({}), returned),
            ("add_addon", json!({"addon_id": id}), json!({})),
        ];
        let dialog = coffee(said, calls, |_| ());
        let found = found_in(&dialog.to_string(), &only("api-argument-unsupported"));
        assert_eq!(found.len(), 1, "{said}: {found:?}");
        found[0].fixes.first().map(|fix| fix.title.clone())
    };
    let (caramel, vanilla) = ("change to caramel-sauce-015", "change to vanilla-sweetener-011");
    for (said, id, meant) in [
        ("yes please", "caramel-sauce-15", Some(caramel)),
        ("caramel please", "caramel-sauce-15", Some(caramel)),
        ("add vanilla", "caramel-sauce-15", Some(vanilla)),
        ("yes please", "vanilla-syrup-011", Some(vanilla)),
        ("yes please", "mocha-011", None),
    ] {
        assert_eq!(repair(said, id).as_deref(), meant, "{said}, {id}");
    }
}

#[test]
fn a_request_that_slipped_is_not_added_again() {
    let slipped = order_problems(|all| all[5]["context"] = json!("api_call_7"));
    let lacks = slipped.iter().find(|d| d.message == "show_menu has no request");
    assert!(lacks.unwrap().fixes.is_empty(), "{slipped:?}");
    let lost = order_problems(|all| drop(all.remove(5)));
    assert_eq!(first_fix(&lost), ("add the request {}", Applicability::Safe));
}

#[test]
fn a_call_and_its_response_get_one_name() {
    for (piece, rule, applicability) in [
        (0, "api-unknown-name", Applicability::Unsafe),
        (2, "api-call-without-request", Applicability::Safe),
    ] {
        let spoil = |all: &mut Vec<Value>| all[piece]["value"] = json!("egt_addons");
        let found = order_problems(spoil);
        assert_eq!((found.len(), found[0].rule.name), (1, rule), "{found:?}");
        let all = Selection::default();
        let (after, fixed) = fixed(&order(spoil).to_string(), &all, applicability);
        assert!(fixed.skipped.is_empty(), "{fixed:?}");
        let after: Value = serde_json::from_str(&after).unwrap();
        assert_eq!(after, order(|_| {}));
    }
}

#[test]
fn a_segment_with_impossible_numbers_moves_to_its_quote() {
    let dialog = |text: &str, start: Value, end: Value| {
        json!({"conversation_id": "d", "instruction_id": "i", "utterances": [
            {"index": 0, "speaker": "USER", "text": text, "segments": [
                {"start_index": start, "end_index": end, "text": "Dune",
                 "annotations": [{"name": "movie"}]}]}]})
        .to_string()
    };
    let rule = only("schema");
    let once = dialog("Dune for two", json!(-1), json!(4));
    let found = found_in(&once, &rule);
    assert_eq!(first_fix(&found), ("move to 0..4, \"Dune\"", Applicability::Safe));
    let (after, _) = fixed(&once, &rule, Applicability::Safe);
    assert!(after.contains("\"start_index\":0") && after.contains("\"end_index\":4"));
    // Of two places the one with the number that is right.
    let twice = found_in(&dialog("Dune? Yes, Dune", json!(null), json!(15)), &rule);
    assert_eq!(first_fix(&twice), ("move to 11..15, \"Dune\"", Applicability::Safe));
    let either = found_in(&dialog("Dune? Yes, Dune", json!(-1), json!(-1)), &rule);
    assert!(either.iter().all(|d| d.fixes[0].applicability == Applicability::Display));
    let nowhere = found_in(&dialog("two for Heat", json!(-1), json!(4)), &rule);
    assert!(nowhere[0].fixes.is_empty());
}

/// Segments with the label of an argument count more than words that could be numbers or times.
#[test]
fn arguments_are_checked_against_the_segments_of_their_label() {
    let turns = "user: one «action»{name.genre} movie on «Friday»{date.showing}, \
        «three»{num.tickets} tickets for the «9:10pm»{time.showing} show please\n\
        user: «two»{num.tickets} kids, too\nassistant: Done.";
    let right = json!({"name.genre": "action", "date.showing": "Friday", "num.tickets": "three", "time.showing": "9:10pm"});
    let found = |arguments: &Value| {
        let mut dialog = notation::taskmaster_3(turns, "Movie Tickets");
        dialog["utterances"][2]["apis"] =
            json!([{"name": "find_movies", "index": 2, "args": arguments}]);
        found_in(&dialog.to_string(), &only("api-argument-unsupported"))
    };
    assert!(found(&right).is_empty());
    for (name, value) in [
        ("num.tickets", "five"),
        ("num.tickets", "2"),
        ("date.showing", "this Friday"),
        ("time.showing", "9:10"),
    ] {
        let mut arguments = right.clone();
        arguments[name] = value.into();
        assert!(found(&arguments).is_empty(), "{name}={value}");
    }
    for (name, value, meant) in [
        ("num.tickets", "seven", None),
        ("date.showing", "Sunday", Some("change to Friday")),
        ("name.genre", "horror", Some("change to action")),
        ("time.showing", "1:05pm", Some("change to 9:10pm")),
    ] {
        let mut arguments = right.clone();
        arguments[name] = value.into();
        let problems = found(&arguments);
        assert_eq!(problems.len(), 1, "{name}={value}: {problems:?}");
        let titles = problems[0].fixes.iter().map(|fix| fix.title.as_str());
        assert_eq!(titles.collect::<Vec<_>>(), Vec::from_iter(meant), "{name}");
        let is_unsafe = |fix: &Fix| fix.applicability == Applicability::Unsafe;
        assert!(problems[0].fixes.iter().all(is_unsafe));
    }
}

#[test]
fn a_field_that_is_empty_in_each_turn_is_one_problem() {
    let told = |ratings: [&str; 3]| {
        let turns = ratings.map(|rating| {
            json!({"message": "Do fish ever sleep?", "agent": "agent_1", "sentiment": "Neutral",
                "knowledge_source": ["FS1"], "turn_rating": rating})
        });
        let dialog = json!({"article_url": "x", "config": "A", "content": turns,
            "conversation_rating": {"agent_1": "Good", "agent_2": "Good"}});
        let found = found_in(&dialog.to_string(), &only("schema")).into_iter();
        found.map(|d| d.message).collect::<Vec<_>>()
    };
    assert_eq!(told(["", "", ""]), ["`turn_rating` is empty in all 3 turns"]);
    let two = told(["", "Good", ""]);
    assert!(two.len() == 2 && two[0].contains("`turn_rating`"), "{two:?}");
    assert_eq!(told(["", "x", ""]).len(), 3);
}
