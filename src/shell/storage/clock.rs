//! The time of day, which only this layer and those above it read.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Returns the time since 1970.
pub fn since_1970() -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.unwrap_or_default()
}
