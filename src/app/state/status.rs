//! The status line: a report, or several side by side.

/// The subject of a report, for those that are updated while they are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subject {
    #[default]
    Other,
    /// The current hit of the search.
    Hit,
    /// How many turns the annotator has judged.
    Progress,
}

/// A report.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Notice {
    pub subject: Subject,
    pub text: String,
}

/// The reports on the status line; the next key clears them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    notices: Vec<Notice>,
    /// True if one is an error.
    pub bad: bool,
    /// They come from outside and do not answer a key.
    pub news: bool,
}

impl Status {
    pub fn new(subject: Subject, text: String) -> Self {
        Self { notices: vec![Notice { subject, text }], ..Self::default() }
    }

    pub fn text(&self) -> String {
        let texts: Vec<_> = self.notices.iter().map(|n| n.text.as_str()).collect();
        texts.join(" · ")
    }

    pub fn is_empty(&self) -> bool {
        self.notices.is_empty()
    }

    /// True if it begins with a report on this subject.
    pub fn is_about(&self, subject: Subject) -> bool {
        let first = self.notices.first();
        first.is_some_and(|notice| notice.subject == subject)
    }

    /// True if it has all reports of `other`.
    pub fn holds(&self, other: &Self) -> bool {
        let mut notices = other.notices.iter();
        notices.all(|notice| self.notices.contains(notice))
    }

    /// Joins two lists of reports.
    #[must_use]
    pub fn beside(&self, other: &Self) -> Self {
        Self {
            notices: [self.notices.as_slice(), &other.notices].concat(),
            bad: self.bad || other.bad,
            news: self.news || other.news,
        }
    }

    /// Replaces a report on this subject, if there is one.
    pub fn update(&mut self, subject: Subject, text: &str) {
        let mut notices = self.notices.iter_mut();
        if let Some(notice) = notices.find(|notice| notice.subject == subject) {
            text.clone_into(&mut notice.text);
        }
    }
}
