//! Lines that are expected beside those that came out.

/// A line of either, or of both.
#[derive(Debug, PartialEq)]
pub enum Row {
    /// As it is expected: `…` fits anything.
    Same(String),
    Missing(String),
    New(String),
}

/// Sets the lines that came out beside those expected, so that as few as can be differ.
pub fn align(expected: &[String], found: &[String]) -> Vec<Row> {
    // The number of rows that differ from a line of either on; behind the last ones, 0.
    let mut differ = vec![vec![0; found.len() + 1]; expected.len() + 1];
    for i in (0..=expected.len()).rev() {
        for j in (0..=found.len()).rev() {
            let is_gap = expected.get(i).is_some_and(|line| line == "…");
            let best = [
                (i < expected.len()).then(|| differ[i + 1][j] + usize::from(!is_gap)),
                (j < found.len()).then(|| differ[i][j + 1] + usize::from(!is_gap)),
                (i < expected.len() && j < found.len() && fits(&expected[i], &found[j]))
                    .then(|| differ[i + 1][j + 1]),
            ];
            differ[i][j] = best.into_iter().flatten().min().unwrap_or(0);
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut rows = Vec::new();
    while i < expected.len() || j < found.len() {
        let here = differ[i][j];
        let is_gap = expected.get(i).is_some_and(|line| line == "…");
        if i < expected.len()
            && j < found.len()
            && !is_gap
            && fits(&expected[i], &found[j])
            && here == differ[i + 1][j + 1]
        {
            rows.push(Row::Same(expected[i].clone()));
            (i, j) = (i + 1, j + 1);
        } else if is_gap && j < found.len() && here == differ[i][j + 1] {
            j += 1;
        } else if i < expected.len() && here == differ[i + 1][j] + usize::from(!is_gap) {
            let line = expected[i].clone();
            rows.push(if is_gap { Row::Same(line) } else { Row::Missing(line) });
            i += 1;
        } else {
            rows.push(Row::New(found[j].clone()));
            j += 1;
        }
    }
    rows
}

/// True if a line is as expected, where `…` is anything.
fn fits(expected: &str, found: &str) -> bool {
    let Some((start, rest)) = expected.split_once('…') else {
        return expected == found;
    };
    let Some(mut left) = found.strip_prefix(start) else { return false };
    let (middle, end) = rest.rsplit_once('…').unwrap_or(("", rest));
    for part in middle.split('…') {
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    left.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(expected: &str, found: &str) -> String {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let shown = |row: Row| match row {
            Row::Same(line) => format!(" {line}"),
            Row::Missing(line) => format!("-{line}"),
            Row::New(line) => format!("+{line}"),
        };
        let rows = align(&lines(expected), &lines(found));
        rows.into_iter().map(shown).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn dots_fit_anything() {
        assert_eq!(rows("a…c", "abc"), " a…c");
        assert_eq!(rows("a…c", "ac"), " a…c");
        assert_eq!(rows("aa…aa", "aaa"), "-aa…aa\n+aaa");
        assert_eq!(rows("…b…b…", "b a"), "-…b…b…\n+b a");
        assert_eq!(rows("…\nb", "x\ny\nb"), " …\n b");
        assert_eq!(rows("…\nb\n…", "b"), " …\n b\n …");
        assert_eq!(rows("a\n…", "b"), "-a\n …");
    }

    #[test]
    fn lines_that_differ_are_beside_each_other() {
        assert_eq!(rows("a\nb\nc", "a\nx\nc"), " a\n-b\n+x\n c");
        assert_eq!(rows("…\nb\nd", "a\nb\nd\nc"), " …\n b\n d\n+c");
        assert_eq!(rows("", "a"), "+a");
    }
}
