//! How well names match what is typed, letters left out: the one way in which commands, files and labels
//! are looked for. What becomes of the scores is for others.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// What is typed, to be compared with names.
pub(super) struct FuzzyMatcher {
    matcher: Matcher,
    pattern: Pattern,
    buffer: Vec<char>,
}

impl FuzzyMatcher {
    /// To `text` in any case, words of which may stand in any order.
    pub fn new(text: &str) -> Self {
        Self::of(text, CaseMatching::Ignore, Config::DEFAULT)
    }

    /// As [`FuzzyMatcher::new`], but capitals that are typed matter.
    pub fn with_capitals(text: &str) -> Self {
        Self::of(text, CaseMatching::Smart, Config::DEFAULT)
    }

    /// As [`FuzzyMatcher::new`], of paths.
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

    /// How well a name matches, the more the better; None if it does not.
    pub fn score(&mut self, name: &str) -> Option<u32> {
        let name = Utf32Str::new(name, &mut self.buffer);
        self.pattern.score(name, &mut self.matcher)
    }
}
