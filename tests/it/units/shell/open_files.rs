//! More files than may be open at once.

use std::fs::{self, File};
use std::io::Write as _;
use std::sync::Arc;

use turnwise::corpus::Source as _;
use turnwise::shell::{DiskFile, OpenFiles};

const MANY: usize = 200;

#[test]
fn past_the_limit_the_oldest_file_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let files = OpenFiles::default();
    let path = |number: usize| folder.path().join(format!("{number}.json.gz"));
    let held: Vec<_> = (0..MANY)
        .map(|number| {
            let file = File::create(path(number)).unwrap();
            let mut gzip = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
            write!(gzip, "{number:05}").unwrap();
            gzip.finish().unwrap();
            files.hold(&path(number), Arc::new(DiskFile::open(&path(number)).unwrap()))
        })
        .collect();
    let mut text = [0; 5];
    for number in [0, MANY - 1] {
        held[number].read_at(0, &mut text).unwrap();
        assert_eq!(text, *format!("{number:05}").as_bytes());
    }
    // A file that has changed is not what was read.
    fs::write(path(1), "changed").unwrap();
    let error = held[1].read_at(0, &mut text).unwrap_err().to_string();
    assert_eq!(error, "the file was changed by another program");
}
