//! Judgements beside a corpus in the exports: training data, tables, predictions, overlays.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{export, lines, read};
use crate::support::{TempDir, run_in, scratch};

fn said(role: &str, text: &str) -> Value {
    json!({"role": role, "content": text})
}

/// Four chats of two questions and answers each.
fn chats() -> TempDir {
    let chat = |id: usize| {
        let all = [
            said("user", "Hi"),
            said("assistant", &format!("Hello {id}")),
            said("user", "Book it"),
            said("assistant", &format!("Booked {id}")),
        ];
        json!({"id": format!("d{id}"), "messages": all}).to_string() + "\n"
    };
    let folder = scratch();
    let text: String = (0..4).map(chat).collect();
    fs::write(folder.path().join("c.jsonl"), text).unwrap();
    folder
}

/// Writes the judgements of an annotator.
fn judge(folder: &Path, by: &str, judgements: &[Value]) {
    let line = |judgement: &Value| {
        let mut judgement = judgement.clone();
        judgement["by"] = by.into();
        judgement.to_string() + "\n"
    };
    let text: String = judgements.iter().map(line).collect();
    fs::create_dir_all(folder.join("judgements")).unwrap();
    let name = by.replace("model:", "");
    fs::write(folder.join(format!("judgements/{name}.jsonl")), text).unwrap();
}

fn verdict(dialog: &str, value: &str, at: Option<usize>) -> Value {
    let mut judgement =
        json!({"dialog": dialog, "scheme": "success", "question": "verdict", "value": value});
    if let Some(at) = at {
        judgement["at"] = at.into();
    }
    judgement
}

/// The last message of the prompt, the completion, and the label of each line.
fn rows(folder: &Path, name: &str) -> Vec<(usize, String, bool)> {
    let row = |line: Value| {
        let texts = line["completion"].as_array().unwrap().iter();
        let texts: Vec<_> = texts.map(|message| message["content"].as_str().unwrap()).collect();
        let prompt = line["prompt"].as_array().unwrap().len();
        (prompt, texts.join("|"), line["label"].as_bool().unwrap())
    };
    lines(folder, name).into_iter().map(row).collect()
}

#[test]
fn verdicts_say_which_answers_are_good() {
    let folder = chats();
    let path = folder.path();
    let verdicts = [
        verdict("d0", "pass", None),
        verdict("d1", "fail", Some(3)),
        verdict("d2", "fail", Some(1)),
        verdict("d3", "defer", None),
    ];
    judge(path, "mk", &verdicts);
    judge(
        path,
        "js",
        &[verdict("d0", "pass", None), verdict("d1", "pass", None), verdict("d2", "fail", Some(3))],
    );
    let mut by_model = verdict("d3", "pass", None);
    by_model["run"] = "r".into();
    judge(path, "model:r", &[by_model, json!({"dialog": "d0", "note": "n", "run": "r"})]);
    let row = |prompt, text: &str, label| (prompt, text.to_owned(), label);
    let kto = "kto c.jsonl --question verdict --scheme success -o";
    let ran = export(path, &format!("{kto} all.jsonl"));
    let all = [row(1, "Hello 0", true), row(3, "Booked 0", true), row(1, "Hello 2", false)];
    assert_eq!(rows(path, "all.jsonl"), all);
    let err = "turnwise: kto leaves out 1 answer that is neither good nor bad, 1 other judgement, \
        1 question without a majority\n";
    assert_eq!((ran.code, ran.err.as_str()), (0, err));
    export(path, &format!("{kto} mk.jsonl --annotator mk"));
    let own = [all[0].clone(), all[1].clone(), row(3, "Booked 1", false), all[2].clone()];
    assert_eq!(rows(path, "mk.jsonl"), own);
    // A model has to be named; its run will do.
    export(path, &format!("{kto} r.jsonl --annotator r"));
    let by_model = [row(1, "Hello 3", true), row(3, "Booked 3", true)];
    assert_eq!(rows(path, "r.jsonl"), by_model);
    // A query chooses turns.
    let ran = run_in(
        path,
        &[
            "export",
            "kto",
            "c.jsonl",
            "--question",
            "verdict",
            "--scheme",
            "success",
            "-o",
            "q.jsonl",
            "--query",
            "Booked",
        ],
        "",
    );
    assert_eq!(rows(path, "q.jsonl"), [row(3, "Booked 0", true)], "{}", ran.err);
}

#[test]
fn any_question_with_two_sides_can_be_exported() {
    let folder = chats();
    let path = folder.path();
    let scheme = "name = \"tone\"\n[[question]]\nname = \"polite\"\nof = \"turn\"\nkind = \"yes-no\"\n\
        [[question]]\nname = \"grade\"\nof = \"turn\"\nkind = \"scale\"\n\
        values = [{ name = 1 }, { name = 2 }, { name = 3 }]\n\
        [[question]]\nname = \"cut\"\nof = \"segment\"\nkind = \"yes-no\"\n\
        [[question]]\nname = \"code\"\nof = \"dialog\"\nkind = \"tags\"\n";
    fs::write(path.join("judging.toml"), scheme).unwrap();
    let answer = |question: &str, turn: usize, value: Value| json!({"dialog": "d0", "turn": turn, "scheme": "tone", "question": question, "value": value});
    judge(
        path,
        "mk",
        &[
            answer("polite", 1, true.into()),
            answer("polite", 3, false.into()),
            answer("grade", 1, 2.into()),
            answer("grade", 3, 3.into()),
            answer("grade", 2, 9.into()),
        ],
    );
    let labels = |name: &str| -> Vec<(usize, bool)> {
        let rows = rows(path, name).into_iter();
        rows.map(|(prompt, _, label)| (prompt, label)).collect()
    };
    let ran = export(path, "kto c.jsonl --question polite -o polite.jsonl");
    assert_eq!(labels("polite.jsonl"), [(1, true), (3, false)], "{}", ran.err);
    let ran = export(path, "kto c.jsonl --question grade --good 2,3 --bad 1 -o g.jsonl");
    assert_eq!(labels("g.jsonl"), [(1, true), (3, true)]);
    assert!(ran.err.contains("1 answer that the question does not take"), "{}", ran.err);
    for (wrong, why) in [
        ("kto c.jsonl --question grade", "name the values that are good and bad"),
        ("kto c.jsonl --question grade --good 7", "takes 1, 2, 3, not \"7\""),
        ("kto c.jsonl --question cut", "not about an answer"),
        ("kto c.jsonl --question code", "neither good nor bad"),
        ("kto c.jsonl --question colour", "no scheme here asks \"colour\""),
        ("dpo c.jsonl --question polite", "dpo needs a question about pairs"),
        ("dpo c.jsonl", "--since"),
        ("chat c.jsonl --question polite", "--question is for dpo and kto"),
        ("kto c.jsonl --annotator mk", "--annotator needs --question"),
        ("chat c.jsonl --annotator mk", "--annotator is for labels"),
        ("labels c.jsonl --annotator mk --query x", "leave out --query"),
    ] {
        let ran = export(path, &format!("{wrong} -o no.jsonl"));
        assert!(ran.code == 2 && ran.err.contains(why), "{wrong}: {}", ran.err);
        assert!(!path.join("no.jsonl").exists(), "{wrong}");
    }
}

/// Four pairs: two of preference data, one of an arena, and one whose prompts differ.
fn pairs() -> TempDir {
    let preference = |id: &str| {
        json!({
            "id": id,
            "prompt": [said("user", "Name a bridge.")],
            "chosen": [said("assistant", "The old one.")],
            "rejected": [said("assistant", "No."), said("user", "Really?"), said("assistant", "Yes.")],
        })
    };
    let arena = |id: &str, first: &str| {
        json!({
            "conversation_id": id,
            "conversation_a": [said("user", "Name a bridge."), said("assistant", "A.")],
            "conversation_b": [said("user", first), said("assistant", "B.")],
        })
    };
    let all = [
        preference("one"),
        preference("two"),
        arena("arena", "Name a bridge."),
        arena("apart", "Name a river."),
        preference("three"),
    ];
    let folder = scratch();
    let text = all.map(|pair| pair.to_string() + "\n").concat();
    fs::write(folder.path().join("p.jsonl"), text).unwrap();
    folder
}

#[test]
fn judged_pairs_become_preferences() {
    let folder = pairs();
    let path = folder.path();
    let better = |dialog: &str, side: &str| json!({"dialog": dialog, "scheme": "preference", "question": "preference", "value": side});
    judge(
        path,
        "mk",
        &[
            better("one", "rejected"),
            better("two", "both-bad"),
            better("arena", "conversation_b"),
            better("apart", "conversation_a"),
            better("three", "tie"),
        ],
    );
    let ran = export(path, "dpo p.jsonl --question preference -o dpo.jsonl");
    let prompt = || json!([said("user", "Name a bridge.")]);
    let expected = [
        json!({
            "prompt": prompt(),
            "chosen": [said("assistant", "No."), said("user", "Really?"), said("assistant", "Yes.")],
            "rejected": [said("assistant", "The old one.")],
        }),
        json!({
            "prompt": prompt(),
            "chosen": [said("assistant", "B.")],
            "rejected": [said("assistant", "A.")],
        }),
    ];
    assert_eq!(lines(path, "dpo.jsonl"), expected);
    let err = "turnwise: dpo leaves out 1 pair of which both are bad, \
        1 pair that does not answer one prompt, 1 tie\n";
    assert_eq!((ran.code, ran.err.as_str()), (0, err));
    let ran = export(path, "kto p.jsonl --question preference -o kto.jsonl");
    let row = |text: &str, label| (1, text.to_owned(), label);
    let expected = [
        row("No.|Really?|Yes.", true),
        row("The old one.", false),
        row("The old one.", false),
        row("No.|Really?|Yes.", false),
        row("B.", true),
        row("A.", false),
    ];
    assert_eq!(rows(path, "kto.jsonl"), expected);
    assert!(ran.err.contains("1 tie"), "{}", ran.err);
    // Two who disagree prefer nothing, with a share that no majority has neither does one.
    judge(path, "js", &[better("one", "chosen")]);
    let ran = export(path, "dpo p.jsonl --question preference -o two.jsonl");
    assert_eq!(lines(path, "two.jsonl").len(), 1);
    assert!(ran.err.contains("1 question without a majority"), "{}", ran.err);
    export(path, "dpo p.jsonl --question preference --annotator js -o js.jsonl");
    assert_eq!(lines(path, "js.jsonl")[0]["chosen"], json!([said("assistant", "The old one.")]));
    let ran = export(path, "kto p.jsonl --question preference --good tie -o no.jsonl");
    assert!(ran.code == 2 && ran.err.contains("leave out --good"), "{}", ran.err);
}

/// Judgements of everything that can be judged, by two people.
fn judged() -> TempDir {
    let folder = scratch();
    fs::write(folder.path().join("c.json"), super::CORPUS).unwrap();
    let path = folder.path();
    let mut fail = verdict("dlg-1", "fail", Some(1));
    fail["note"] = "no, \"nine\"".into();
    fail["when"] = "2026-03-01T00:00:00Z".into();
    fail["seconds"] = 12.into();
    let of = |question: &str, value: Value| json!({"dialog": "dlg-1", "scheme": "s", "question": question, "value": value});
    let mut rude = of("rude", false.into());
    rude["turn"] = 1.into();
    let mut good = of("good", 4.into());
    (good["turn"], good["span"]) = (0.into(), json!([19, 23]));
    let mut called = of("right", true.into());
    (called["turn"], called["call"]) = (0.into(), 0.into());
    let mut changed = of("rude", true.into());
    (changed["turn"], changed["quote"]) = (0.into(), "Two for Dune".into());
    let codes = of("code", json!(["late", "rude, too"]));
    judge(path, "mk", &[fail, codes, changed, good, called, rude]);
    let note = json!({"dialog": "../x", "note": "empty #odd", "tags": ["odd"]});
    judge(path, "js", &[verdict("dlg-1", "pass", None), note]);
    folder
}

#[test]
fn tables_have_a_row_for_each_judgement() {
    let folder = judged();
    let path = folder.path();
    let ran = export(path, "tables c.json -o t --strict");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let rows = lines(path, "t/judgements.jsonl");
    assert_eq!(rows.len(), 8);
    let of = |question: &str| -> Vec<&Value> {
        let rows = rows.iter();
        rows.filter(|row| row["question"] == question).collect()
    };
    let verdict = json!({
        "file": "c.json", "dialog": 0, "dialog_id": "dlg-1", "turn": null,
        "start": null, "end": null, "call": null, "scheme": "success", "question": "verdict",
        "value": "fail", "at": 1, "note": "no, \"nine\"", "tags": null, "annotator": "mk", "run": null,
        "when": "2026-03-01T00:00:00Z", "seconds": 12, "quote": null, "fits": "yes",
    });
    assert!(of("verdict").contains(&&verdict), "{rows:?}");
    assert_eq!(of("code")[0]["value"], "[\"late\",\"rude, too\"]");
    assert_eq!(
        (&of("good")[0]["value"], &of("good")[0]["start"], &of("good")[0]["end"]),
        (&"4".into(), &19.into(), &23.into())
    );
    let fits: Vec<_> = of("rude").iter().map(|row| (&row["value"], &row["fits"])).collect();
    assert_eq!(fits, [(&"no".into(), &"yes".into()), (&"yes".into(), &"no".into())]);
    assert_eq!(of("right")[0]["call"], 0);
    let note = rows.iter().find(|row| row["dialog"] == 1).unwrap();
    assert_eq!((&note["note"], &note["tags"]), (&"empty #odd".into(), &"[\"odd\"]".into()));
    let csv = read(path, "t/judgements.csv");
    assert!(
        csv.contains(
            ",success,verdict,fail,1,\"no, \"\"nine\"\"\",,mk,,2026-03-01T00:00:00Z,12,,yes\n"
        ),
        "{csv}"
    );
    // Those of the turns that a query finds, and of their dialogs.
    let all = ["export", "tables", "c.json", "-o", "q", "--query", "Dune"];
    assert_eq!(run_in(path, &all, "").code, 0);
    let turns: Vec<_> =
        lines(path, "q/judgements.jsonl").iter().map(|row| row["turn"].clone()).collect();
    assert!(!turns.contains(&1.into()) && turns.contains(&Value::Null), "{turns:?}");
}

#[test]
fn label_studio_gets_a_prediction_of_each_annotator() {
    let folder = judged();
    let path = folder.path();
    let ran = export(path, "label-studio c.json -o ls");
    for left_out in ["1 judgement of a call", "1 judgement of a text that has changed"] {
        assert!(ran.err.contains(left_out), "{}", ran.err);
    }
    let tasks: Value = serde_json::from_str(&read(path, "ls/tasks.json")).unwrap();
    let predictions = tasks[0]["predictions"].as_array().unwrap();
    let by: Vec<_> = predictions.iter().map(|of| of["model_version"].clone()).collect();
    assert_eq!(by, ["corpus", "js", "mk"]);
    let regions = |of: usize| predictions[of]["result"].as_array().unwrap();
    // Those who go on from a prediction have the segments, too.
    assert!(regions(0).iter().all(|region| regions(2).contains(region)));
    let named = |name: &str| -> Vec<&Value> {
        let own = regions(2).iter();
        own.filter(|region| region["from_name"] == name).collect()
    };
    assert_eq!(named("success.verdict")[0]["value"], json!({"choices": ["fail"]}));
    assert_eq!(named("success.verdict.turn")[0]["value"], json!({"number": 1}));
    assert_eq!(named("success.verdict.note")[0]["value"], json!({"text": ["no, \"nine\""]}));
    assert_eq!(named("s.code")[0]["value"], json!({"choices": ["late", "rude, too"]}));
    let [good, judged] = [named("s.good.part")[0], named("judged")[0]];
    assert_eq!(good["id"], judged["id"]);
    // An emoji before it counts two units.
    let part = json!({"start": "0", "end": "0", "startOffset": 20, "endOffset": 24, "text": "nine", "paragraphlabels": ["segment"]});
    assert_eq!(judged["value"], part);
    assert_eq!(good["value"]["choices"], json!(["4"]));
    let config = read(path, "ls/config.xml");
    for control in [
        "  <ParagraphLabels name=\"judged\" toName=\"dialogue\">\n    <Label value=\"turn\"/>",
        "  <Choices name=\"success.verdict\" toName=\"dialogue\" choice=\"single\">\n    <Choice value=\"fail\"/>\n    <Choice value=\"pass\"/>\n",
        "  <Choices name=\"s.code\" toName=\"dialogue\" choice=\"multiple\">",
        "  <Choices name=\"s.rude.part\" toName=\"dialogue\" perRegion=\"true\" choice=\"single\">",
        "  <TextArea name=\"note\" toName=\"dialogue\"/>",
        "  <Number name=\"success.verdict.turn\" toName=\"dialogue\"/>",
    ] {
        assert!(config.contains(control), "{control}\n{config}");
    }
    // The import compares segments alone, also those of a prediction that was accepted.
    let import = |task: &Value| {
        fs::write(path.join("tasks.json"), json!([task]).to_string()).unwrap();
        run_in(path, &["import", "label-studio", "tasks.json", "c.json"], "")
    };
    let ran = import(&tasks[0]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    let mut accepted = tasks[0].clone();
    accepted["annotations"] = json!([{"completed_by": 1, "result": regions(2)}]);
    let ran = import(&accepted);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
}

#[test]
fn convokit_gets_overlays_of_judgements() {
    let folder = judged();
    let path = folder.path();
    let ran = export(path, "convokit c.json -o ck");
    assert!(ran.err.contains("1 judgement of a text that has changed"), "{}", ran.err);
    let of_turns = lines(path, "ck/info.judgements.jsonl");
    let ids: Vec<_> = of_turns.iter().map(|line| line["id"].clone()).collect();
    assert_eq!(ids, ["dlg-1.0", "dlg-1.1"]);
    let of_first = of_turns[0]["value"].as_array().unwrap();
    assert_eq!((&of_first[0]["span"], &of_first[1]["call"]), (&json!([19, 23]), &0.into()));
    let of_dialogs = lines(path, "ck/info.conversation_judgements.jsonl");
    assert_eq!(of_dialogs.len(), 2);
    let pass = json!({
        "annotator": "js", "run": null, "scheme": "success", "question": "verdict", "value": "pass",
        "at": null, "note": "", "tags": [], "span": null, "call": null, "when": "", "seconds": null,
    });
    assert_eq!((&of_dialogs[0]["id"], &of_dialogs[0]["value"][0]), (&"dlg-1".into(), &pass));
}

#[test]
fn judgements_that_a_format_cannot_hold_are_counted() {
    let folder = judged();
    for format in ["spacy", "doccano", "conll", "chat", "kto", "hf"] {
        let ran = export(folder.path(), &format!("{format} c.json -o {format}"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.err.contains("8 judgements"), "{format}: {}", ran.err);
    }
}
