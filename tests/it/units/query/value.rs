//! Tests of `src/query/value.rs`.

use turnwise::query::*;

#[test]
fn names_match_in_part_or_as_a_whole_with_wildcards() {
    let matches = |pattern: &str, name: &str| NamePattern::new(pattern).unwrap().matches(name);
    assert!(matches("date", "depart.Date"));
    assert!(!matches("Date", "depart.date"));
    assert!(matches("date.*", "date.movie"));
    assert!(!matches("date.*", "depart.date.movie"));
    assert!(matches("*.d?te", "depart.date"));
    assert!(matches("a+b*", "a+b+c"));
    assert!(matches("a***b*", "acbd"));
    assert!(!matches("a***b", "acbd"));
    assert!(matches(r"a.**", "a.b"));
    assert!(!matches(r"a.**", "ab"));
    let whole = NamePattern::whole("two").unwrap();
    assert!(whole.matches("Two"));
    assert!(!whole.matches("two tickets"));
}

#[test]
fn numbers_are_equal_however_they_are_spelled() {
    let is = |wanted: &str, value: &str| is_equal(&NamePattern::whole(wanted).unwrap(), value);
    for (one, other) in [
        ("1", "1.0"),
        ("1.50", "1.5"),
        ("100", "1e2"),
        ("1E+2", "100.00"),
        ("0", "-0.0"),
        ("-0.5", "-5e-1"),
        ("12345678901234567890123", "12345678901234567890123.0"),
        ("2", " 2"),
    ] {
        assert!(is(one, other) && is(other, one), "{one} {other}");
    }
    for (one, other) in [
        ("1", "-1"),
        ("12345678901234567890123", "12345678901234567890124"),
        ("7", "007"),
        ("1", "1."),
        ("1", "+1"),
        ("1", "one"),
        ("1e99999999999999999999", "2"),
        ("10", "1"),
    ] {
        assert!(!is(one, other) && !is(other, one), "{one} {other}");
    }
    assert!(is("1*", "12") && !is("1?", "1.0"));
}

#[test]
fn exact_names_are_closest() {
    let close = |name: &str, path: &str| NamePattern::new(name).unwrap().closeness(path);
    assert_eq!(close("reward", "Reward"), Some(Closeness::Exact));
    assert_eq!(close("reward", "info.reward"), Some(Closeness::End));
    assert_eq!(close("area", "hotel-area"), Some(Closeness::End));
    assert_eq!(close("a-b", "x.a-b"), Some(Closeness::End));
    assert_eq!(close("reward", "info.reward_info.r"), Some(Closeness::Part));
    assert_eq!(close("rewar?", "reward"), Some(Closeness::Exact));
    assert_eq!(close("rewar?", "info.reward"), None);
    assert_eq!(close("x", "reward"), None);
}

#[test]
fn capitals_in_escapes_do_not_make_case_matter() {
    let regex = |source| RegexPattern::new(source).unwrap().regex;
    assert!(regex(r"\Wtwo").is_match(" TWO"));
    assert!(!regex("Two").is_match("two"));
    let error = RegexPattern::new("a(").unwrap_err();
    assert_eq!(error, "unclosed group");
    assert!(RegexPattern::new("(a{1000}){1000}").is_err());
}
