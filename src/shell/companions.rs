//! Files that belong to a breakdown log and stand beside it.
//!
//! `X.log.json` may have `X.log.context`, the text the dialog is about, and `X.labels.json`, a
//! detector's output, which belongs to it if it names the same dialogue id.

use std::path::Path;

use super::open::open;
use crate::dialog::Dialog;

/// Longest context that is read; a text of a page or two is usual.
const LONGEST: u64 = 1 << 20;

/// What stands beside a log.
#[derive(Debug, Default)]
pub struct Companions {
    pub context: Option<String>,
    pub labels: Option<Dialog>,
}

/// The companions of the log at `path`, which holds the dialog `id`. What cannot be read is left
/// out: the log itself is what was asked for.
pub fn companions(path: &Path, id: &str) -> Companions {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some(stem) = name.strip_suffix(".log.json") else {
        return Companions::default();
    };
    let beside = |name: String| path.with_file_name(name);
    let labels = [stem, id].map(|stem| beside(format!("{stem}.labels.json")));
    Companions {
        context: context(&beside(format!("{stem}.log.context"))),
        labels: labels.iter().find_map(|path| labels_of(path, id)),
    }
}

fn context(path: &Path) -> Option<String> {
    let metadata = path.metadata().ok()?;
    let readable = metadata.is_file() && metadata.len() <= LONGEST;
    let bytes = if readable {
        std::fs::read(path).ok()?
    } else {
        return None;
    };
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn labels_of(path: &Path, id: &str) -> Option<Dialog> {
    let opened = path.is_file().then(|| open(path, false).ok())??;
    let (dialog, _) = opened.file.dialog(0).ok()??;
    let detected = dialog.turns.iter().any(|turn| !turn.detections.is_empty());
    (dialog.id == id && detected).then_some(dialog)
}
