//! Moments in time as text.

use time::OffsetDateTime;

/// Returns a moment, in seconds since 1970, in UTC as RFC 3339 writes it: `2026-02-28T23:59:59Z`. After the year 9999
/// that is the first moment of 1970.
pub fn moment(seconds: u64) -> String {
    let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
    let at = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (year, month, day) = at.to_calendar_date();
    let (hour, minute, second) = at.to_hms();
    let month = u8::from(month);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}
