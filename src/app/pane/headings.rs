//! The names of folders and files above the dialogs of the list.

use std::collections::HashSet;

use crate::app::pane::folders::FolderTree;
use crate::app::pane::list::ListRow;
use crate::workspace::{DialogId, OpenFile};

/// Returns whether the files of a folder have their names above their dialogs, by [`FolderTree::slot`].
/// `files` are all files in order, `None` for those that the list does not show.
///
/// A name is of little use above a single dialog. But if one file of a folder has its name, all have, and
/// so have files beside folders: otherwise the dialogs of the next file would seem to belong to the last
/// name.
pub fn folders_with_file_names<'f>(
    tree: &FolderTree,
    files: impl Iterator<Item = Option<&'f OpenFile>>,
) -> Vec<bool> {
    let mut named = vec![false; tree.all.len() + 1];
    let mut count = 0;
    for (number, file) in files.enumerate() {
        let Some(file) = file else { continue };
        count += 1;
        let slot = FolderTree::slot(tree.of(number as u32));
        named[slot] |= file.dialogs() > 1 || file.has_no_dialogs();
    }
    if tree.all.is_empty() {
        named[0] &= count > 1;
    }
    for folder in &tree.all {
        named[FolderTree::slot(folder.parent)] = true;
    }
    named
}

/// Adds the rows of files, below the names of their folders.
pub struct Headings<'t> {
    /// Names are shown.
    are_shown: bool,
    /// Whether the files of each folder have their names above their dialogs.
    named: &'t [bool],
    tree: &'t FolderTree,
    /// The folders around the last file.
    open: Vec<u32>,
    /// The number of dialogs in each folder.
    pub in_folder: Vec<u64>,
    /// The number of dialogs in each file.
    pub in_file: Vec<u64>,
}

impl<'t> Headings<'t> {
    pub fn new(are_shown: bool, named: &'t [bool], tree: &'t FolderTree) -> Self {
        Self {
            are_shown,
            named,
            tree,
            open: Vec::new(),
            in_folder: vec![0; tree.all.len()],
            in_file: Vec::new(),
        }
    }

    /// Adds a file with the dialogs that were `found` in it, or one that `failed` to have any.
    pub fn add(
        &mut self,
        rows: &mut Vec<ListRow>,
        folded: &HashSet<ListRow>,
        file: u32,
        found: impl Iterator<Item = DialogId>,
        failed: bool,
    ) {
        let mut found = found.map(ListRow::Dialog).peekable();
        if found.peek().is_none() && !failed {
            return;
        }
        let around = if self.are_shown { self.tree.around(file) } else { Vec::new() };
        let known = self.open.iter().zip(&around).take_while(|(one, other)| one == other);
        let known = known.count();
        let first_folded =
            around.iter().position(|folder| folded.contains(&ListRow::Folder(*folder)));
        let visible = first_folded.map_or(around.len(), |folded| folded + 1);
        if known < visible {
            rows.extend(around[known..visible].iter().map(|folder| ListRow::Folder(*folder)));
        }
        self.open.clone_from(&around);
        let is_hidden = first_folded.is_some();
        let name = ListRow::File(file);
        let slot = FolderTree::slot(self.tree.of(file));
        let is_named = failed || self.named.get(slot).is_some_and(|named| *named);
        if is_named && !is_hidden {
            rows.push(name);
        }
        let start = rows.len();
        rows.extend(found);
        let count = (rows.len() - start) as u64;
        if let Some(in_file) = self.in_file.get_mut(file as usize) {
            *in_file = count;
        }
        for folder in &around {
            self.in_folder[*folder as usize] += count;
        }
        if is_hidden || is_named && folded.contains(&name) {
            rows.truncate(start);
        }
    }
}
