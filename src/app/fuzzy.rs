//! Fuzzy matching of typed text with the names of commands, files and labels.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// A typed pattern to match names with.
pub(super) struct FuzzyMatcher {
    matcher: Matcher,
    pattern: Pattern,
    buffer: Vec<char>,
}

impl FuzzyMatcher {
    /// Matches `text` in any case; its words may come in any order.
    pub fn new(text: &str) -> Self {
        Self::of(text, CaseMatching::Ignore, Config::DEFAULT)
    }

    /// Like [`FuzzyMatcher::new`], but typed capitals match only capitals.
    pub fn with_capitals(text: &str) -> Self {
        Self::of(text, CaseMatching::Smart, Config::DEFAULT)
    }

    /// Like [`FuzzyMatcher::new`], tuned for paths.
    pub fn for_paths(text: &str) -> Self {
        Self::of(text, CaseMatching::Ignore, Config::DEFAULT.match_paths())
    }

    fn of(text: &str, case: CaseMatching, config: Config) -> Self {
        Self {
            matcher: Matcher::new(config),
            pattern: Pattern::parse(text, case, Normalization::Smart),
            buffer: Vec::new(),
        }
    }

    /// Returns the score of a name, higher for better matches; None if it does not match.
    pub fn score(&mut self, name: &str) -> Option<u32> {
        let name = Utf32Str::new(name, &mut self.buffer);
        self.pattern.score(name, &mut self.matcher)
    }
}
