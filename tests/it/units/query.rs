//! Prefilters, patterns, values, and what is being typed.

use turnwise::query::*;

#[test]
fn only_what_cannot_hit_is_ruled_out() {
    let may = |query: &str, bytes: &str| {
        let query = query.parse().unwrap();
        Prefilter::new(&query).may_hit(bytes.as_bytes())
    };
    assert!(may("two tick", r#"{"text":"Two tickets"}"#));
    assert!(!may("two tick", r#"{"text":"three tickets"}"#));
    assert!(!may("Two", r#"{"text":"two"}"#));
    assert!(may("Two", r#"{"text":"\u0054wo"}"#));
    assert!(!may("Two", r#"{"text":"caf\u00e9\u000a"}"#));
    assert!(may("été", r#"{"text":"\u00c9T\u00c9"}"#));
    assert!(may("世界", r#"{"text":"\u4e16\u754c"}"#));
    assert!(may("kelvin", "{\"text\":\"\u{212a}elvin\"}"));
    assert!(may("problem:", "{}"));
    let both = "speaker:user two";
    assert!(may(both, r#"{"speaker":"user","text":"Two"}"#));
    assert!(!may(both, r#"{"speaker":"user","text":"three"}"#));
    // A file may use any name for its users.
    assert!(may(both, r#"{"speaker":"U","text":"two"}"#));
    assert!(may("speaker:agent two", r#"{"say":"two"}"#));
    assert!(may(both, r#"{"speaker":"user","text":"\u0054wo"}"#));
    assert!(may(r#""one" or "two""#, "two"));
    assert!(!may(r#""one" or "two""#, "three"));
    assert!(may("one or problem:", "three"));
    assert!(may("not label:date", "three"));
    assert!(!may("label:date then api:book", "date"));
    assert!(may("label:date then api:book", "date book"));
}

#[test]
fn case_matters_only_where_it_is_written() {
    let find = |pattern: &str, text: &str| Pattern::new(pattern).find_all(text);
    assert_eq!(find("two", "Two or two"), [0..3, 7..10]);
    assert_eq!(find("Two", "Two or two"), [0..3]);
    assert_eq!(find("ÉT", "été ÉTÉ"), [6..9]);
    assert_eq!(find("é", "Ée\u{301}"), [0..2]);
    assert_eq!(find("aa", "aaaa"), [0..2, 2..4]);
    assert!(find("", "a").is_empty());
    assert_eq!(find("世界", "こんにちは世界"), [15..21]);
}

#[test]
fn condition_at_the_end_is_the_one_that_is_typed() {
    let last = |text| TypedCondition::last_of(text).map(|last| (last.key, last.value));
    assert_eq!(last("amc api:fi"), Some(("api", "fi".into())));
    assert_eq!(last("label:\"a b"), Some(("label", "a b".into())));
    assert_eq!(last("dialog(-label:a"), Some(("label", "a".into())));
    assert_eq!(last("label:\"a api:b"), Some(("label", "a api:b".into())));
    assert_eq!(last("label:a amc"), None);
    assert_eq!(last("label:a "), None);
    assert_eq!(last("amc"), None);
    let typed = TypedCondition::last_of("x -label:a").unwrap();
    assert_eq!(typed.replaced("x -label:a", "b c"), "x -label:\"b c\"");
}

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
