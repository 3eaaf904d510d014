//! Moments in time as text.

/// Returns a moment, in seconds since 1970, in UTC as RFC 3339 writes it: `2026-02-28T23:59:59Z`.
pub fn moment(seconds: u64) -> String {
    let (mut days, of_day) = (seconds / 86_400, seconds % 86_400);
    let is_leap =
        |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let mut year = 1970;
    loop {
        let all = if is_leap(year) { 366 } else { 365 };
        if days < all {
            break;
        }
        days -= all;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for all in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < all {
            break;
        }
        days -= all;
        month += 1;
    }
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!(
        "{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z",
        days + 1
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_in_utc() {
        let cases = [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_772_323_199, "2026-02-28T23:59:59Z"),
            (1_772_323_200, "2026-03-01T00:00:00Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ];
        for (seconds, expected) in cases {
            assert_eq!(moment(seconds), expected);
        }
    }
}
