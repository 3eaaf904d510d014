//! The targets' own Python packages accept the exported demo corpora; see `tests/peers`.

use std::path::PathBuf;
use std::process::Command;

use super::export;
use crate::support::{project, scratch};

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
    let demo = project("assets/demo");
    let ran = export(
        folder.path(),
        &format!("{format} {} -o out", demo.display()),
    );
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
fn label_studio_accepts_its_tasks() {
    accepts("label-studio", "label_studio.py");
}

#[test]
fn datasets_loads_its_folder() {
    accepts("hf", "hugging_face.py");
    accepts("hf --split train=0.5,test=0.5", "hugging_face.py");
}

#[test]
fn spacy_aligns_all_spans() {
    accepts("spacy", "spacy_spans.py");
}

#[test]
fn seqeval_reads_strict_tags() {
    accepts("conll", "conll.py");
}

#[test]
fn chats_follow_their_schema() {
    accepts("chat", "chats.py");
}

#[test]
fn convokit_finds_all_parts_of_its_corpus() {
    accepts("convokit", "convokit_corpus.py");
}
