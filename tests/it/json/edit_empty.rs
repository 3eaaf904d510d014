//! Empty arrays that get their first element.

use super::edit_layouts::with_segment;

#[test]
fn empty_arrays_are_filled_like_their_namesakes() {
    for (empty, blank) in [("[]", ""), ("[ ]", " "), ("[\n  ]", "\n  ")] {
        let others = format!(
            "{{\n  \"a\": {{\"segments\": [\n    {{\"text\": \"x\", \"start\": 1}}\n  ]}},\n  \"segments\": {empty}\n}}"
        );
        let filled =
            "[\n    {\"text\": \"new\", \"start\": 7, \"names\": [{\"name\": \"n\"}]}\n  ]";
        assert_eq!(
            with_segment(&others, "segments", 0),
            others.replace(&format!(": [{blank}]"), &format!(": {filled}"))
        );
    }
}

#[test]
fn empty_arrays_are_filled_like_the_text_around_them() {
    assert_eq!(
        with_segment(r#"{"segments":[]}"#, "segments", 0),
        r#"{"segments":[{"start":7,"text":"new","names":[{"name":"n"}]}]}"#
    );
    assert_eq!(
        with_segment(r#"{"id": "a", "segments": []}"#, "segments", 0),
        r#"{"id": "a", "segments": [{"start": 7, "text": "new", "names": [{"name": "n"}]}]}"#
    );
    // There is no other array to imitate: it is written like the object around it, one value per line.
    let before = "{\n  \"id\": \"a\",\n  \"segments\": []\n}";
    let after = "{
  \"id\": \"a\",
  \"segments\": [
    {
      \"start\": 7,
      \"text\": \"new\",
      \"names\": [
        {
          \"name\": \"n\"
        }
      ]
    }
  ]
}";
    assert_eq!(with_segment(before, "segments", 0), after);
}
