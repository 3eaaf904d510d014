//! Tests of `src/json/output.rs`.

use serde_json::json;
use turnwise::json::output::*;

#[test]
fn everything_else_is_as_the_library_writes_it() {
    let value = json!({"a\"\\/": [1.5, "é世👍\u{200d}\u{ad}", true], "b": {}, "c": {"d": []}});
    assert_eq!(to_string(&value).unwrap(), value.to_string());
    let pretty = serde_json::to_string_pretty(&value).unwrap();
    assert_eq!(to_string_pretty(&value).unwrap(), pretty);
}
