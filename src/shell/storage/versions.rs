//! The versions of a file that Git has, and what comes from which.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;

use twox_hash::XxHash3_64;

use super::disk::{LARGEST_SETTINGS, read_side_text};
use super::open::open_source;
use super::paths::folder_of;
use super::revision::{git_blob, git_output_in};
use crate::compare::{Blame, EarlierDialog, FileVersion, paired_dialogs};
use crate::corpus::CorpusFile;
use crate::format::Formats;

/// Returns the versions of a file: as it is here, then those of the commits that changed it, each before those that it
/// comes from.
///
/// # Errors
/// If Git is not there, or does not know the file.
pub fn file_versions(file: &Path) -> Result<Vec<FileVersion>, String> {
    let folder = folder_of(file);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let prefix = git_output_in(folder, &["rev-parse", "--show-prefix"])?;
    let merges = git_output_in(folder, &["log", "--merges", "--format=%H %P"])?;
    let merges = merges.lines().filter_map(|line| line.split_once(' '));
    let shallow = git_output_in(folder, &["rev-parse", "--git-path", "shallow"])?;
    let shallow = read_side_text(&folder.join(shallow), LARGEST_SETTINGS).unwrap_or_default();
    let mut graph = Graph {
        folder,
        shallow: shallow.lines().map(str::to_owned).collect(),
        parents_of_merges: merges
            .map(|(commit, parents)| (commit.to_owned(), parents.split(' ').count()))
            .collect(),
        versions: vec![FileVersion::default()],
        known: HashMap::new(),
    };
    let mut rest =
        vec![Origin { version: 0, commit: "HEAD".to_owned(), path: format!("{prefix}{name}") }];
    while let Some(origin) = rest.pop() {
        rest.extend(graph.add(&origin)?);
    }
    if graph.versions[0].parents.is_empty() {
        return Err(format!("git has no commit with {}", file.display()));
    }
    Ok(graph.sorted())
}

/// The commit that a version comes from, and the path of the file there.
struct Origin {
    version: usize,
    commit: String,
    path: String,
}

/// The versions found so far.
struct Graph<'f> {
    folder: &'f Path,
    /// The commits whose parents a shallow clone lacks.
    shallow: HashSet<String>,
    /// How many parents each merge of the repository has.
    parents_of_merges: HashMap<String, usize>,
    versions: Vec<FileVersion>,
    /// The position of each version, by its commit and path.
    known: HashMap<(String, String), usize>,
}

impl Graph<'_> {
    /// Adds the versions from an origin back to where the file has come by its name. Returns where it comes from
    /// under another one.
    fn add(&mut self, origin: &Origin) -> Result<Vec<Origin>, String> {
        let path = &origin.path;
        let log = git_output_in(
            self.folder,
            &[
                "log",
                "--topo-order",
                "--parents",
                "-c",
                "--name-status",
                "-z",
                "--date=short",
                "--format=%x01%H%x00%P%x00%h%x00%an%x00%ad%x00",
                &origin.commit,
                "--",
                &format!(":(top,literal){path}"),
            ],
        )?;
        let commits = log.split('\u{1}').filter(|commit| !commit.is_empty());
        let (mut added, mut renamed) = (Vec::new(), Vec::new());
        for (number, fields) in commits.enumerate() {
            let mut fields = fields.split('\0').map(str::trim);
            let mut next = || fields.next().unwrap_or_default().to_owned();
            let (commit, parents) = (next(), next());
            let version = FileVersion {
                commit: next(),
                author: next(),
                date: next(),
                path: path.clone(),
                parents: Vec::new(),
                is_boundary: self.shallow.contains(&commit),
            };
            let key = (commit, path.clone());
            let known = self.known.get(&key).copied();
            let at = known.unwrap_or(self.versions.len());
            if number == 0 {
                self.come_from(origin.version, at);
            }
            if known.is_some() {
                continue;
            }
            self.versions.push(version);
            let status = fields.find(|field| !field.is_empty()).unwrap_or_default();
            let own = parents.split_whitespace().count();
            let all = self.parents_of_merges.get(&key.0).copied().unwrap_or(1);
            if own < all || status.contains('A') {
                renamed.extend((1..=all).filter_map(|parent| self.renamed(at, &key.0, parent)));
            }
            self.known.insert(key, at);
            added.push((at, parents));
        }
        for (at, parents) in added {
            for parent in parents.split_whitespace() {
                let key = (parent.to_owned(), path.clone());
                if let Some(&parent) = self.known.get(&key) {
                    self.come_from(at, parent);
                }
            }
        }
        Ok(renamed)
    }

    fn come_from(&mut self, version: usize, parent: usize) {
        let parents = &mut self.versions[version].parents;
        if !parents.contains(&parent) {
            parents.push(parent);
        }
    }

    /// Returns where a version comes from if its file has another name in one of the parents, counted from 1.
    fn renamed(&self, version: usize, commit: &str, parent: usize) -> Option<Origin> {
        let path = &self.versions[version].path;
        let before = format!("{commit}^{parent}");
        let changes = git_output_in(
            self.folder,
            &[
                "diff-tree",
                "-r",
                "--follow",
                "--name-status",
                "-z",
                &before,
                commit,
                "--",
                &format!(":(top,literal){path}"),
            ],
        );
        // The first commit of all has no parent.
        let changes = changes.ok()?;
        let mut fields = changes.split('\0');
        let status = fields.next()?;
        let path = match fields.next()? {
            old if status.starts_with(['R', 'C']) => old.to_owned(),
            new if status.starts_with('A') => self.removed_alike(&before, commit, new)?,
            _ => return None,
        };
        Some(Origin { version, commit: before, path })
    }

    /// Returns the file that a commit has removed and that has at least half of the strings of the new one at `path`, and
    /// more than others. Git compares lines: of files with one long line, it sees no likeness.
    fn removed_alike(&self, before: &str, commit: &str, path: &str) -> Option<String> {
        let arguments = ["diff-tree", "-r", "--no-renames", "--diff-filter=D", "--name-only", "-z"];
        let arguments = [&arguments[..], &[before, commit]].concat();
        let removed = git_output_in(self.folder, &arguments).ok()?;
        let extension = Path::new(path).extension();
        let removed = removed.split('\0').filter(|old| !old.is_empty());
        let removed = removed.filter(|old| Path::new(old).extension() == extension);
        let blob = |revision: &str, path: &str| {
            let name = format!("{revision}:{path}");
            git_output_in(self.folder, &["cat-file", "blob", &name]).ok()
        };
        let mut new = None;
        let shares = removed.filter_map(|old| {
            let new = new.get_or_insert_with(|| strings(&blob(commit, path).unwrap_or_default()));
            let old_strings = strings(&blob(before, old)?);
            let shared = old_strings.intersection(new).count();
            let is_alike = 2 * shared >= new.len().max(old_strings.len()).max(1);
            is_alike.then(|| (shared, old.to_owned()))
        });
        shares.max().map(|(_, old)| old)
    }

    /// Returns the versions in an order in which each is before those that it comes from.
    fn sorted(self) -> Vec<FileVersion> {
        let mut last_first = Vec::new();
        let mut is_seen = vec![false; self.versions.len()];
        // Versions, and how many of their parents are done with.
        let mut open = vec![(0, 0)];
        while let Some((version, done)) = open.pop() {
            // From the last to the first, so that the first comes first.
            match self.versions[version].parents.iter().rev().nth(done) {
                None => last_first.push(version),
                Some(&parent) => {
                    open.push((version, done + 1));
                    if !std::mem::replace(&mut is_seen[parent], true) {
                        open.push((parent, 0));
                    }
                }
            }
        }
        let mut number = vec![0; self.versions.len()];
        for (at, version) in last_first.iter().rev().enumerate() {
            number[*version] = at;
        }
        let numbered = last_first.iter().rev().map(|version| {
            let of = &self.versions[*version];
            FileVersion {
                parents: of.parents.iter().map(|parent| number[*parent]).collect(),
                ..of.clone()
            }
        });
        numbered.collect()
    }
}

/// Returns the hashes of the strings in a text of JSON that are long enough to tell files apart.
fn strings(text: &str) -> HashSet<u64> {
    let strings = text.split('"').map(str::trim).filter(|text| text.len() > 8);
    strings.map(|text| XxHash3_64::oneshot(text.as_bytes())).collect()
}

/// Follows dialogs of `file`, which is at `path`, back through its versions: each part to the first of the versions
/// before that has it. `goes_on` is asked before each version, with how many were read, and may stop that.
///
/// # Errors
/// If a version cannot be opened.
pub fn follow_back(
    blames: &mut [Blame],
    path: &Path,
    file: &CorpusFile,
    versions: &[FileVersion],
    goes_on: &mut dyn FnMut(&[Blame], usize) -> bool,
) -> io::Result<()> {
    let formats = &file.index().formats;
    // The version read last, which is mostly the one to go back from next.
    let mut last: Option<(usize, CorpusFile)> = None;
    let mut read = 0;
    while let Some(at) = blames.iter().filter_map(Blame::reached).min() {
        let newer = match last.take() {
            _ if at == 0 => None,
            Some((number, newer)) if number == at => Some(newer),
            _ => read_version(path, &versions[at], formats)?,
        };
        for &parent in &versions[at].parents {
            if !blames.iter().any(|blame| blame.reached() == Some(at)) {
                break;
            }
            if !goes_on(blames, read) {
                return Ok(());
            }
            read += 1;
            let Some(older) = read_version(path, &versions[parent], formats)? else {
                continue;
            };
            let places = match &newer {
                Some(newer) => places(&older, newer)?,
                None => places(&older, file)?,
            };
            for blame in &mut *blames {
                blame.follow(at, parent, |position| earlier(&older, places.get(&position)?));
            }
            last = Some((parent, older));
        }
        for blame in &mut *blames {
            blame.leave(at);
        }
    }
    Ok(())
}

/// The place of a dialog in an older version.
struct OlderPlace {
    position: usize,
    is_same: bool,
}

/// Returns the places in an older version of the dialogs of a newer one.
fn places(older: &CorpusFile, newer: &CorpusFile) -> io::Result<HashMap<usize, OlderPlace>> {
    let paired = paired_dialogs(older, newer)?;
    let same = paired.pairs.both.into_iter().map(|pair| (pair, true));
    let changed = paired.changed.into_iter().map(|pair| (pair, false));
    let place = |((position, new), is_same)| (new, OlderPlace { position, is_same });
    Ok(same.chain(changed).map(place).collect())
}

fn earlier(older: &CorpusFile, place: &OlderPlace) -> Option<EarlierDialog> {
    let position = place.position;
    let changed = if place.is_same { None } else { Some(older.dialog_at(position)?) };
    Some(EarlierDialog { position, changed })
}

/// Reads a version of a file whose dialogs have these formats; None if it is not a corpus, or not there.
fn read_version(
    file: &Path,
    version: &FileVersion,
    formats: &Formats,
) -> io::Result<Option<CorpusFile>> {
    let spec = format!("{}:{}", version.commit, version.path);
    let Some(bytes) = git_blob(folder_of(file), &spec)? else {
        return Ok(None);
    };
    let file = open_source(bytes, formats, false).map_err(io::Error::other)?;
    Ok(file.format().is_some().then_some(file))
}
