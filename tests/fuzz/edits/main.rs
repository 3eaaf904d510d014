//! Random edits of small dialogs of every family, in many layouts.
//!
//! Nothing panics; a refused edit changes nothing; an accepted one changes only bytes of its patch,
//! and undoing everything gives the file back.
#![no_main]

mod dialogs;
mod script;

use std::ops::ControlFlow;

use dialogs::{DIALOGS, Style, relaid};
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use turnwise::corpus::{CorpusFile, FilePart, ScanPass, index, write_range};
use turnwise::dialog::EditError;
use turnwise::format::{self, EditedBatch, Formats};
use turnwise::json::{Escapes, Patch};

fuzz_target!(|bytes: &[u8]| {
    // Too few bytes for another edit end the script.
    let _ = run(&mut Unstructured::new(bytes));
});

fn run(bytes: &mut Unstructured<'_>) -> Result<()> {
    let mut text = bytes.choose(DIALOGS)?.trim_end().to_owned();
    if bytes.arbitrary()? {
        text = relaid(&text, &Style(bytes.arbitrary()?));
    }
    let mut file = open(&text);
    let (original, mut made) = (text.clone(), Vec::new());
    for _ in 0..bytes.int_in_range(1..=6)? {
        let (dialog, issues) =
            file.dialog(0).expect("an edited dialog can be read").expect("of a known family");
        let edit = script::edit(bytes, &dialog)?;
        let format = file.format().expect("known above");
        let edited = format::edit(format, &text, Escapes::seen_in(&original), &edit);
        match (edited, file.edit(0, &edit)) {
            (Ok(edited), Ok(change)) => {
                assert_eq!(change.is_some(), edited.text != text);
                made.extend(change);
                accepted(&text, &edited);
                text = edited.text;
            }
            (Err(refused), Err(same)) => {
                assert_eq!(refused, same);
                // That check is a net: in a well-formed dialog nothing may fall into it.
                let fell = matches!(refused, EditError::ReadsBackDifferently(_));
                assert!(!fell || !issues.is_empty(), "{refused} {edit:?}\n{text}");
            }
            (Ok(_), Err(refused)) => panic!("refused only in a file: {refused}"),
            (Err(refused), Ok(_)) => panic!("refused only alone: {refused} {edit:?}"),
        }
        assert_eq!(saved(&file), text);
    }
    assert_eq!(file.undo(made.iter().rev()), made.len());
    assert_eq!(saved(&file), original);
    Ok(())
}

fn open(text: &str) -> CorpusFile {
    let source = text.as_bytes().to_vec();
    let formats = Formats::default();
    let mut pass =
        ScanPass { formats: &formats, hash: false, progress: &mut |_| ControlFlow::Continue(()) };
    let index = index(&source, &mut pass).expect("it is in memory");
    CorpusFile::new(source, index.expect("the pass was not stopped"))
}

/// The file as it would be saved.
fn saved(file: &CorpusFile) -> String {
    let mut bytes = Vec::new();
    for part in file.parts() {
        match part {
            FilePart::Kept(range) => {
                write_range(file.source(), range, &mut bytes).expect("in memory");
            }
            FilePart::New { text, .. } => bytes.extend(text.as_bytes()),
        }
    }
    String::from_utf8(bytes).expect("made of texts")
}

fn accepted(before: &str, edited: &EditedBatch) {
    let EditedBatch { patch, text, .. } = edited;
    assert_eq!(patch.apply(before), *text);
    outside_nothing_changes(before, text, patch);
    assert_eq!(patch.invert(before).apply(text), before);
}

/// Checks that both texts have the same parts between the splices, in the same order.
fn outside_nothing_changes(before: &str, after: &str, patch: &Patch) {
    let (mut old, mut new) = (0, 0);
    for splice in patch.splices() {
        let kept = splice.range.start - old;
        assert_eq!(before[old..old + kept], after[new..new + kept]);
        old = splice.range.end;
        new += kept + splice.text.len();
    }
    assert_eq!(before[old..], after[new..]);
}
