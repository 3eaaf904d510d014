//! Writes a new file as a stream: its name appears when it is complete.

use std::io::{self, BufWriter, Seek as _, Write};
use std::path::PathBuf;

use tempfile::NamedTempFile;

use super::fs::{Fs as _, Readers, RealFs, create_beside, put_in_place};
use super::same::holds;
use super::save::{SaveError, SaveReport, failed};

/// A file that is being written next to its place. Dropping it removes it.
pub struct StreamedFile {
    path: PathBuf,
    out: BufWriter<NamedTempFile>,
}

impl StreamedFile {
    /// Begins a file for `path`, in a folder that exists.
    ///
    /// # Errors
    /// If no file can be created in the folder.
    pub fn begin(path: PathBuf) -> io::Result<Self> {
        let temporary = create_beside(&RealFs, &path, Readers::Umask)?;
        Ok(Self { out: BufWriter::new(temporary), path })
    }

    /// Completes the file beside its place. Returns false if the file there already has this content.
    ///
    /// # Errors
    /// If it cannot be written, or there is another file and `overwrite` is false.
    pub fn complete(&mut self, overwrite: bool) -> Result<bool, SaveError> {
        self.out.flush().map_err(failed("writing the new file"))?;
        let written = self.out.get_mut().as_file_mut();
        let compare = |out: &mut dyn Write| {
            written.rewind()?;
            io::copy(written, out).map(drop)
        };
        if holds(&self.path, compare) {
            return Ok(false);
        }
        if !overwrite && self.path.symlink_metadata().is_ok() {
            return Err(SaveError::Exists(self.path.clone()));
        }
        RealFs.sync(written).map_err(failed("syncing the file"))?;
        Ok(true)
    }

    /// Puts a complete file into its place.
    ///
    /// # Errors
    /// If that fails.
    pub fn put(self) -> Result<SaveReport, SaveError> {
        let (written, _) = self.out.into_parts();
        let put = put_in_place(&RealFs, written, &self.path);
        let doubt = put.map_err(failed("renaming the new file"))?;
        Ok(SaveReport { hash: None, doubt, linked: false })
    }
}

impl Write for StreamedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
