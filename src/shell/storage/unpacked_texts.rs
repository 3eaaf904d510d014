//! The texts of open compressed files, which share a limit on the disk: past it, the one that was read longest ago goes,
//! and is unpacked again when it is read.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::disk::{DiskFile, Identity};
use crate::corpus::Source;

/// The most bytes that they take together, unless one alone takes more.
const MOST_BYTES: u64 = 2 << 30;
/// The share of the free space that they may take.
const SHARE: u64 = 10;
/// The most texts, because only a limited number of files can be open.
const MOST: usize = 64;

/// The texts, the one that was read last at the end. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct UnpackedTexts(Arc<Mutex<Vec<UnpackedFile>>>);

/// The path of a compressed file, and its text on the disk.
type UnpackedFile = (PathBuf, Arc<DiskFile>);

/// The text of a compressed file.
#[derive(Debug)]
pub struct UnpackedText {
    path: PathBuf,
    identity: Option<Identity>,
    len: u64,
    /// The parts of the compressed file that are not in its text, each with the reason.
    damage: Vec<String>,
    texts: UnpackedTexts,
}

impl UnpackedTexts {
    /// Keeps the text of the compressed file at `path`.
    pub fn keep(&self, path: &Path, text: Arc<DiskFile>) -> UnpackedText {
        let (identity, len) = (text.identity().ok(), text.len());
        let damage = text.damage().to_vec();
        self.add(path, text);
        UnpackedText { path: path.to_owned(), identity, len, damage, texts: self.clone() }
    }

    fn add(&self, path: &Path, text: Arc<DiskFile>) {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        texts.retain(|(known, _)| known != path);
        texts.push((path.to_owned(), text));
        let mut taken: u64 = texts.iter().map(|(_, text)| text.len()).sum();
        let most = most(taken);
        while texts.len() > 1 && (texts.len() > MOST || taken > most) {
            taken -= texts.remove(0).1.len();
        }
    }

    /// Returns the text of a file, if it is there still.
    fn get(&self, path: &Path) -> Option<Arc<DiskFile>> {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = texts.iter().position(|(known, _)| known == path)?;
        let known = texts.remove(place);
        let text = Arc::clone(&known.1);
        texts.push(known);
        Some(text)
    }
}

/// Returns how many bytes the texts may take that take this many now.
fn most(taken: u64) -> u64 {
    #[cfg(unix)]
    if let Ok(space) = rustix::fs::statvfs(std::env::temp_dir()) {
        return MOST_BYTES.min((space.f_bavail * space.f_frsize + taken) / SHARE);
    }
    let _ = taken;
    MOST_BYTES
}

impl Source for UnpackedText {
    fn len(&self) -> u64 {
        self.len
    }

    fn damage(&self) -> &[String] {
        &self.damage
    }

    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        let known = self.texts.get(&self.path).filter(|text| text.identity().ok() == self.identity);
        let text = match known {
            Some(text) => text,
            None => {
                let text = Arc::new(DiskFile::open(&self.path)?);
                if text.identity().ok() != self.identity {
                    return Err(io::Error::other("the file was changed by another program"));
                }
                self.texts.add(&self.path, Arc::clone(&text));
                text
            }
        };
        text.read_at(at, buffer)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::Write as _;

    use super::*;

    #[test]
    fn past_the_limit_the_oldest_text_is_unpacked_again() {
        let folder = tempfile::tempdir().unwrap();
        let texts = UnpackedTexts::default();
        let kept: Vec<_> = (0..=MOST)
            .map(|number| {
                let path = folder.path().join(format!("{number}.json.gz"));
                let level = flate2::Compression::fast();
                let mut gzip = flate2::write::GzEncoder::new(File::create(&path).unwrap(), level);
                write!(gzip, "{number:05}").unwrap();
                gzip.finish().unwrap();
                texts.keep(&path, Arc::new(DiskFile::open(&path).unwrap()))
            })
            .collect();
        let count = || texts.0.lock().unwrap().len();
        assert!(count() == MOST && texts.get(&kept[0].path).is_none());
        let mut text = [0; 5];
        kept[0].read_at(0, &mut text).unwrap();
        assert!(text == *b"00000" && count() == MOST && texts.get(&kept[1].path).is_none());
        // A file that has changed is not what was read.
        fs::write(&kept[1].path, "changed").unwrap();
        let error = kept[1].read_at(0, &mut text).unwrap_err().to_string();
        assert_eq!(error, "the file was changed by another program");
        assert!(most(10) <= MOST_BYTES);
    }
}
