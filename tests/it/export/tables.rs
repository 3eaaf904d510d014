//! `tables`: CSV and JSON Lines for data frames.

use serde_json::json;

use super::{corpus, export, files, lines, read};

#[test]
fn every_kind_of_element_has_a_table() {
    let folder = corpus();
    export(folder.path(), "tables c.json -o t");
    let table = |name: &str| read(folder.path(), &format!("t/{name}.csv"));
    assert_eq!(files(&folder.path().join("t")).len(), 22);
    assert_eq!(
        table("turns"),
        "file,dialog,dialog_id,turn,index,speaker,role,text,gold\n\
        c.json,0,dlg-1,0,0,user,user,Two for Dune 🍿 at  nine,\n\
        c.json,0,dlg-1,1,1,assistant,system,\"At 21:00, \"\"sir\"\",\nok?\",\n\
        c.json,1,../x,0,0,user,user,,\n"
    );
    assert_eq!(
        table("segments"),
        "file,dialog,dialog_id,turn,segment,start,end,text,quote,label,annotator\n\
        c.json,0,dlg-1,0,0,8,12,Dune,Dune,name.movie,\n\
        c.json,0,dlg-1,0,0,8,12,Dune,Dune,title,\n\
        c.json,0,dlg-1,0,1,19,23,nine,nine,time,\n\
        c.json,0,dlg-1,0,2,17,23,  nine,  nine,time,\n\
        c.json,0,dlg-1,0,3,90,99,,gone,time,\n"
    );
    assert_eq!(
        table("calls"),
        "file,dialog,dialog_id,turn,call,name,arguments,response,answered_as\n\
        c.json,0,dlg-1,0,0,find,\"{\"\"name.movie\"\": \"\"Dune\"\", \"\"num\"\": 2}\",\"{\"\"time\"\": [\"\"21:00\"\"]}\",\n"
    );
    assert_eq!(
        table("arguments"),
        "file,dialog,dialog_id,turn,call,part,name,value\n\
        c.json,0,dlg-1,0,0,argument,name.movie,Dune\n\
        c.json,0,dlg-1,0,0,argument,num,2\n\
        c.json,0,dlg-1,0,0,response,time,\"[\"\"21:00\"\"]\"\n"
    );
    assert_eq!(
        table("fields"),
        "file,dialog,dialog_id,turn,element,number,name,value\n\
        c.json,0,dlg-1,,dialog,,vertical,Movie Tickets\n\
        c.json,1,../x,,dialog,,vertical,Movie Tickets\n"
    );
    assert!(
        table("problems").contains("c.json,0,dlg-1,0,3,span-out-of-range,error,"),
        "{}",
        table("problems")
    );
    let segment = json!({
        "file": "c.json", "dialog": 0, "dialog_id": "dlg-1", "turn": 0, "segment": 3,
        "start": 90, "end": 99, "text": null, "quote": "gone", "label": "time", "annotator": null,
    });
    assert_eq!(lines(folder.path(), "t/segments.jsonl")[4], segment);
}

/// A call of Gemini CLI may have several responses with members of one name.
#[test]
fn a_response_has_no_member_twice() {
    let folder = crate::support::scratch();
    let result = |text: &str| {
        format!(
            r#"{{"functionResponse": {{"id": "c", "name": "tide", "response": {{"output": "{text}"}}}}}}"#
        )
    };
    let text = format!(
        r#"{{"sessionId": "s", "projectHash": "h", "messages": [{{"type": "user", "content": "tide?"}},
        {{"type": "gemini", "content": "I look.", "toolCalls": [{{"id": "c", "name": "tide", "args": {{}}, "result": [{}, {}]}}]}}]}}"#,
        result("14:10"),
        result("15:20")
    );
    std::fs::write(folder.path().join("c.json"), text).unwrap();
    export(folder.path(), "tables c.json -o t");
    let call = &lines(folder.path(), "t/calls.jsonl")[0];
    assert_eq!(call["response"], r#"{"output": "14:10", "output_2": "15:20"}"#);
}
