//! `turnwise apply --output`: it writes new files, and existing files stay unless `--overwrite` is
//! given.

use std::fs;

use super::{FIX, apply, corpus, saved};
use crate::support::{CORPUS, TempDir, run_in};

const THERE: &str = "the file exists; use --overwrite to replace it";

/// Two corpora; a file already exists where the second would be written.
fn occupied() -> TempDir {
    let folder = corpus();
    let other = CORPUS.replace("dlg-", "other-");
    fs::write(folder.path().join("other.json"), other).unwrap();
    fs::create_dir(folder.path().join("out")).unwrap();
    fs::write(folder.path().join("out/other.json"), "of somebody else").unwrap();
    folder
}

fn both() -> String {
    format!("{FIX}\n{}", FIX.replace("dlg-a", "other-a"))
}

#[test]
fn a_file_that_is_there_is_not_replaced_unasked() {
    let folder = occupied();
    let arguments = ["apply", "-", "data.json", "other.json", "--output", "out"];
    let ran = run_in(folder.path(), &arguments, &both());
    let told = format!("turnwise: out/other.json: {THERE}\nturnwise: nothing was written\n");
    assert_eq!((ran.code, ran.out, ran.err), (2, String::new(), told));
    let out = |name: &str| fs::read_to_string(folder.path().join("out").join(name));
    assert_eq!(out("other.json").unwrap(), "of somebody else");
    assert!(out("data.json").is_err(), "all or none");
    let arguments = [&arguments[..], &["--overwrite"]].concat();
    let ran = run_in(folder.path(), &arguments, &both());
    let told = "out/data.json: 1 edit applied\nout/other.json: 1 edit applied\n";
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, told, ""));
    assert!(out("other.json").unwrap().contains("\"Nosferatu\""));
    assert_eq!(saved(folder.path()), CORPUS);
}

/// Writing the same output again changes nothing and succeeds, as for `export`.
#[test]
fn the_same_output_again_is_accepted() {
    let folder = corpus();
    let write = |records: &str| apply(folder.path(), records, &["--output", "out"]);
    assert_eq!(write(FIX).out, "out/data.json: 1 edit applied\n");
    let path = folder.path().join("out/data.json");
    let modified = || path.metadata().unwrap().modified().unwrap();
    let before = modified();
    let ran = write(FIX);
    let told = "out/data.json: 1 edit; already written\n";
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, told, ""));
    assert_eq!(modified(), before);
    // One byte more or less is another file.
    for text in [format!("{} ", fs::read_to_string(&path).unwrap()), CORPUS.to_owned()] {
        fs::write(&path, &text).unwrap();
        let ran = write(FIX);
        assert!(ran.code == 2 && ran.err.contains(THERE), "{ran:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

/// A link that leads nowhere is there too, and so is a folder.
#[cfg(unix)]
#[test]
fn only_regular_files_are_replaced() {
    let folder = corpus();
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    std::os::unix::fs::symlink("nowhere", out.join("data.json")).unwrap();
    let ran = apply(folder.path(), FIX, &["--output", "out"]);
    assert!(ran.code == 2 && ran.err.contains(THERE), "{ran:?}");
    assert!(out.join("data.json").is_symlink());
    fs::remove_file(out.join("data.json")).unwrap();
    fs::create_dir(out.join("data.json")).unwrap();
    let ran = apply(folder.path(), FIX, &["--output", "out"]);
    assert!(ran.code == 2 && ran.err.contains(THERE), "{ran:?}");
    assert!(out.join("data.json").is_dir());
}

/// Every command reports a file in the place of the output folder in the same way.
#[test]
fn a_file_in_the_place_of_the_folder_is_named() {
    let folder = corpus();
    let file = folder.path().join("out");
    fs::write(&file, "text").unwrap();
    let log = r#"{"dialogue-id":"x","turns":[{"turn-index":0,"speaker":"S","utterance":"Hi","annotations":[{"annotator-id":"a","breakdown":"O","comment":"","ungrammatical-sentence":""}]}]}"#;
    fs::write(folder.path().join("one.json"), log).unwrap();
    for arguments in [
        &["apply", "-", "data.json", "--output", "out", "--overwrite"][..],
        &["export", "labels", "one.json", "--annotator", "a", "-o", "out", "--overwrite"],
    ] {
        let ran = run_in(folder.path(), arguments, FIX);
        let told = "turnwise: out: this is a file, not a folder\nturnwise: nothing was written\n";
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (2, "", told));
        assert_eq!(fs::read_to_string(&file).unwrap(), "text");
    }
}

#[test]
fn there_is_nothing_to_overwrite_without_an_output() {
    let ran = apply(corpus().path(), FIX, &["--overwrite"]);
    assert!(ran.code == 2 && ran.err.contains("--output"), "{ran:?}");
}
