//! The targets' own Python packages accept the exported demo corpora, with judgements beside them; see `tests/peers`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::export;
use crate::support::{project, scratch};

/// Judgements of demo dialogs, and of the pairs that are written beside them.
const JUDGEMENTS: [&str; 12] = [
    r#"{"dialog":"dlg-demo-tm3-01","scheme":"success","question":"verdict","value":"fail","at":1,"note":"a \"quoted\"\nnote"}"#,
    r#"{"dialog":"dlg-demo-tm3-01","scheme":"error-analysis","question":"code","value":["late","wrong <date>"]}"#,
    r#"{"dialog":"dlg-demo-tm3-01","turn":1,"note":"why? #odd","tags":["odd"]}"#,
    r#"{"dialog":"dlg-demo-tm3-01","turn":1,"span":[0,4],"scheme":"s","question":"exact","value":true}"#,
    r#"{"dialog":"dlg-demo-tm3-01","turn":1,"scheme":"quality","question":"quality","value":2,"note":"slow"}"#,
    r#"{"dialog":"dlg-demo-tm3-01","scheme":"s","question":"why","value":"a text that is longer than any choice would be"}"#,
    r#"{"dialog":"dlg-demo-tm3-02","turn":1,"scheme":"quality","question":"quality","value":5}"#,
    r#"{"dialog":"dlg-demo-tm3-02","scheme":"success","question":"verdict","value":"pass"}"#,
    r#"{"dialog":"dlg-demo-tm3-03","turn":0,"call":0,"scheme":"s","question":"right","value":false}"#,
    r#"{"dialog":"one","scheme":"preference","question":"preference","value":"rejected"}"#,
    r#"{"dialog":"two","scheme":"preference","question":"preference","value":"chosen"}"#,
    r#"{"dialog":"three","scheme":"preference","question":"preference","value":"both-bad"}"#,
];

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// Copies the demo corpora to a folder, and adds pairs and judgements by two people.
fn judged_demo(folder: &Path) {
    copy_folder(&project("assets/demo"), folder);
    fs::create_dir(folder.join("judgements")).unwrap();
    let pair = |id: &str| {
        format!(
            "{{\"id\":\"{id}\",\"prompt\":[{{\"role\":\"user\",\"content\":\"Hi\"}}],\
            \"chosen\":[{{\"role\":\"assistant\",\"content\":\"Hello\"}}],\
            \"rejected\":[{{\"role\":\"assistant\",\"content\":\"What?\"}}]}}\n"
        )
    };
    let pairs = ["one", "two", "three"].map(pair).concat();
    fs::write(folder.join("pairs.jsonl"), pairs).unwrap();
    for by in ["mk", "js"] {
        let signed = |line: &str| line.replacen('{', &format!("{{\"by\":\"{by}\","), 1) + "\n";
        let lines = JUDGEMENTS.map(signed).concat();
        fs::write(folder.join(format!("judgements/{by}.jsonl")), lines).unwrap();
    }
}

/// Exports the demo corpora in a format and runs a script on the output. Skipped without
/// `TURNWISE_PEERS`, a virtual environment with the packages.
fn accepts(format: &str, script: &str) {
    let Some(peers) = std::env::var_os("TURNWISE_PEERS").map(PathBuf::from) else {
        eprintln!(
            "SKIPPED: TURNWISE_PEERS names no virtual environment, so {script} did not check `{format}`"
        );
        return;
    };
    let folder = scratch();
    judged_demo(&folder.path().join("demo"));
    let ran = export(folder.path(), &format!("{format} demo -o out"));
    assert_eq!(ran.code, 0, "{ran:?}");
    let checked = Command::new(peers.join("bin/python"))
        .arg(project("tests/peers").join(script))
        .arg(folder.path().join("out"))
        .env("HF_HUB_OFFLINE", "1")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("HOME", folder.path())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&checked.stdout), text(&checked.stderr));
    assert!(checked.status.success(), "{script}: {out}\n{err}");
    eprintln!("{script}: {}", out.trim());
}

#[test]
fn other_programs_accept_what_is_exported_for_them() {
    for (format, script) in [
        ("label-studio", "label_studio.py"),
        ("kto --question verdict --scheme success", "preferences.py"),
        ("kto --question preference", "preferences.py"),
        ("kto --question quality --good 4,5 --bad 1,2", "preferences.py"),
        ("dpo --question preference", "preferences.py"),
        ("hf", "hugging_face.py"),
        ("hf --split train=0.5,test=0.5", "hugging_face.py"),
        ("spacy", "spacy_spans.py"),
        ("conll", "conll.py"),
        ("chat", "chats.py"),
        ("convokit", "convokit_corpus.py"),
    ] {
        accepts(format, script);
    }
}
