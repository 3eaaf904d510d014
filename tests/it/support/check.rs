//! Properties of every edit of every file.

use turnwise::corpus::FilePart;
use turnwise::dialog::{Dialog, Edit, EditError, EditKind};

use super::edited_file::EditedFile;
use super::files::{gaps, original, saved};
use super::plan;
use super::style::{Style, changed_lines};
use super::value::{Json, mended};

type File = EditedFile;

/// How much was tried.
#[derive(Default, Debug)]
pub struct Tried {
    pub edits: usize,
    /// The number of these compared with the output of the text's own printer.
    pub printed: usize,
    pub refused: usize,
}

impl std::ops::AddAssign for Tried {
    fn add_assign(&mut self, other: Self) {
        self.edits += other.edits;
        self.printed += other.printed;
        self.refused += other.refused;
    }
}

pub fn family(file: &File) -> &'static str {
    file.format().expect("dialogs").name()
}

pub fn read(file: &File, position: usize) -> Dialog {
    file.dialog(position).expect("JSON").expect("dialogs").0
}

pub fn json(file: &File, position: usize) -> Json {
    Json::parse(&mended(&file.text(position).unwrap())).unwrap()
}

/// A text and the style it was printed in, if it shows one.
pub struct Printed {
    text: String,
    style: Option<Style>,
}

impl Printed {
    pub fn of(file: &File, position: usize) -> Self {
        let text = file.text(position).unwrap();
        let style = Style::of(&text, &String::from_utf8_lossy(&original(file)));
        Self { text, style }
    }
}

/// Tries every edit of the plan on dialog `position`, each on the untouched file.
pub fn every_edit(file: &mut File, position: usize) -> Tried {
    let before = Printed::of(file, position);
    let original = original(file);
    let mut tried = Tried::default();
    if family(file) == "dbdc-labels" {
        return tried;
    }
    let dialog = read(file, position);
    for edit in plan::edits(family(file), &dialog) {
        if !is_foretold(&dialog, &edit) {
            continue;
        }
        let told = format!("dialog {position}: {edit:?}");
        refuses_to_cut(file, position, &edit, &mut tried);
        one_edit(file, position, &edit, &before);
        tried.edits += 1;
        tried.printed += usize::from(before.style.is_some());
        let edited = saved(file);
        if edited == original {
            assert_eq!(file.undo(), None, "{told}");
            continue;
        }
        assert_eq!(file.undo(), Some(position), "{told}");
        assert!(saved(file) == original, "undo leaves a trace: {told}");
        assert!(!file.is_modified(), "{told}");
        assert_eq!(file.redo(), Some(position));
        assert!(saved(file) == edited, "redo differs: {told}");
        file.undo();
        assert!(saved(file) == original, "the second undo leaves a trace: {told}");
    }
    tried
}

/// A text that cuts spans is refused without `drop`.
fn refuses_to_cut(file: &mut File, position: usize, edit: &Edit, tried: &mut Tried) {
    let Edit::SetText { turn, text, drop: true, .. } = edit else {
        return;
    };
    let careful = Edit::SetText { turn: *turn, text: text.clone(), drop: false, shrink: false };
    let before = saved(file);
    let refused = file.edit(position, &careful);
    assert!(matches!(refused, Err(EditError::CutsSegments(_))), "{careful:?}: {refused:?}");
    assert!(saved(file) == before, "a refused edit changed something: {careful:?}");
    tried.refused += 1;
}

/// Makes one edit and compares every aspect of its outcome with the intended one.
pub fn one_edit(file: &mut File, position: usize, edit: &Edit, before: &Printed) {
    let told = format!("dialog {position}: {edit:?}");
    let meant = meant(file, position, edit).unwrap();
    let bytes = saved(file);
    file.edit(position, edit).unwrap_or_else(|refused| panic!("{told}: {refused}"));
    let text = file.text(position).unwrap();
    assert_eq!(without_names(read(file, position)), meant, "{told}\n{text}");
    only_one_piece_differs(&bytes, file, position, &before.text, &told);
    // Each later turn may have a number, which follows.
    let numbers = match edit.about() {
        EditKind::Turns => read(file, position).turns.len(),
        _ => 0,
    };
    lines_are_few(&before.text, &text, numbers, &told);
    if let Some(style) = &before.style {
        assert_eq!(text, style.render(&json(file, position)), "not as its printer would: {told}");
    }
}

/// A dialog as an edit is meant to make it.
fn meant(file: &File, position: usize, edit: &Edit) -> Result<Dialog, EditError> {
    let mut dialog = read(file, position);
    file.format().unwrap().apply(edit, &mut dialog)?;
    Ok(without_names(dialog))
}

/// A dialog without the names that the answers to its calls have, of which an edit says nothing.
fn without_names(mut dialog: Dialog) -> Dialog {
    for call in dialog.turns.iter_mut().flat_map(|turn| &mut turn.calls) {
        call.answered_as = None;
    }
    dialog
}

/// False for a new call where JSON in strings is laid out in a mixture of styles.
fn is_foretold(dialog: &Dialog, edit: &Edit) -> bool {
    let calls = dialog.turns.iter().flat_map(|turn| &turn.calls);
    let parts = calls.flat_map(|call| [&call.arguments, &call.response]);
    let mut texts = parts.flatten().filter_map(|payload| payload.text());
    let has_style = |text: &turnwise::dialog::Short| Style::of(text, text).is_some();
    !matches!(edit, Edit::AddCall { .. }) || texts.all(has_style)
}

/// Compares the file before and after an edit of dialog `position`, whose text was `old`.
fn only_one_piece_differs(before: &[u8], file: &File, position: usize, old: &str, told: &str) {
    let start = file.index().pieces[position].start;
    // The start of the dialog: dialogs edited before it may have become longer or shorter.
    let mut at = start as usize;
    for part in file.parts() {
        if let FilePart::New { text, instead } = part
            && instead.start < start
        {
            at = at + text.len() - (instead.end - instead.start) as usize;
        }
    }
    let after = saved(file);
    let new = file.text(position).unwrap();
    let tail = |bytes: &[u8], text: &str| bytes[at + text.len()..].to_vec();
    assert!(before[..at] == after[..at], "bytes before differ: {told}");
    assert!(after[at..].starts_with(new.as_bytes()), "{told}");
    assert!(tail(before, old) == tail(&after, &new), "bytes behind differ: {told}");
}

/// Empty containers with brackets on different lines, which join when they are filled.
fn hollow(text: &str) -> usize {
    let opened = text.split(['[', '{']).skip(1);
    let inside = opened.filter_map(|rest| {
        let spaces = rest.len() - rest.trim_start().len();
        rest[spaces..].starts_with([']', '}']).then(|| &rest[..spaces])
    });
    inside.filter(|spaces| spaces.contains('\n')).count()
}

/// Checks that at most as many lines differ as if every value were on a line of its own, and `more`.
fn lines_are_few(before: &str, after: &str, more: usize, told: &str) {
    let style = Style::plain();
    let plain = |text: &str| style.render(&Json::parse(&mended(text)).unwrap());
    let (plain_gone, plain_new) = changed_lines(&plain(before), &plain(after));
    let (gone, new) = changed_lines(before, after);
    // The comma before what goes may end a line that holds a whole value.
    let comma = usize::from(plain_gone > plain_new);
    assert!(
        gone <= plain_gone.max(1) + hollow(before) + more && new <= plain_new.max(1) + comma + more,
        "{gone} lines gone and {new} new, expected {plain_gone} and {plain_new}: {told}\n{after}"
    );
}

/// Edits several dialogs of a file, then takes everything back, makes it again, takes it back.
pub fn many_edits(file: &mut File, positions: &[usize]) {
    let original = original(file);
    let mut made = 0;
    for round in 0..8 {
        for position in positions {
            let edits = plan::edits(family(file), &read(file, *position));
            let Some(edit) = edits.get((round * 7) % edits.len().max(1)) else {
                continue;
            };
            if !is_foretold(&read(file, *position), edit) {
                continue;
            }
            let meant = meant(file, *position, edit);
            // The plan's new text may be there already from an earlier round.
            if let Ok(changed) = file.edit(*position, edit) {
                assert_eq!(Ok(without_names(read(file, *position))), meant, "{edit:?}");
                made += usize::from(changed);
            }
        }
    }
    let edited = saved(file);
    same_elsewhere(file, positions, &edited);
    for undone in 0..made {
        assert!(file.undo().is_some(), "{undone} of {made} undone");
    }
    assert!(saved(file) == original, "undoing everything leaves a trace");
    assert_eq!(file.undo(), None);
    while file.redo().is_some() {}
    assert!(saved(file) == edited, "redoing everything differs");
    while file.undo().is_some() {}
    assert!(saved(file) == original, "undoing everything again leaves a trace");
}

/// The edited file reads as a whole, with the dialogs that were not edited as they were.
fn same_elsewhere(file: &File, positions: &[usize], edited: &[u8]) {
    let again = super::files::open(edited.to_vec());
    assert_eq!(again.index().error, None);
    assert_eq!(again.index().pieces.len(), file.index().pieces.len());
    assert!(gaps(&again) == gaps(file), "the text between dialogs differs");
    for position in 0..file.index().pieces.len() {
        let kept = again.bytes(position).unwrap() == file.bytes(position).unwrap();
        assert!(kept || positions.contains(&position), "dialog {position} differs");
        assert_eq!(again.text(position).unwrap(), file.text(position).unwrap());
    }
}
