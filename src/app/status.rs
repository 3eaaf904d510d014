//! The status line: a report, or several side by side.

use super::App;

/// The subject of a report, for those that are updated while they are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Subject {
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
    subject: Subject,
    text: String,
}

/// The reports on the status line; the next key clears them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    notices: Vec<Notice>,
    /// True if one is an error.
    pub bad: bool,
    /// They come from outside and do not answer a key.
    pub(super) news: bool,
}

impl Status {
    fn new(subject: Subject, text: String) -> Self {
        Self {
            notices: vec![Notice { subject, text }],
            ..Self::default()
        }
    }

    pub fn text(&self) -> String {
        let texts: Vec<_> = self.notices.iter().map(|n| n.text.as_str()).collect();
        texts.join(" · ")
    }

    pub fn is_empty(&self) -> bool {
        self.notices.is_empty()
    }

    /// True if it begins with a report on this subject.
    pub(super) fn is_about(&self, subject: Subject) -> bool {
        let first = self.notices.first();
        first.is_some_and(|notice| notice.subject == subject)
    }

    /// True if it has all reports of `other`.
    pub(super) fn holds(&self, other: &Self) -> bool {
        let mut notices = other.notices.iter();
        notices.all(|notice| self.notices.contains(notice))
    }

    /// Joins two lists of reports.
    pub(super) fn beside(&self, other: &Self) -> Self {
        Self {
            notices: [self.notices.as_slice(), &other.notices].concat(),
            bad: self.bad || other.bad,
            news: self.news || other.news,
        }
    }

    /// Replaces a report on this subject, if there is one.
    pub(super) fn update(&mut self, subject: Subject, text: &str) {
        let mut notices = self.notices.iter_mut();
        if let Some(notice) = notices.find(|notice| notice.subject == subject) {
            text.clone_into(&mut notice.text);
        }
    }
}

impl App {
    /// Reports something.
    pub fn say(&mut self, text: impl Into<String>) {
        self.say_about(Subject::Other, text);
    }

    pub(super) fn say_about(&mut self, subject: Subject, text: impl Into<String>) {
        self.status = Status::new(subject, text.into());
    }

    /// Reports something beside what is reported already, at the end.
    pub(super) fn say_also(&mut self, text: impl Into<String>) {
        self.status = self
            .status
            .beside(&Status::new(Subject::Other, text.into()));
    }

    /// As [`App::say_also`], but at the beginning.
    pub(super) fn say_first(&mut self, text: impl Into<String>) {
        self.status = Status::new(Subject::Other, text.into()).beside(&self.status);
    }

    /// Reports an error.
    pub fn complain(&mut self, text: impl Into<String>) {
        self.say(text);
        self.status.bad = true;
    }
}
