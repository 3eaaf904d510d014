//! Edits of broken dialogs: made as meant, or refused; never a panic, never something else.

use turnwise::dialog::EditError;
use turnwise::format::{FORMATS, Family, edit};
use turnwise::json::Escapes;

use super::read;
use crate::schema::mutate::{each_mutated, short_dialogs};
use crate::support::files::own_files;
use crate::support::{amount, plan};

/// Tries every planned edit on `text`.
fn made_or_refused(format: &'static Family, text: &str) {
    let (before, issues) = read(format.name(), text);
    for change in plan::edits(format.name(), &before) {
        let edited = match edit(format, text, Escapes::default(), &change) {
            Ok(edited) => edited,
            Err(EditError::ReadsBackDifferently(how)) => {
                panic!("{change:?} would not read back: {how}\n{text}")
            }
            Err(_) => continue,
        };
        let mut meant = before.clone();
        format.apply(&change, &mut meant).expect("made");
        // Members of unread elements may have other positions then, as the engine allows.
        if format.chat().is_some() || format.is_companion() {
            assert_eq!(edited.dialog, meant);
        }
        let (found, left) = read(format.name(), &edited.text);
        assert_eq!(found, edited.dialog, "{change:?}");
        assert!(left.len() <= issues.len(), "{change:?}: {left:?}");
        let back = edited.patch.invert(text);
        assert_eq!(back.apply(&edited.text), text, "{change:?}");
    }
}

/// Looks at `cases` dialogs of the family from the repository, each broken in small ways.
pub fn each_broken(format: &'static Family, cases: u32, look: impl Fn(&str)) {
    each_mutated(&short_dialogs(format, &own_files()), cases, 3, look);
}

#[test]
fn many_broken_dialogs_are_edited_as_meant_or_not_at_all() {
    for format in FORMATS.iter() {
        each_broken(format, amount(12, 100), |text| made_or_refused(format, text));
    }
}
