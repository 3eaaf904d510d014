//! Fuzzy matching of names, with which pickers search commands, files and labels. Callers
//! decide how to use the scores.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// A matcher that scores names against typed text.
pub struct FuzzyMatcher {
    matcher: Matcher,
    pattern: Pattern,
    buffer: Vec<char>,
}

impl FuzzyMatcher {
    /// Matches `text`, ignoring case; its words may come in any order.
    pub fn new(text: &str) -> Self {
        Self::of(text, CaseMatching::Ignore, Config::DEFAULT)
    }

    /// As [`FuzzyMatcher::new`], but case-sensitive if `text` has capitals.
    pub fn with_capitals(text: &str) -> Self {
        Self::of(text, CaseMatching::Smart, Config::DEFAULT)
    }

    /// As [`FuzzyMatcher::new`], for paths.
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

    /// Scores a name, higher is better; None if it does not match.
    pub fn score(&mut self, name: &str) -> Option<u32> {
        let name = Utf32Str::new(name, &mut self.buffer);
        self.pattern.score(name, &mut self.matcher)
    }
}
