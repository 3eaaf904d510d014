//! Which file on the disk each open file was read from.

use std::sync::{Arc, Mutex, PoisonError};

use super::disk::Identity;

/// The identity of each file when it was read; None before that.
pub type Identities = Arc<Mutex<Vec<Option<Identity>>>>;

/// Records the identity of the file with the number `file`.
pub fn remember(identities: &Identities, file: usize, identity: Option<Identity>) {
    let mut identities = identities.lock().unwrap_or_else(PoisonError::into_inner);
    if identities.len() <= file {
        identities.resize(file + 1, None);
    }
    identities[file] = identity;
}
