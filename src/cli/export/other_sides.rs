//! The other sides of pairs, which are dialogs of other files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::cli::each_dialog::FileById;
use crate::dialog::{Dialog, PairedWith, Sides};
use crate::shell::{FoundPath, absolute_name, files_of, open};

/// The files that the other sides of pairs may be in.
pub struct OtherSides<'f> {
    found: &'f [FoundPath],
    /// Those that were asked for; None if one cannot be read, which is reported where its own dialogs are read.
    open: HashMap<PathBuf, Option<FileById>>,
}

impl<'f> OtherSides<'f> {
    pub fn new(found: &'f [FoundPath]) -> Self {
        Self { found, open: HashMap::new() }
    }

    /// Makes a dialog the pair about which it has an answer, and returns its other side; None if it is not a pair with a
    /// dialog of another file. Answers about a side that has changed since no longer count.
    pub fn pair(&mut self, dialog: &mut Dialog) -> Option<Dialog> {
        let answer = dialog.judgements.iter().find(|said| said.with.is_some())?;
        let with = answer.with.as_ref()?;
        let files = files_of(self.found);
        let path = files.iter().find(|path| with.is_in(&absolute_name(path)))?;
        let other = self.file(path)?.dialog(&dialog.id, usize::MAX)?;
        let with = PairedWith::of(&with.file, &other);
        dialog.sides = Some(Sides {
            names: [&answer.file, &with.file].map(|name| name.as_str().into()),
            with: Some(with),
        });
        let all = std::mem::take(&mut dialog.judgements);
        let (fits, changed): (Vec<_>, Vec<_>) = all.into_iter().partition(|said| said.fits(dialog));
        dialog.judgements = fits;
        dialog.outdated.extend(changed);
        Some(other)
    }

    fn file(&mut self, path: &Path) -> Option<&mut FileById> {
        let found = self.found.iter().find(|found| found.path() == path)?;
        let opened = || open(path, &found.formats, false).ok();
        let opened = self
            .open
            .entry(path.to_owned())
            .or_insert_with(|| opened().map(|opened| FileById::new(opened.file)));
        opened.as_mut()
    }
}
