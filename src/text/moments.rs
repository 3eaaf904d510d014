//! Moments in time as text.

use std::ops::Range;

use time::{Date, Month, OffsetDateTime};

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

/// The numbers that count seconds, up to the year 5138, and milliseconds, up to 2286. Others may be written days, such as
/// 20260301.
const SECONDS: Range<f64> = 1e8..1e11;
const MILLISECONDS: Range<f64> = 1e11..1e13;

/// Returns the seconds since 1970 that a number of seconds or milliseconds counts; None for other texts.
pub fn counted_seconds(time: &str) -> Option<u64> {
    match time.parse::<f64>().ok()? {
        number if SECONDS.contains(&number) => Some(number as u64),
        number if MILLISECONDS.contains(&number) => Some((number / 1000.0) as u64),
        _ => None,
    }
}

/// Returns the moment of a time as RFC 3339 writes it, in seconds since 1970, or of a number of seconds or milliseconds.
/// What follows the seconds, such as an offset, is left out.
pub fn seconds(time: &str) -> Option<u64> {
    if let Some(seconds) = counted_seconds(time) {
        return Some(seconds);
    }
    let part = |at: usize, digits: usize| time.get(at..at + digits)?.parse::<u16>().ok();
    let month = Month::try_from(part(5, 2)? as u8).ok()?;
    let date = Date::from_calendar_date(part(0, 4)?.into(), month, part(8, 2)? as u8).ok()?;
    let [hour, minute, second] = [part(11, 2)?, part(14, 2)?, part(17, 2)?].map(|part| part as u8);
    let at = date.with_hms(hour, minute, second).ok()?.assume_utc();
    u64::try_from(at.unix_timestamp()).ok()
}
