//! Picking labels: those used last, then the most usual ones of the corpora.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::{App, Effect, LabelUse};
use crate::dialog::Turn;

/// Labels that are remembered as used last.
const RECENT: usize = 9;

impl App {
    /// Every label there is: those picked last first, then those of this dialog, then the others by
    /// how often they are used.
    fn known_labels(&self) -> Vec<String> {
        let mut known: Vec<String> = self.recent.clone();
        let here = self
            .transcript
            .dialog
            .turns
            .iter()
            .flat_map(|turn: &Turn| &turn.segments);
        let here = here
            .flat_map(|segment| &segment.labels)
            .map(|label| label.name.to_string());
        let mut others: Vec<_> = self.labels.iter().collect();
        others.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let others = others.into_iter().map(|(name, _)| name.to_string());
        for label in here.chain(others) {
            if !known.contains(&label) {
                known.push(label);
            }
        }
        known
    }

    /// Labels that `text` matches, best first, and the text itself if it is none of them.
    pub(super) fn labels_like(&self, text: &str) -> Vec<String> {
        let known = self.known_labels();
        let text = text.trim();
        if text.is_empty() {
            return known;
        }
        let mut matcher = Matcher::new(Config::DEFAULT);
        let pattern = Pattern::parse(text, CaseMatching::Smart, Normalization::Smart);
        let mut buffer = Vec::new();
        let mut scored: Vec<_> = known
            .iter()
            .filter_map(|label| {
                let score = pattern.score(Utf32Str::new(label, &mut buffer), &mut matcher)?;
                Some((std::cmp::Reverse(score), label.clone()))
            })
            .collect();
        scored.sort_by_key(|(score, label)| (*score, label.len()));
        let mut like: Vec<_> = scored.into_iter().map(|(_, label)| label).collect();
        if !known.iter().any(|label| label == text) {
            like.push(text.to_owned());
        }
        like
    }

    /// True if a label is used nowhere yet: using it may be a slip.
    pub fn is_new_label(&self, label: &str) -> bool {
        !self.known_labels().iter().any(|known| known == label)
    }

    /// A label was picked.
    pub(super) fn use_label(&mut self, label: String, wanted: LabelUse) -> Vec<Effect> {
        self.recent.retain(|recent| *recent != label);
        self.recent.insert(0, label.clone());
        self.recent.truncate(RECENT);
        let labels = self.transcript.current_segment().map(|s| {
            s.labels
                .iter()
                .map(|l| l.name.to_string())
                .collect::<Vec<_>>()
        });
        let labels = labels.unwrap_or_default();
        match wanted {
            LabelUse::New => self.add_segment(&label),
            // Two workers who agreed are to agree on the new label too.
            LabelUse::Instead if labels.iter().all(|old| *old == labels[0]) => {
                self.relabel(vec![label; labels.len().max(1)])
            }
            LabelUse::Instead => self.relabel(vec![label]),
            LabelUse::Beside => self.relabel(labels.into_iter().chain([label]).collect()),
        }
    }
}
