//! Collects votes while dialogs are read, and makes rows of them.

use std::path::Path;

use super::By;
use super::figures::Figures;
use super::gold::Compared;
use crate::cli::options::GoldLabels;
use crate::cli::scan::{Collector, ScanReport, ScannedDialog};
use crate::dialog::Short;
use crate::votes::group_by::{self, Group, GroupBy, Surveys};
use crate::votes::{Annotator, Confusion, InvalidVotes, Survey};

/// The requested statistics.
pub struct VotesRequest {
    pub by: Option<By>,
    pub threshold: f64,
    pub pair: Option<(String, String)>,
    /// The labels to compare each annotator with.
    pub gold: Option<GoldLabels>,
    /// True if sums are wanted, from which rows by system and by position can be made.
    pub partial: bool,
}

impl VotesRequest {
    /// Returns the groups whose votes are kept apart.
    fn splits(&self) -> Vec<GroupBy> {
        if self.partial {
            return vec![GroupBy::System, GroupBy::Position];
        }
        self.by.and_then(By::split).into_iter().collect()
    }
}

/// The votes of a file.
pub struct FileVotes<'w> {
    request: &'w VotesRequest,
    pub dialogs: u64,
    /// For each dialog with votes: its id, if it has one, and the corpus that its log names.
    pub ids: Vec<(Short, Short)>,
    pub survey: Survey,
    /// Each dialog by its id, if requested.
    each: Vec<(String, Figures)>,
    /// Systems or positions, if requested.
    apart: Surveys,
    pub confusion: Confusion,
    /// Each annotator against the gold labels, if requested.
    pub gold: Compared,
}

impl<'w> FileVotes<'w> {
    pub fn new(request: &'w VotesRequest) -> Self {
        Self {
            request,
            dialogs: 0,
            ids: Vec::new(),
            survey: Survey::default(),
            each: Vec::new(),
            apart: Surveys::new(),
            confusion: Confusion::default(),
            gold: Compared::default(),
        }
    }

    pub fn invalid(&self) -> InvalidVotes {
        self.survey.invalid
    }
}

impl Collector for FileVotes<'_> {
    fn dialog(&mut self, read: ScannedDialog<'_, '_>) {
        if !read.format.has_votes() {
            return;
        }
        let dialog = read.dialog;
        self.dialogs += 1;
        if !dialog.id.is_empty() && dialog.turns.iter().any(|turn| !turn.votes.is_empty()) {
            let group = group_by::group_of(&dialog).into();
            self.ids.push((dialog.id.as_str().into(), group));
        }
        if let Some((first, second)) = &self.request.pair {
            self.confusion.add_dialog(&dialog, first, second);
        }
        if let Some(gold) = &self.request.gold {
            self.gold.add_dialog(&dialog, gold, self.request.threshold);
        }
        for split in self.request.splits() {
            // The folder is known once the file is read.
            group_by::add(&mut self.apart, &dialog, split, "");
        }
        if self.request.by == Some(By::Dialog) {
            let survey = Survey::of(&dialog);
            let figures = Figures::of(&survey, self.request.threshold);
            self.each.push((dialog.id, figures));
            self.survey.merge(survey);
        } else {
            self.survey.add_dialog(&dialog);
        }
    }

    fn join(&mut self, later: Self) {
        self.dialogs += later.dialogs;
        self.ids.extend(later.ids);
        self.survey.merge(later.survey);
        self.each.extend(later.each);
        for (group, survey) in later.apart {
            self.apart.entry(group).or_default().merge(survey);
        }
        self.confusion.merge(&later.confusion);
        self.gold.merge(later.gold);
    }
}

/// A file, or a dialog of one, and its figures.
pub struct FigureRow {
    /// The file, and the dialog's id.
    pub names: Vec<String>,
    pub figures: Figures,
}

/// Returns the rows by file or by dialog, which come from single files, if they were asked for.
pub fn file_rows(reports: &[ScanReport<FileVotes<'_>>], request: &VotesRequest) -> Vec<FigureRow> {
    let logs = reports.iter().filter(|report| report.gathered.dialogs > 0);
    match request.by {
        Some(By::File) => logs
            .map(|report| FigureRow {
                names: vec![report.file.clone()],
                figures: Figures::of(&report.gathered.survey, request.threshold),
            })
            .collect(),
        Some(By::Dialog) => logs
            .flat_map(|report| {
                let each = report.gathered.each.iter();
                each.map(|(id, figures)| FigureRow {
                    names: vec![report.file.clone(), id.clone()],
                    figures: figures.clone(),
                })
            })
            .collect(),
        Some(By::System | By::Position | By::Annotator) | None => Vec::new(),
    }
}

/// Returns the rows by system or by position, of the groups in `apart`.
pub fn group_rows(apart: &Surveys, by: Option<By>, threshold: f64) -> Vec<FigureRow> {
    let is_wanted = |group: &Group| match group {
        Group::System(_) => by == Some(By::System),
        Group::Position(_) => by == Some(By::Position),
    };
    let wanted = apart.iter().filter(|(group, _)| is_wanted(group));
    wanted
        .map(|(group, survey)| FigureRow {
            names: vec![group.to_string()],
            figures: Figures::of(survey, threshold),
        })
        .collect()
}

/// Returns the systems or positions of all files.
pub fn apart(reports: &[ScanReport<FileVotes<'_>>]) -> Surveys {
    let mut all = Surveys::new();
    for report in reports.iter().filter(|report| report.gathered.dialogs > 0) {
        let folder = Path::new(&report.file).parent().and_then(Path::file_name);
        let folder = folder.unwrap_or_default().to_string_lossy();
        for (group, survey) in &report.gathered.apart {
            let group = match group {
                Group::System(name) if name.is_empty() => Group::System(folder.as_ref().into()),
                known => known.clone(),
            };
            all.entry(group).or_default().merge(survey.clone());
        }
    }
    all
}

/// Returns all annotators with an id, most votes first.
pub fn annotators(survey: &Survey) -> Vec<(&str, &Annotator)> {
    let annotators = survey.annotators.iter();
    let mut annotators: Vec<_> = annotators.map(|(id, votes)| (id.as_str(), votes)).collect();
    annotators.sort_by_cached_key(|(_, votes)| std::cmp::Reverse(votes.votes()));
    annotators
}
