//! Tests of `src/lint/facts/value.rs`.

use turnwise::lint::facts::value::*;

#[test]
fn times_are_read_however_they_are_spelled() {
    let read = |text| Time::read(text).map(|t| (t.hour(), t.minutes % 60, t.afternoon));
    let evening = Some((9, 10, Some(true)));
    for text in ["9:10pm", "9.10 pm", "9:10 P.M.", "at 9:10pm", "the 9:10pm show", "21:10"] {
        assert_eq!(read(text), evening, "{text}");
    }
    assert_eq!(read("7 p.m."), Some((7, 0, Some(true))));
    assert_eq!(read("nine thirty"), Some((9, 30, None)));
    assert_eq!(read("half past nine"), Some((9, 30, None)));
    assert_eq!(read("quarter to one"), Some((12, 45, None)));
    assert_eq!(read("7 o'clock"), Some((7, 0, None)));
    assert_eq!(read("12am"), Some((12, 0, Some(false))));
    for text in ["", "around 8", "tonight", "9:1", "25", "9:10pm or 4pm", "later"] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn values_with_equal_meaning_do_not_differ() {
    assert!(differ(ValueKind::Time, "9:10pm", "4:30pm"));
    assert!(differ(ValueKind::Time, "9pm", "9am"));
    assert!(!differ(ValueKind::Time, "9.10pm", "9:10"));
    assert!(!differ(ValueKind::Time, "9:10pm", "the late one"));
    assert!(differ(ValueKind::Number, "three", "2 tickets"));
    assert!(!differ(ValueKind::Number, "3", "me and two friends"));
    assert!(!differ(ValueKind::Number, "three", "Three tickets"));
    assert!(differ(ValueKind::Name, "AMC Mercado 24", "AMC Mountain 16"));
    assert!(differ(ValueKind::Name, "AMC Mercado 24", "AMC Mercado 20"));
    assert!(!differ(ValueKind::Name, "the Mountain 16", "AMC Mountain 16"));
    assert!(!differ(ValueKind::Name, "AMC Mercardo 24", "AMC Mercado 24"));
    assert!(!differ(ValueKind::Other, "tonight", "tomorrow"));
}
