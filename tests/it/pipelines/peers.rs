//! The recipes for other programs, and the packages for agreement, give what turnwise gives; see `tests/peers`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{project, scratch};

/// Runs a script in an empty folder, with turnwise on the path. Skipped without `TURNWISE_PEERS`, a virtual
/// environment with the packages.
fn agrees(script: &str) {
    let Some(peers) = std::env::var_os("TURNWISE_PEERS").map(PathBuf::from) else {
        eprintln!("SKIPPED: TURNWISE_PEERS names no virtual environment, so {script} was not run");
        return;
    };
    let folder = scratch();
    let program = Path::new(env!("CARGO_BIN_EXE_turnwise")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = [program.to_owned()].into_iter().chain(std::env::split_paths(&path));
    let ran = Command::new(peers.join("bin/python"))
        .arg(project("tests/peers").join(script))
        .arg(folder.path())
        .env("PATH", std::env::join_paths(path).unwrap())
        .env("HF_HUB_OFFLINE", "1")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("HOME", folder.path())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&ran.stdout), text(&ran.stderr));
    assert!(ran.status.success(), "{script}: {out}\n{err}");
    eprintln!("{script}: {}", out.trim());
}

#[test]
fn spark_over_forty_shards_is_one_process() {
    let java = Command::new("java").arg("-version").output();
    if java.is_err() && std::env::var_os("TURNWISE_PEERS").is_some() {
        eprintln!("SKIPPED: there is no Java, so spark.py was not run");
        return;
    }
    agrees("spark.py");
}

#[test]
fn datasets_maps_and_filters_as_one_process() {
    agrees("datasets_recipe.py");
}

#[test]
fn duckdb_counts_what_turnwise_counts() {
    agrees("duckdb_recipe.py");
}

#[test]
fn python_finds_what_queries_find() {
    agrees("queries.py");
}

#[test]
fn agreement_is_that_of_its_packages() {
    agrees("agreement.py");
}

#[test]
fn copies_are_compared_as_by_their_packages() {
    agrees("copies.py");
}

#[test]
fn judges_are_judged_as_by_judgy() {
    agrees("judges.py");
}
