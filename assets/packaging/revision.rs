//! Build script: gives `turnwise --version` the revision that an optimized build was made from.
//!
//! Other builds have none, so that a commit does not compile everything again.
#![allow(clippy::print_stdout)]

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=assets/packaging/revision.rs");
    let is_optimized = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let revision = if is_optimized { revision() } else { None };
    let shown = revision.map_or_else(String::new, |revision| format!(" ({revision})"));
    println!("cargo::rustc-env=TURNWISE_REVISION={shown}");
}

/// Returns the short hash of the commit; None outside a checkout of
/// turnwise.
fn revision() -> Option<String> {
    let top = git(&["rev-parse", "--show-toplevel"])?;
    let own = std::env::var("CARGO_MANIFEST_DIR").ok()?;
    if Path::new(&top).canonicalize().ok()? != Path::new(&own).canonicalize().ok()? {
        return None;
    }
    // Git adds a line to this file at each commit and checkout.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo::rerun-if-changed={log}");
    git(&["rev-parse", "--short", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}
