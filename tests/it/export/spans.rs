//! `spacy`, `doccano` and `conll`: texts with their segments.

use serde_json::json;

use super::{corpus, export, lines, read};

#[test]
fn doccano_counts_code_points() {
    let folder = corpus();
    export(folder.path(), "doccano c.json -o out.jsonl");
    let first = json!({
        "text": "Two for Dune 🍿 at  nine",
        "label": [[8, 12, "name.movie"], [8, 12, "title"], [17, 23, "time"], [19, 23, "time"]],
        "file": "c.json", "dialog": 0, "dialog_id": "dlg-1", "turn": 0, "speaker": "user",
    });
    assert_eq!(lines(folder.path(), "out.jsonl")[0], first);
}

/// Tokens end where words and spans end; text and spaces are those of the turn.
#[test]
fn spans_cover_whole_tokens() {
    let folder = corpus();
    export(folder.path(), "spacy c.json -o out.jsonl");
    let line = &lines(folder.path(), "out.jsonl")[0];
    let expected = json!([
        {"start": 8, "end": 12, "label": "name.movie", "token_start": 2, "token_end": 2, "segment": 0},
        {"start": 8, "end": 12, "label": "title", "token_start": 2, "token_end": 2, "segment": 0},
        {"start": 17, "end": 23, "label": "time", "token_start": 5, "token_end": 6, "segment": 2},
        {"start": 19, "end": 23, "label": "time", "token_start": 6, "token_end": 6, "segment": 1},
    ]);
    assert_eq!(line["spans"], expected);
    let tokens = json!([
        {"text": "Two", "start": 0, "end": 3, "id": 0, "ws": true},
        {"text": "for", "start": 4, "end": 7, "id": 1, "ws": true},
        {"text": "Dune", "start": 8, "end": 12, "id": 2, "ws": true},
        {"text": "🍿", "start": 13, "end": 14, "id": 3, "ws": true},
        {"text": "at", "start": 15, "end": 17, "id": 4, "ws": false},
        {"text": "  ", "start": 17, "end": 19, "id": 5, "ws": false},
        {"text": "nine", "start": 19, "end": 23, "id": 6, "ws": false},
    ]);
    assert_eq!(line["tokens"], tokens);
    let meta =
        json!({"file": "c.json", "dialog": 0, "dialog_id": "dlg-1", "turn": 0, "speaker": "user"});
    assert_eq!(line["meta"], meta);
}

#[test]
fn conll_has_one_tag_for_each_token() {
    let folder = corpus();
    let ran = export(folder.path(), "conll c.json -o -");
    let place = |turn: u32, speaker: &str| {
        format!(
            "# {{\"file\":\"c.json\",\"dialog\":0,\"dialog_id\":\"dlg-1\",\"turn\":{turn},\"speaker\":\"{speaker}\"}}\n"
        )
    };
    let expected = [
        place(0, "user"),
        "Two\tO\nfor\tO\nDune\tB-name.movie\n🍿\tO\nat\tO\nnine\tB-time\n\n".to_owned(),
        place(1, "assistant"),
        "At\tO\n21\tO\n:\tO\n00\tO\n,\tO\n\"\tO\nsir\tO\n\"\tO\n,\tO\nok\tO\n?\tO\n\n".to_owned(),
    ];
    assert_eq!(ran.out, expected.concat());
    assert!(ran.err.contains("2 overlapping labels"), "{}", ran.err);
    assert_eq!(read(folder.path(), "c.json"), super::CORPUS);
}
