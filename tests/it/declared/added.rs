//! New elements, and changed ones, have what their neighbours have: canonical values, values and quotes.

use turnwise::dialog::Edit;
use turnwise::format::{Family, named};

use super::{declared, edited, read};

fn after(format: &str, text: &str, edit: &str) -> String {
    let edit: Edit = serde_json::from_str(edit).unwrap();
    edited(named(format).unwrap(), text, &edit).unwrap().text
}

/// A dialog of SGD with these acts and slots in its second turn.
fn sgd(acts: &str, slots: &str) -> String {
    format!(
        r#"{{"dialogue_id": "1_0", "services": ["Gardens_1"], "turns": [
  {{"speaker": "USER", "utterance": "Is one open tomorrow?", "frames": [{{"service": "Gardens_1", "slots": [],
    "actions": [{{"act": "INFORM", "canonical_values": ["2019-03-02"], "slot": "date", "values": ["tomorrow"]}}]}}]}},
  {{"speaker": "SYSTEM", "utterance": "One in Ghent.", "frames": [{{"service": "Gardens_1", "slots": [{slots}],
    "actions": [{acts}]}}]}}]}}"#
    )
}

const CITY: &str =
    r#"{"act": "OFFER", "canonical_values": ["Ghent"], "slot": "city", "values": ["Gent"]}"#;

#[test]
fn a_new_act_has_canonical_values_where_others_have_them() {
    let add = |slots: &str| {
        let edit = format!(r#"{{"edit":"add_act","turn":1,"name":"INFORM","slots":[{slots}]}}"#);
        after("sgd", &sgd(CITY, ""), &edit)
    };
    let act = |rest: &str| sgd(&format!("{CITY}, {{\"act\": \"INFORM\", {rest}}}"), "");
    assert_eq!(
        add(r#"{"slot":"price","value":"free"}"#),
        act(r#""canonical_values": ["free"], "slot": "price", "values": ["free"]"#)
    );
    // As the dialog has it elsewhere.
    assert_eq!(
        add(r#"{"slot":"date","value":"tomorrow"}"#),
        act(r#""canonical_values": ["2019-03-02"], "slot": "date", "values": ["tomorrow"]"#)
    );
    assert_eq!(add(""), act(r#""canonical_values": [], "slot": "", "values": []"#));
    // Not where others have none.
    let text = sgd(&CITY.replace(r#""canonical_values": ["Ghent"], "#, ""), "");
    let text = text.replace(r#""canonical_values": ["2019-03-02"], "#, "");
    let edit =
        r#"{"edit":"add_act","turn":1,"name":"INFORM","slots":[{"slot":"price","value":"free"}]}"#;
    let added = after("sgd", &text, edit);
    let new = r#", {"act": "INFORM", "slot": "price", "values": ["free"]}]"#;
    assert!(added.contains(new) && !added.contains("canonical"), "{added}");
}

#[test]
fn canonical_values_follow_the_values() {
    let set = |acts: &str, name: &str, slots: &str| {
        let edit =
            format!(r#"{{"edit":"set_act","turn":1,"act":0,"name":"{name}","slots":[{slots}]}}"#);
        after("sgd", &sgd(acts, ""), &edit)
    };
    let city = |value: &str| format!(r#"{{"slot":"city","value":"{value}"}}"#);
    let two = format!("{}, {}", city("Gent"), city("Brugge"));
    let both = CITY.replace("[\"Ghent\"]", "[\"Ghent\", \"Brugge\"]");
    let both = both.replace("[\"Gent\"]", "[\"Gent\", \"Brugge\"]");
    let none = CITY.replace("\"Ghent\"", "").replace("\"city\"", "\"\"").replace("\"Gent\"", "");
    let date = CITY.replace("Ghent", "2019-03-02").replace("city", "date");
    let tomorrow = r#"{"slot":"date","value":"tomorrow"}"#.to_owned();
    for (acts, name, slots, after) in [
        (CITY, "OFFER", city("Gand"), CITY.replace("Ghent", "Gand").replace("Gent", "Gand")),
        // Those of values that stay, stay.
        (CITY, "INFORM", city("Gent"), CITY.replace("OFFER", "INFORM")),
        (CITY, "OFFER", two, both.clone()),
        (&both, "OFFER", city("Gent"), CITY.to_owned()),
        (CITY, "OFFER", String::new(), none),
        (CITY, "OFFER", tomorrow, date.replace("Gent", "tomorrow")),
    ] {
        assert_eq!(set(acts, name, &slots), sgd(&after, ""), "{name} {slots}");
    }
}

#[test]
fn a_new_segment_quotes_its_words_where_others_do() {
    let slot = |more: &str| format!(r#"{{"slot": "city", "start": 7, "exclusive_end": 12{more}}}"#);
    let edit = r#"{"edit":"add_segment","turn":1,"start":0,"end":3,"labels":["Gardens_1.count"]}"#;
    for value in ["", ", \"value\": \"Ghent\""] {
        let before = sgd(CITY, &slot(value));
        let new = value.replace("Ghent", "One");
        let new =
            format!(r#"{{"slot": "count", "start": 0, "exclusive_end": 3{new}}}, {}"#, slot(value));
        assert_eq!(after("sgd", &before, edit), sgd(CITY, &new));
    }
    // In the order of its neighbours.
    let first = r#"{"value": "Ghent", "slot": "city", "start": 7, "exclusive_end": 12}"#;
    let added = after("sgd", &sgd(CITY, first), edit);
    let new =
        format!(r#"{{"value": "One", "slot": "count", "start": 0, "exclusive_end": 3}}, {first}"#);
    assert_eq!(added, sgd(CITY, &new));
}

/// A dialog of `MultiWOZ` with one segment.
fn multiwoz(text: &str, quote: &str, place: &str) -> String {
    format!(
        r#"{{"goal": {{}}, "log": [{{"text": "{text}", "metadata": {{}}, "dialog_act": {{}}, "span_info": [["Hotel-Inform", "Area", "{quote}", {place}]]}}]}}"#
    )
}

#[test]
fn a_quote_is_changed_alone() {
    let text = "in the east or the West End please";
    let before = multiwoz(text, "east", "5, 6");
    let edit = r#"{"edit":"set_quote","turn":0,"segment":0,"text":"\u00e9ast"}"#;
    assert_eq!(after("multiwoz", &before, edit), multiwoz(text, "éast", "5, 6"));
    let edit = r#"{"edit":"set_quote","turn":0,"segment":0}"#;
    let covered = multiwoz(text, "West End", "5, 6");
    assert_eq!(after("multiwoz", &before, edit), covered);
    assert_eq!(after("multiwoz", &covered, edit), covered);
    // In ConvLab-3, an act has its value from the same place.
    let convlab = |value: &str| {
        format!(
            r#"{{"dialogue_id": "d", "turns": [{{"speaker": "user", "utterance": "{text}", "utt_idx": 0, "dialogue_acts": {{"categorical": [], "non-categorical": [{{"intent": "inform", "domain": "hotel", "slot": "area", "value": "{value}", "start": 7, "end": 11}}], "binary": []}}}}]}}"#
        )
    };
    assert_eq!(after("convlab", &convlab("west"), edit), convlab("east"));
    // Segments of SGD have no quotes.
    let slot = r#"{"slot": "city", "start": 7, "exclusive_end": 12}"#;
    let edit = Edit::SetQuote { turn: 1, segment: 0, text: None };
    let refused = edited(named("sgd").unwrap(), &sgd(CITY, slot), &edit).unwrap_err();
    let why = "the quote cannot be edited: the segment has no quote";
    assert_eq!(refused.to_string(), why);
}

#[test]
fn a_quote_that_was_the_words_of_its_span_follows_it() {
    let text = "in the east or the West End please";
    let set = |before: &str, start: u32, end: u32| {
        let edit =
            format!(r#"{{"edit":"set_span","turn":0,"segment":0,"start":{start},"end":{end}}}"#);
        after("multiwoz", before, &edit)
    };
    let east = multiwoz(text, "east", "2, 2");
    let west = multiwoz(text, "West End", "5, 6");
    assert_eq!(set(&east, 5, 7), west);
    assert_eq!(set(&west, 2, 3), east);
    // A normalised value stays, but one in lower case is still the words.
    assert_eq!(set(&multiwoz(text, "eastern", "2, 2"), 5, 7), multiwoz(text, "eastern", "5, 6"));
    let lower = multiwoz(text, "west end", "5, 6");
    assert_eq!(set(&lower, 5, 6), multiwoz(text, "west", "5, 5"));
    assert_eq!(set(&multiwoz(text, "west", "5, 5"), 5, 7), lower);
    // A text that shrinks a segment is a move, too; one that only shifts it is not.
    let edit =
        r#"{"edit":"set_text","turn":0,"text":"in the east or the End please","shrink":true}"#;
    let shorter = "in the east or the End please";
    assert_eq!(after("multiwoz", &west, edit), multiwoz(shorter, "End", "5, 5"));
    let edit = r#"{"edit":"set_text","turn":0,"text":"oh in the east or the West End please"}"#;
    let shifted = format!("oh {text}");
    assert_eq!(after("multiwoz", &west, edit), multiwoz(&shifted, "West End", "6, 7"));
    // The same with characters, and in a format of one's own.
    let own = "name = \"own\"\nhas = [\"turns[*].text\"]\n[turn]\nat = \"turns[*]\"\ntext = \"text\"\n\
               [span]\nat = \"s[*]\"\nstart = \"f\"\nend = \"t\"\nlabel = \"l\"\nquote = \"q\"\n\
               quoted = \"normalised\"\n";
    let own: &'static Family = declared(own);
    let dialog =
        r#"{"turns":[{"text":"caf\u00e9 or bar","s":[{"f":0,"t":4,"q":"caf\u00e9","l":"x"}]}]}"#;
    let edit = |start: u32, end: u32| Edit::SetSpan { turn: 0, segment: 0, start, end };
    let moved = edited(own, dialog, &edit(8, 11)).unwrap().text;
    assert_eq!(
        moved,
        dialog.replace(r#""f":0,"t":4,"q":"caf\u00e9""#, r#""f":8,"t":11,"q":"bar""#)
    );
    assert_eq!(edited(own, &moved, &edit(0, 4)).unwrap().text, dialog);
}

#[test]
fn canonical_is_a_list_beside_values() {
    let own = |act: &str| {
        let text = format!(
            "name = \"own\"\nhas = [\"turns[*].text\"]\n[turn]\nat = \"turns[*]\"\ntext = \"text\"\n\
             [act]\nat = \"acts[*]\"\nname = \"act\"\n{act}"
        );
        turnwise::format::Family::read_from(&text, None).map_err(|e| e.to_string())
    };
    let wrong =
        "9:14: `canonical` is a list beside the list of `values`, so both must end in `[*]`";
    for act in [
        "canonical = \"c[*]\"",
        "canonical = \"c\"\nvalues = \"v[*]\"",
        "canonical = \"c[*]\"\nvalues = \"v\"",
    ] {
        let error = own(act).err().unwrap();
        assert!(error.ends_with(&wrong[6..]), "{error}");
    }
    let format = own("slot = \"s\"\nvalues = \"v[*]\"\ncanonical = \"c[*]\"").ok().unwrap().keep();
    let dialog = r#"{"turns":[{"text":"hi","acts":[{"act":"a","s":"x","v":["b"],"c":[1]}]}]}"#;
    assert_eq!(read(format, dialog).turns[0].acts[0].slots.len(), 1);
    let edit = r#"{"edit":"set_act","turn":0,"act":0,"name":"a","slots":[{"slot":"x","value":"b"},{"slot":"x","value":2}]}"#;
    let after = edited(format, dialog, &serde_json::from_str(edit).unwrap()).unwrap();
    assert_eq!(after.text, dialog.replace("[\"b\"]", "[\"b\",2]").replace("[1]", "[1,2]"));
}
