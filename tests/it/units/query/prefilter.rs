//! Tests of `src/query/prefilter.rs`.

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
