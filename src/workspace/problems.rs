//! Problems of dialogs as they are, or would be, and their counts by rule.

use super::DialogId;
use super::analysis::analyse_in;
use super::files::Files;
use crate::corpus::CorpusFile;
use crate::lint::{LintResult, RULES};

impl Files {
    /// Returns the problems of a dialog as it is now; none while the rules are not loaded.
    pub(crate) fn recheck(&mut self, at: DialogId) -> LintResult {
        let analysis = self.analyse(at).ok().flatten();
        analysis.map(|analysis| analysis.found).unwrap_or_default()
    }

    /// Returns the problems that a dialog would have with this text.
    pub(crate) fn problems_of(&self, at: DialogId, text: &str) -> LintResult {
        let format = self.corpus(at).and_then(CorpusFile::file_format);
        let analysis =
            format.and_then(|format| analyse_in(at, text, &format, self.rules.as_deref()).ok());
        analysis.map(|analysis| analysis.found).unwrap_or_default()
    }

    /// Returns the problems in a file, or in all files, as positions of rules with their counts, the most
    /// frequent first.
    pub(crate) fn by_rule(&self, file: Option<u32>) -> Vec<(usize, u64)> {
        let mut counts = vec![0; RULES.len()];
        for (_, summary) in self.summaries(file) {
            for (rule, count) in summary.into_iter().flat_map(|summary| &summary.by_rule) {
                counts[usize::from(*rule)] += u64::from(*count);
            }
        }
        let counts = counts.into_iter().enumerate();
        let mut counts: Vec<_> = counts.filter(|(_, n)| *n > 0).collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts
    }
}
