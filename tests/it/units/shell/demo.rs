//! The bundled dialogs.

use std::path::Path;

use turnwise::shell::DEMO;
use walkdir::WalkDir;

#[test]
fn every_demo_file_is_in_the_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo");
    let files = WalkDir::new(&folder).into_iter().filter_map(Result::ok);
    let files = files.filter(|entry| entry.file_type().is_file());
    let mut names: Vec<_> = files
        .map(|entry| {
            let path = entry.path().strip_prefix(&folder).unwrap();
            path.to_string_lossy().replace('\\', "/")
        })
        .collect();
    names.sort();
    let mut known: Vec<_> = DEMO.iter().map(|(name, _)| *name).collect();
    known.sort_unstable();
    assert_eq!(names, known);
}
