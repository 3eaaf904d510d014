//! Background jobs: what they report, and when they stop.

use std::collections::BTreeSet;

use turnwise::app::{FixSource, Msg, SearchHits};
use turnwise::shell::jobs::{FixScope, SearchScope, Sink, find_fixes, search, summarize};

use super::{Driver, at, demo};

/// A sink that asks for a report after every `pace` dialogs.
struct TestSink {
    reports: Vec<Msg>,
    pace: usize,
    asked: usize,
    is_cancelled: bool,
    is_receiver_gone: bool,
}

impl TestSink {
    fn new(pace: usize) -> Self {
        Self { reports: Vec::new(), pace, asked: 0, is_cancelled: false, is_receiver_gone: false }
    }
}

impl Sink for TestSink {
    fn is_due(&mut self) -> bool {
        self.asked += 1;
        self.asked.is_multiple_of(self.pace)
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled
    }

    fn send(&mut self, msg: Msg) -> bool {
        self.reports.push(msg);
        !self.is_receiver_gone
    }
}

/// The program with a file of 200 dialogs.
fn long() -> Driver {
    let (name, text) = demo("taskmaster-3.json");
    let mut dialogs: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let few = dialogs.len();
    for number in few..200 {
        dialogs.push(dialogs[number % few].clone());
    }
    let text = serde_json::to_string(&dialogs).unwrap();
    Driver::open(&[(name, text)], 100, 30)
}

fn anything(driver: &Driver, from: usize) -> SearchScope {
    driver.scope("e".parse().unwrap(), at(0, from), 1)
}

/// The dialogs with hits in the order of the reports, and whether each report is the last.
fn hits(reports: &[Msg]) -> (Vec<u32>, Vec<bool>) {
    let (mut dialogs, mut ends) = (Vec::new(), Vec::new());
    for report in reports {
        let Msg::Hits(SearchHits { hits, done, .. }) = report else {
            panic!("not of a search");
        };
        dialogs.extend(hits.iter().map(|(at, _)| at.dialog));
        ends.push(*done);
    }
    (dialogs, ends)
}

#[test]
fn a_search_starts_at_the_open_dialog_and_reports_its_first_hit_at_once() {
    let driver = long();
    let mut sink = TestSink::new(100);
    search(&anything(&driver, 150), &mut sink);
    let (dialogs, ends) = hits(&sink.reports);
    assert_eq!(dialogs, (150..200).chain(0..150).collect::<Vec<_>>());
    // The first hit, after 100 more dialogs, and the end.
    assert_eq!(ends, [false, false, true]);
}

#[test]
fn a_cancelled_search_stops_without_a_last_report() {
    let driver = long();
    let mut sink = TestSink::new(1_000);
    sink.is_cancelled = true;
    search(&anything(&driver, 0), &mut sink);
    assert!(sink.asked < 100, "{}", sink.asked);
    assert_eq!(hits(&sink.reports).1, [false]);
}

#[test]
fn jobs_stop_when_nobody_receives_their_reports() {
    let driver = long();
    let snapshot = driver.app.workspace.files.snapshot(0).unwrap();
    let gone = || TestSink { is_receiver_gone: true, ..TestSink::new(1) };
    let [mut searched, mut summarized, mut fixed] = [(); 3].map(|()| gone());
    search(&anything(&driver, 0), &mut searched);
    summarize(0, &snapshot, &mut summarized);
    let dialogs = (0..200).map(|dialog| at(0, dialog)).collect();
    find_fixes(FixScope::new(&driver.app.workspace.files, dialogs, FixSource::Safe, 1), &mut fixed);
    assert_eq!([searched, summarized, fixed].map(|sink| sink.reports.len()), [1; 3]);
}

#[test]
fn summaries_come_in_parts_that_make_up_the_file() {
    let driver = long();
    let snapshot = driver.app.workspace.files.snapshot(0).unwrap();
    let mut sink = TestSink::new(30);
    summarize(0, &snapshot, &mut sink);
    let mut known = BTreeSet::new();
    for report in &sink.reports {
        let Msg::Summarized { from, summaries, .. } = report else {
            panic!("not of a file");
        };
        known.extend(*from..from + summaries.len());
    }
    assert_eq!(sink.reports.len(), 7);
    assert_eq!(known, (0..200).collect());
}
